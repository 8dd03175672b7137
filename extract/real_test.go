package extract

import (
	"cmp"
	"flag"
	"fmt"
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
	train    = flag.Bool("train", false, "fit the weights to the real sessions, and say how sure they are")
)

// realSession is a session of a public repository with its labels.
type realSession struct {
	key  string // repository/id
	repo string
	Session
	judged judged.Session     // of the whole session; without a name there are none
	said   map[string]float64 // of its sentences, by hash: the average of two readers, 1 is keep
}

func cleaned(g *privacy.Gate, text string) privacy.Clean { c, _ := g.Text(text); return c }

// realSessions reads the labelled sessions of all splits.
func realSessions(t testing.TB) (out []realSession) {
	t.Helper()
	if *realHomes == "" {
		t.Skip("-real is not given")
	}
	if len(realRead) > 0 {
		return realRead
	}
	homes, err := filepath.Glob(filepath.Join(*realHomes, "*", "home"))
	if err != nil {
		t.Fatal(err)
	}
	labels := realLabels(t, "said", "dev", "opened", "more", "third", "tenth")
	found := make([][]realSession, len(homes))
	var wait sync.WaitGroup
	for i, home := range homes {
		wait.Go(func() { found[i] = realSplit(t, home, labels) })
	}
	wait.Wait()
	out = slices.Concat(found...)
	slices.SortFunc(out, func(a, b realSession) int { return cmp.Compare(a.key, b.key) })
	realRead = out
	return out
}

var realRead []realSession // because the gate takes minutes for them

// realLabels reads labels of sentences and of whole sessions, by session.
func realLabels(t testing.TB, said string, whole ...string) map[string]*realSession {
	t.Helper()
	const dir = "../testdata/extract/real/"
	out := map[string]*realSession{}
	of := func(key string) *realSession {
		if out[key] == nil {
			out[key] = &realSession{key: key}
		}
		return out[key]
	}
	for _, name := range whole {
		list, err := judged.Read(dir + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range list {
			of(l.Session).judged = l
		}
	}
	sentences, err := judged.ReadSentences(dir + said + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for key, worth := range sentences {
		of(key).said = worth
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

// TestRealSessions measures on real sessions: for each part of the repositories with weights fitted without it, at
// several thresholds, and at the one that holds.
func TestRealSessions(t *testing.T) {
	sessions := realSessions(t)
	h := New()
	for _, bar := range []float64{.35, .5, .65, h.bar} {
		var whole, said judged.Score
		for _, f := range folds(h, sessions) {
			at := &Heuristic{f.h.cues, bar, min(bar, f.h.least)}
			for _, s := range f.sessions {
				res := at.Extract(t.Context(), s.Session, nil)
				for i := range res.Candidates {
					res.Candidates[i].Confidence = 1 // it is the threshold that is tested here
				}
				s.count(&whole, &said, told(kept(res.Candidates)))
				if *showReal && bar == h.bar {
					show(s, kept(res.Candidates), res.Below)
				}
			}
		}
		fmt.Printf("bar %.2f\n  whole sessions: %v\n  sentences:      %v\n", bar, whole, said)
	}
}

// TestSplit measures on labels of sentences that the weights do not know.
func TestSplit(t *testing.T) {
	if *oneSplit == "" {
		t.Skip("-split is not given")
	}
	var whole, said judged.Score
	h := New()
	for _, s := range realSplit(t, filepath.Join(*realHomes, *oneSplit, "home"), realLabels(t, *oneSplit)) {
		res := h.Extract(t.Context(), s.Session, nil)
		s.count(&whole, &said, told(kept(res.Candidates)))
		if *showReal {
			show(s, kept(res.Candidates), res.Below)
		}
	}
	fmt.Println(said)
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

func verdicts(s realSession, c memory.Candidate) string {
	strict, border := s.value(statementOf(c))
	return fmt.Sprintf("%.1f/%.1f", strict, border)
}

const (
	keptByBoth  = .75 // what two readers would keep, one of them perhaps as borderline
	borderByOne = .5  // what one reader would keep, or both as borderline
)

// value returns how much a statement is worth, strictly and with borderline: 0 to 1.
func (s realSession) value(statement string) (strict, border float64) {
	if s.said == nil {
		return worth(s, statement, 0), worth(s, statement, 1)
	}
	for text, y := range s.worthy() {
		if strings.Contains(bare(statement), text) {
			strict, border = max(strict, over(y, keptByBoth)), max(border, over(y, borderByOne))
		}
	}
	return strict, border
}

func over(y, least float64) float64 {
	if y >= least {
		return 1
	}
	return 0
}

// worthy returns the sentences that a reader would keep.
func (s realSession) worthy() map[string]float64 {
	out := map[string]float64{}
	for _, e := range converse(s.Session) {
		for _, x := range e.user.list {
			if y := s.said[judged.Sentence(x.text.String())]; y > 0 {
				out[bare(x.text.String())] = y
			}
		}
	}
	return out
}

// bare is a text in lower case without what headlines change: spaces, and punctuation at the ends.
func bare(text string) string {
	return strings.Trim(strings.Join(strings.Fields(strings.ToLower(text)), " "), " .,;:!?")
}

// count adds what was found in a session to the score of the labels that it has.
func (s realSession) count(whole, said *judged.Score, found []string) {
	if s.judged.Session != "" {
		whole.Add(s.judged, found)
	}
	if s.said == nil {
		return
	}
	said.Sessions++
	said.Memories += len(found)
	for _, f := range found {
		strict, border := s.value(f)
		said.Strict, said.Border = said.Strict+strict, said.Border+border
	}
	worthy := s.worthy()
	for text, y := range worthy {
		if y < keptByBoth {
			continue
		}
		said.Keep++
		if slices.ContainsFunc(found, func(f string) bool { return strings.Contains(bare(f), text) }) {
			said.Met++
		}
	}
	if len(worthy) == 0 {
		said.Quiet++
		if len(found) == 0 {
			said.Stayed++
		}
	}
}

func TestLabelsOfSentencesCanBeRead(t *testing.T) {
	for name, least := range map[string]int{"said": 40_000, "fifteenth": 4_000} {
		labels, err := judged.ReadSentences("../testdata/extract/real/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for session, worth := range labels {
			n += len(worth)
			for hash, y := range worth {
				if len(hash) != len(judged.Sentence("")) || y < 0 || y > 1 {
					t.Errorf("%s: %s is %v", session, hash, y)
				}
			}
		}
		if n < least {
			t.Errorf("%s has only %d sentences", name, n)
		}
	}
}
