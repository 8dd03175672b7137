package extract

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/transcript"
)

var (
	realHome   = flag.String("real", "", "a home with real sessions, as tools/sessions lays them out")
	realLabels = flag.String("labels", "", "labels of them, files with commas between")
	showReal   = flag.Bool("show", false, "print what is found in the real sessions, with its labels")
	train      = flag.Bool("train", false, "fit the weights of cues.txt to the real sessions")
)

// realSession is a session of a public repository.
type realSession struct {
	key  string // repository/id
	repo string
	Session
	labels [][]realItem // of each labeller
}

type realItem struct {
	Who, Said, Statement, Worth, Kind string
}

func cleaned(g *privacy.Gate, text string) privacy.Clean { c, _ := g.Text(text); return c }

// realSessions reads the sessions below the home that are labelled.
func realSessions(t testing.TB) (out []realSession) {
	t.Helper()
	if *realHome == "" || *realLabels == "" {
		t.Skip("-real and -labels are not given")
	}
	labels := readLabels(t)
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
		if about.Parent == "" && labels[key] != nil {
			out = append(out, realSession{key, repo, s, labels[key]})
		}
	}
	slices.SortFunc(out, func(a, b realSession) int { return cmp.Compare(a.key, b.key) })
	return out
}

func readLabels(t testing.TB) map[string][][]realItem {
	out := map[string][][]realItem{}
	for name := range strings.SplitSeq(*realLabels, ",") {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(raw) {
			var l struct {
				Session string
				Items   []realItem
			}
			if err := json.Unmarshal(line, &l); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			out[l.Session] = append(out[l.Session], l.Items)
		}
	}
	return out
}

// bag is the words of a text.
func bag(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range tokenize(strings.ReplaceAll(text, "`", " ")) {
		out[strings.Trim(w.lower, "'")] = true
	}
	return out
}

// worth is 2 when a labeller would keep what was said, 1 for borderline, 0 else, and
// which of the items says so: one of whose words, or of the statement that the labeller
// made of them, enough stand in one of the sentences.
func worth(items []realItem, said string) (best int, which int) {
	which = -1
	said, _, _ = strings.Cut(said, "\n\n")
	for i, item := range items {
		v := 1
		if item.Worth == "keep" {
			v = 2
		}
		if v > best && item.saidIn(said) {
			best, which = v, i
		}
	}
	return best, which
}

func (item realItem) saidIn(text string) bool {
	const quoted, meant = 0.6, 0.7
	for s := range strings.SplitSeq(strings.NewReplacer(". ", "\x00", "! ", "\x00").Replace(text), "\x00") {
		words := bag(s)
		if common, of := shared(bag(item.Statement), words, 4); common >= 3 && common >= meant*of {
			return true
		}
		for part := range strings.SplitSeq(strings.NewReplacer("…", "\x00", "...", "\x00").Replace(item.Said), "\x00") {
			if common, of := shared(bag(part), words, 1); common >= 3 && common >= quoted*of {
				return true
			}
		}
	}
	return false
}

// shared counts the words of at least so many letters that two texts share, and those
// of the shorter one.
func shared(a, b map[string]bool, letters int) (common, of float64) {
	na, nb := 0.0, 0.0
	for w := range a {
		if len(w) >= letters {
			na++
			if b[w] {
				common++
			}
		}
	}
	for w := range b {
		if len(w) >= letters {
			nb++
		}
	}
	return common, min(na, nb)
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
				for _, items := range s.labels {
					w, _ := worth(items, x.text.String())
					y += []float64{0, 0.5, 1}[w] / float64(len(s.labels))
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

// score is what the figures of docs/sync.md are made of.
type score struct {
	sessions, found, quiet, stayed    int
	strict, border, keep, met, labels float64
}

func (s *score) add(x realSession, got []memory.Candidate) {
	s.sessions++
	s.found += len(got)
	for _, items := range x.labels {
		met := map[int]bool{}
		for _, c := range got {
			w, i := worth(items, c.Body.String())
			if w == 2 {
				s.strict++
			}
			if w > 0 {
				s.border++
				met[i] = true
			}
		}
		for i, item := range items {
			if item.Worth == "keep" && item.Who == "user" {
				s.keep++
				if met[i] {
					s.met++
				}
			}
		}
	}
	s.labels = float64(len(x.labels))
	if !slices.ContainsFunc(x.labels, func(l []realItem) bool { return len(l) > 0 }) {
		s.quiet++
		if len(got) == 0 {
			s.stayed++
		}
	}
}

func (s score) String() string {
	n := math.Max(1, float64(s.found)*s.labels)
	return fmt.Sprintf("%d sessions, %d memories (%.2f a session): precision %.0f %% (%.0f %% with borderline), recall %.0f %%, quiet %d of %d",
		s.sessions, s.found, float64(s.found)/float64(s.sessions), 100*s.strict/n, 100*s.border/n, 100*s.met/math.Max(1, s.keep), s.stayed, s.quiet)
}

// TestRealSessions measures on real sessions: with the weights as they are, and each
// repository with weights that were fitted without it.
func TestRealSessions(t *testing.T) {
	sessions := realSessions(t)
	h := New()
	rows := examples(h, sessions)
	own, crossed := score{}, score{}
	bins := map[int]*[3]float64{}
	repos := map[string][]realSession{}
	for _, s := range sessions {
		repos[s.repo] = append(repos[s.repo], s)
	}
	for _, repo := range slices.Sorted(maps.Keys(repos)) {
		rest := slices.DeleteFunc(slices.Clone(rows), func(r example) bool { return r.repo == repo })
		without := &Heuristic{fit(h.cues, rest)}
		here := score{}
		for _, s := range repos[repo] {
			own.add(s, kept(h.Extract(t.Context(), s.Session, nil).Candidates))
			res := without.Extract(t.Context(), s.Session, nil)
			got := kept(res.Candidates)
			here.add(s, got)
			crossed.add(s, got)
			for _, c := range got {
				b := bins[int(c.Confidence*10)]
				if b == nil {
					b = new([3]float64)
					bins[int(c.Confidence*10)] = b
				}
				for _, items := range s.labels {
					w, _ := worth(items, c.Body.String())
					b[w] += 1 / float64(len(s.labels))
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

func show(s realSession, got []memory.Candidate, below []Below) {
	for _, c := range got {
		fmt.Printf("KEPT %.2f %s %s | %s | %q\n", c.Confidence, verdicts(s, c.Body.String()), s.key[:12], c.Title, c.Body.String())
	}
	for _, c := range below {
		fmt.Printf("     %.2f %s %s %s | %s\n", c.Confidence, verdicts(s, c.Body.String()), s.key[:12], c.Why, c.Title)
	}
}

func verdicts(s realSession, said string) (out string) {
	for _, items := range s.labels {
		w, _ := worth(items, said)
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
