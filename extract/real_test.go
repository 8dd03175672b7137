package extract

import (
	"cmp"
	"flag"
	"fmt"
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
	realHomes = flag.String("real", "",
		"a directory with real sessions, as tools/sessions lays them out: dev/home and so on")
	showReal = flag.Bool("show", false, "print what is found in the real sessions, with its labels")
	train    = flag.Bool("train", false, "fit the weights to the real sessions, and say how sure they are")
)

// realSession is a session of a public repository.
type realSession struct {
	key  string // repository/id
	repo string
	Session
	judged judged.Session
}

func cleaned(g *privacy.Gate, text string) privacy.Clean { c, _ := g.Text(text); return c }

// realSessions reads the labelled sessions of all splits.
func realSessions(t testing.TB) (out []realSession) {
	t.Helper()
	if *realHomes == "" {
		t.Skip("-real is not given")
	}
	for split, labels := range map[string]string{"dev": "dev", "blind": "opened", "more": "more", "third": "third"} {
		list, err := judged.Read("../testdata/extract/real/" + labels + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, realHalf(t, filepath.Join(*realHomes, split, "home"), list)...)
	}
	slices.SortFunc(out, func(a, b realSession) int { return cmp.Compare(a.key, b.key) })
	return out
}

// realHalf reads the labelled sessions below a home directory.
func realHalf(t testing.TB, home string, list []judged.Session) (out []realSession) {
	t.Helper()
	labels, ids := map[string]judged.Session{}, map[string]bool{}
	for _, l := range list {
		labels[l.Session], ids[filepath.Base(l.Session)] = l, true
	}
	roots := transcript.DefaultRoots(home, "linux", func(string) string { return "" })
	all, err := transcript.Discover(t.Context(), roots)
	if err != nil {
		t.Fatal(err)
	}
	g := testGate(t)
	for _, src := range all {
		id := strings.TrimPrefix(src.ID, "rollout-2026-01-01T00-00-00-")
		if !ids[id] {
			continue
		}
		var talk []transcript.Entry
		about, _, err := transcript.Read(t.Context(), src, transcript.Offset{}, func(e transcript.Entry) error {
			talk = append(talk, e)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		s := Session{Agent: cleaned(g, src.Agent), ID: cleaned(g, src.ID)}
		for _, e := range heard(talk) {
			s.Steps = append(s.Steps, Step{At: e.At, Role: Role(e.Role), Ref: cleaned(g, e.Ref),
				Text: cleaned(g, e.Text[:min(len(e.Text), 32<<10)])})
		}
		repo := filepath.Base(about.Dir)
		key := repo + "/" + id
		if l, ok := labels[key]; ok && about.Parent == "" {
			out = append(out, realSession{key, repo, s, l})
		}
	}
	return out
}

// heard returns what the user said, and the first and the last that the agent said in between: nothing else is looked
// at for what was said, and the gate takes long for the rest.
func heard(talk []transcript.Entry) (out []transcript.Entry) {
	said := 0 // by the agent since the user spoke
	for _, e := range talk {
		switch {
		case e.Sidechain || e.Role != transcript.User && e.Role != transcript.Assistant || strings.TrimSpace(e.Text) == "":
			continue
		case e.Role == transcript.User:
			said = 0
		case said == 2:
			out = out[:len(out)-1]
		default:
			said++
		}
		out = append(out, e)
	}
	return out
}

// TestRealSessions measures on real sessions: for each repository with weights fitted without it, at several
// thresholds; then with the weights as they are.
func TestRealSessions(t *testing.T) {
	sessions := realSessions(t)
	h := New()
	for _, at := range []float64{.25, .35, .45, .55, .65} {
		var crossed judged.Score
		for _, f := range folds(h, sessions) {
			at := &Heuristic{f.h.cues, at}
			for _, s := range f.sessions {
				found := at.Extract(t.Context(), s.Session, nil).Candidates
				for i := range found {
					found[i].Confidence = 1 // it is the threshold that is tested here
				}
				crossed.Add(s.judged, told(kept(found)))
			}
		}
		fmt.Printf("  bar %.2f: %v\n", at, crossed)
	}
	var own, crossed judged.Score
	for _, f := range folds(h, sessions) {
		var here judged.Score
		for _, s := range f.sessions {
			own.Add(s.judged, told(kept(h.Extract(t.Context(), s.Session, nil).Candidates)))
			res := f.h.Extract(t.Context(), s.Session, nil)
			here.Add(s.judged, told(kept(res.Candidates)))
			crossed.Add(s.judged, told(kept(res.Candidates)))
			if *showReal {
				show(s, kept(res.Candidates), res.Below)
			}
		}
		fmt.Printf("  %-40s %v\n", f.repo, here)
	}
	fmt.Printf("as it is: %v\ncrossed:  %v\n", own, crossed)
}

// kept returns the candidates that pass the checks of package memory.
func kept(all []memory.Candidate) []memory.Candidate {
	return slices.DeleteFunc(slices.Clone(all), func(c memory.Candidate) bool { _, ok := memory.Check(c); return !ok })
}

// told returns the statements of memories.
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
