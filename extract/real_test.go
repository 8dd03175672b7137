package extract

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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
	oneSplit = flag.String("split", "", "measure on this split of sources.txt, with the weights as they stand")
	allReal  = flag.Bool("all", false, "fit to the labels of single sentences and of acts, too")
	train    = flag.Bool("train", false, "fit the weights to the real sessions, and say how sure they are")
)

// realSession is a session of a public repository with its labels.
type realSession struct {
	key  string // repository/id
	repo string
	Session
	judged judged.Session    // of the whole session; without a name there are none
	acts   *judged.Session   // of its sentences with an act
	single map[string]string // of single sentences, by hash
}

func cleaned(g *privacy.Gate, text string) privacy.Clean { c, _ := g.Text(text); return c }

// realSessions reads the labelled sessions of all splits, first those of which everything was labelled.
func realSessions(t testing.TB) (whole, part []realSession) {
	t.Helper()
	if *realHomes == "" {
		t.Skip("-real is not given")
	}
	if whole, part = realRead[0], realRead[1]; len(whole) > 0 {
		return whole, part
	}
	splits, names := []string{"dev", "blind", "more", "third"}, []string{"dev", "opened", "more", "third"}
	if *allReal {
		splits, names = append(splits, "fourth"), append(names, "acts")
	}
	labels := realLabels(t, names)
	found := make([][]realSession, len(splits))
	var wait sync.WaitGroup
	for i, split := range splits {
		wait.Go(func() { found[i] = realSplit(t, filepath.Join(*realHomes, split, "home"), labels) })
	}
	wait.Wait()
	all := slices.Concat(found...)
	slices.SortFunc(all, func(a, b realSession) int { return cmp.Compare(a.key, b.key) })
	for _, s := range all {
		if s.judged.Session != "" {
			whole = append(whole, s)
		} else {
			part = append(part, s)
		}
	}
	realRead = [2][]realSession{whole, part}
	return whole, part
}

var realRead [2][]realSession // because the gate takes minutes for them

// realLabels reads labels, by session.
func realLabels(t testing.TB, names []string) map[string]*realSession {
	t.Helper()
	const dir = "../testdata/extract/real/"
	out := map[string]*realSession{}
	of := func(key string) *realSession {
		if out[key] == nil {
			out[key] = &realSession{key: key}
		}
		return out[key]
	}
	for _, name := range names {
		list, err := judged.Read(dir + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range list {
			if name == "acts" {
				of(l.Session).acts = &l
			} else {
				of(l.Session).judged = l
			}
		}
	}
	if !*allReal {
		return out
	}
	raw, err := os.ReadFile(dir + "sentences.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(raw) {
		var l struct {
			Session string
			Worth   map[string]string
		}
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		of(l.Session).single = l.Worth
	}
	return out
}

// realSplit reads the labelled sessions below a home directory.
func realSplit(t testing.TB, home string, labels map[string]*realSession) (out []realSession) {
	ids := map[string]bool{}
	for key := range labels {
		ids[filepath.Base(key)] = true
	}
	roots := transcript.DefaultRoots(home, "linux", func(string) string { return "" })
	all, err := transcript.Discover(t.Context(), roots)
	if err != nil {
		t.Error(err)
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
			t.Error(err)
		}
		repo := filepath.Base(about.Dir)
		l := labels[repo+"/"+id]
		if l == nil || about.Parent != "" {
			continue
		}
		s := Session{Agent: cleaned(g, src.Agent), ID: cleaned(g, src.ID)}
		for _, e := range heard(talk) {
			s.Steps = append(s.Steps, Step{At: e.At, Role: Role(e.Role), Ref: cleaned(g, e.Ref),
				Text: cleaned(g, e.Text[:min(len(e.Text), 32<<10)])})
		}
		one := *l
		one.repo, one.Session = repo, s
		out = append(out, one)
	}
	return out
}

// heard returns what the user said, and the first and the last that the agent said in between: nothing else is looked
// at for what was said, and the gate takes long for the rest.
func heard(talk []transcript.Entry) (out []transcript.Entry) {
	const begins = 1 << 10 // bytes of an answer that tell whether the agent took it as a correction
	said := 0              // by the agent since the user spoke
	for _, e := range talk {
		switch {
		case e.Sidechain || e.Role != transcript.User && e.Role != transcript.Assistant || strings.TrimSpace(e.Text) == "":
			continue
		case e.Role == transcript.User:
			said = 0
		case said == 2:
			out = out[:len(out)-1]
		default:
			if said++; said == 2 {
				first := &out[len(out)-1]
				first.Text = first.Text[:min(len(first.Text), begins)]
			}
		}
		out = append(out, e)
	}
	return out
}

// TestRealSessions measures on real sessions: for each repository with weights fitted without it, at several
// thresholds; then with the weights as they are.
func TestRealSessions(t *testing.T) {
	sessions, part := realSessions(t)
	h := New()
	for _, at := range []float64{.25, .35, .45, .5, .55, .6, .65} {
		var crossed judged.Score
		for _, f := range folds(h, sessions, part) {
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
	for _, f := range folds(h, sessions, part) {
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

// TestSplit measures on one split that the weights do not know.
func TestSplit(t *testing.T) {
	if *oneSplit == "" {
		t.Skip("-split is not given")
	}
	list, err := judged.Read("../testdata/extract/real/" + *oneSplit + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string]*realSession{}
	for _, l := range list {
		labels[l.Session] = &realSession{key: l.Session, judged: l}
	}
	var all judged.Score
	h := New()
	for _, s := range realSplit(t, filepath.Join(*realHomes, *oneSplit, "home"), labels) {
		res := h.Extract(t.Context(), s.Session, nil)
		all.Add(s.judged, told(kept(res.Candidates)))
		if *showReal {
			show(s, kept(res.Candidates), res.Below)
		}
	}
	fmt.Println(all)
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
