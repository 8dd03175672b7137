package extract

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/tools/sessions/judged"
	"keepmum/transcript"
)

var (
	realHome   = flag.String("real", "", "a home with real sessions, as tools/sessions lays them out")
	realLabels = flag.String("labels", "../testdata/extract/real/dev.jsonl", "labels of them")
	showReal   = flag.Bool("show", false, "print what is found in the real sessions, with its labels")
	train      = flag.Bool("train", false, "fit the weights of cues.txt to the real sessions")
)

// realSession is a session of a public repository.
type realSession struct {
	key  string // repository/id
	repo string
	Session
	judged judged.Session
}

func cleaned(g *privacy.Gate, text string) privacy.Clean { c, _ := g.Text(text); return c }

// realSessions reads the sessions below the home that are labelled.
func realSessions(t testing.TB) (out []realSession) {
	t.Helper()
	if *realHome == "" {
		t.Skip("-real is not given")
	}
	list, err := judged.Read(*realLabels)
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string]judged.Session{}
	for _, l := range list {
		labels[l.Session] = l
	}
	roots := transcript.DefaultRoots(*realHome, "linux", func(string) string { return "" })
	all, err := transcript.Discover(t.Context(), roots)
	if err != nil {
		t.Fatal(err)
	}
	g := testGate(t)
	for _, src := range all {
		s := Session{Agent: cleaned(g, src.Agent), ID: cleaned(g, src.ID)}
		about, _, err := transcript.Read(t.Context(), src, transcript.Offset{}, func(e transcript.Entry) error {
			if e.Role != transcript.Aside {
				s.Steps = append(s.Steps, Step{At: e.At, Role: Role(e.Role), Sidechain: e.Sidechain, Ref: cleaned(g, e.Ref),
					Text: cleaned(g, e.Text[:min(len(e.Text), 32<<10)]), Tool: cleaned(g, e.Tool), Failed: e.Failed})
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		repo := filepath.Base(about.Dir)
		key := repo + "/" + strings.TrimPrefix(src.ID, "rollout-2026-01-01T00-00-00-")
		if l, ok := labels[key]; ok && about.Parent == "" {
			out = append(out, realSession{key, repo, s, l})
		}
	}
	slices.SortFunc(out, func(a, b realSession) int { return cmp.Compare(a.key, b.key) })
	return out
}

// example is a sentence that says something on purpose, with what labellers think of it.
type example struct {
	repo  string
	marks marks
	y     float64
}

func examples(h *Heuristic, sessions []realSession) (out []example) {
	for _, s := range sessions {
		for _, e := range converse(s.Session) {
			for i, x := range e.user.list {
				m := h.marks(e, i)
				if !h.cues.acts(m) {
					continue
				}
				y := 0.0
				for _, items := range s.judged.Labels {
					w, _ := judged.Worth(items, x.text.String())
					y += []float64{0, 0.5, 1}[w] / float64(len(s.judged.Labels))
				}
				out = append(out, example{s.repo, m, y})
			}
		}
	}
	return out
}

// fit moves the weights towards the examples; prior says how firmly those set by hand hold.
func fit(t table, rows []example) table {
	const prior, rounds, step = 2.0, 400, 0.02
	out := slices.Clone(t)
	for i := range out {
		out[i].weight = t[i].hand
	}
	for range rounds {
		slope := make([]float64, len(t))
		for _, r := range rows {
			miss := out.chance(r.marks) - r.y
			for i := range t {
				if r.marks&(1<<i) != 0 {
					slope[i] += miss
				}
			}
		}
		for i := range out {
			out[i].weight -= step * (slope[i] + prior*(out[i].weight-t[i].hand))
		}
	}
	return out
}

// TestRealSessions measures on real sessions: with the weights as they are, and each
// repository with weights that were fitted without it.
func TestRealSessions(t *testing.T) {
	sessions := realSessions(t)
	h := New()
	rows := examples(h, sessions)
	var own, crossed judged.Score
	bins := map[int]*[3]float64{}
	repos := map[string][]realSession{}
	for _, s := range sessions {
		repos[s.repo] = append(repos[s.repo], s)
	}
	for _, repo := range slices.Sorted(maps.Keys(repos)) {
		rest := slices.DeleteFunc(slices.Clone(rows), func(r example) bool { return r.repo == repo })
		without := &Heuristic{fit(h.cues, rest)}
		var here judged.Score
		for _, s := range repos[repo] {
			own.Add(s.judged, told(kept(h.Extract(t.Context(), s.Session, nil).Candidates)))
			res := without.Extract(t.Context(), s.Session, nil)
			got := kept(res.Candidates)
			here.Add(s.judged, told(got))
			crossed.Add(s.judged, told(got))
			for _, c := range got {
				bin := int(c.Confidence*10 + 0.001)
				if bins[bin] == nil {
					bins[bin] = new([3]float64)
				}
				for _, items := range s.judged.Labels {
					w, _ := judged.Worth(items, statementOf(c))
					bins[bin][w] += 1 / float64(len(s.judged.Labels))
				}
			}
			if *showReal {
				show(s, got, res.Below)
			}
		}
		fmt.Printf("  %-40s %v\n", repo, here)
	}
	fmt.Printf("as it is: %v\ncrossed:  %v\n", own, crossed)
	for _, b := range slices.Sorted(maps.Keys(bins)) {
		x := bins[b]
		fmt.Printf("  confidence 0.%d: %.0f memories, %.0f %% kept, %.0f %% with borderline\n", b, x[0]+x[1]+x[2], 100*x[2]/(x[0]+x[1]+x[2]), 100*(x[1]+x[2])/(x[0]+x[1]+x[2]))
	}
}

// kept are those that pass the checks that everything passes.
func kept(all []memory.Candidate) []memory.Candidate {
	return slices.DeleteFunc(slices.Clone(all), func(c memory.Candidate) bool { _, ok := memory.Check(c); return !ok })
}

// told are the statements of memories.
func told(all []memory.Candidate) (out []string) {
	for _, c := range all {
		out = append(out, statementOf(c))
	}
	return out
}

func statementOf(c memory.Candidate) string {
	said, _, _ := strings.Cut(c.Body.String(), "\n\n")
	return said
}

func show(s realSession, got []memory.Candidate, below []Below) {
	for _, c := range got {
		fmt.Printf("KEPT %.2f %s %s | %s | %q\n", c.Confidence, verdicts(s, c), s.key[:12], c.Title, c.Body.String())
	}
	for _, c := range below {
		fmt.Printf("     %.2f %s %s %s | %s\n", c.Confidence, verdicts(s, c.Candidate), s.key[:12], c.Why, c.Title)
	}
}

func verdicts(s realSession, c memory.Candidate) (out string) {
	for _, items := range s.judged.Labels {
		w, _ := judged.Worth(items, statementOf(c))
		out += string("-bk"[w])
	}
	return out
}

// TestTrain writes the weights that fit all real sessions best.
func TestTrain(t *testing.T) {
	if !*train {
		t.Skip("-train is not given")
	}
	h := New()
	fitted := fit(h.cues, examples(h, realSessions(t)))
	text := cuesText
	for i, c := range h.cues {
		lead := fmt.Sprintf("\n%s\t%v\t", c.name, c.hand)
		head, tail, ok := strings.Cut(text, lead)
		if !ok {
			t.Fatalf("no line of %q", lead)
		}
		end := strings.IndexAny(tail, "\t\n")
		text = head + lead + fmt.Sprintf("%.2f", fitted[i].weight) + tail[end:]
	}
	if err := os.WriteFile("cues.txt", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
