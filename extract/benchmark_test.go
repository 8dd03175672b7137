package extract

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"keepmum/longtest"
	"keepmum/memory"
	"keepmum/privacy"
)

var sets = flag.String("sets", "", "print the totals of these sets of labelled sessions: tuned,held")

// labelled is a session with what a person would keep of it.
type labelled struct {
	Name, Project, Agent string
	Steps                []struct {
		Role, Text, Tool, Command, Error string
		Files                            []string
		Edit, Failed, Sidechain          bool
	}
	Expect, Optional []expected
	Quiet            bool
}

// expected is a memory to be found.
type expected struct {
	Primitive string
	Kinds     []string
	Must, Not []string
}

func (x expected) matches(c memory.Candidate) bool {
	if x.Primitive != "any" && x.Primitive != string(c.Primitive) {
		return false
	}
	if len(x.Kinds) > 0 && c.Primitive == memory.Learning && !slices.Contains(x.Kinds, string(c.Kind)) {
		return false
	}
	return x.holds(c)
}

// holds reports whether a candidate says what is expected, whatever its type.
func (x expected) holds(c memory.Candidate) bool {
	text := strings.ToLower(c.Title.String() + " " + c.Body.String())
	contains := func(word string) bool { return strings.Contains(text, strings.ToLower(word)) }
	for _, m := range x.Must {
		if !slices.ContainsFunc(strings.Split(m, "|"), contains) {
			return false
		}
	}
	return !slices.ContainsFunc(x.Not, contains)
}

// tally is the benchmark's result for one set.
type tally struct {
	sessions, hits, wrong, expected, quiet, stayedQuiet, candidates, refused int
	// number of the wrong ones with only a wrong primitive or kind
	misfiled int
	faults   []string
}

func (t tally) precision() float64 { return percent(t.hits, t.hits+t.wrong) }
func (t tally) recall() float64    { return percent(t.hits, t.expected) }

func percent(n, of int) float64 {
	if of == 0 {
		return 100
	}
	return 100 * float64(n) / float64(of)
}

func (t tally) String() string {
	return fmt.Sprintf("%d sessions, precision %.1f %%, recall %.1f %% (%d of %d), wrong %d, %d of them only filed "+
		"otherwise (else precision %.1f %%, recall %.1f %%), quiet %d of %d, candidates %d, refused by the checks %d",
		t.sessions, t.precision(), t.recall(), t.hits, t.expected, t.wrong, t.misfiled,
		percent(t.hits+t.misfiled, t.hits+t.wrong), percent(t.hits+t.misfiled, t.expected), t.stayedQuiet, t.quiet,
		t.candidates, t.refused)
}

// count compares what was found in a session with its labels. A second candidate for the same entry counts neither way.
func (t *tally) count(l labelled, all []memory.Candidate) {
	met := make([]bool, len(l.Expect))
	kept := 0
	for _, c := range all {
		if reason, ok := memory.Check(c); !ok {
			t.refused++
			t.faults = append(t.faults, fmt.Sprintf("%s: refused (%s): %q\n\t%s", l.Name, reason, c.Title, c.Body))
			continue
		}
		kept++
		i := slices.IndexFunc(l.Expect, func(x expected) bool { return x.matches(c) })
		switch {
		case i >= 0:
			if !met[i] {
				met[i] = true
				t.hits++
			}
		case slices.ContainsFunc(l.Optional, func(x expected) bool { return x.matches(c) }):
		default:
			t.wrong++
			if slices.ContainsFunc(l.Expect, func(x expected) bool { return x.holds(c) }) {
				t.misfiled++
			}
			t.faults = append(t.faults, fmt.Sprintf("%s: wrong: %s %s %q\n\t%s", l.Name, c.Primitive, c.Kind, c.Title, c.Body))
		}
	}
	for i, ok := range met {
		if !ok {
			t.faults = append(t.faults, fmt.Sprintf("%s: missed: %s %v", l.Name, l.Expect[i].Primitive, l.Expect[i].Must))
		}
	}
	t.sessions++
	t.candidates += kept
	t.expected += len(l.Expect)
	if l.Quiet {
		t.quiet++
		if kept == 0 {
			t.stayedQuiet++
		}
	}
}

func load(t testing.TB, set string) []labelled {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "testdata", "extract", set, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no sessions in %s: %v", set, err)
	}
	out := make([]labelled, len(files))
	for i, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(b, &out[i]); err != nil {
			t.Fatalf("%s: %v", filepath.Base(f), err)
		}
	}
	return out
}

// heuristic is one for all tests: it keeps nothing of what it read, and to make it is to compile its expressions.
var heuristic = sync.OnceValue(New)

// sharedGate is one for all tests, whose texts contain no secrets that it would know again.
var sharedGate = sync.OnceValues(func() (*privacy.Gate, error) {
	return privacy.New(privacy.Options{Key: []byte("a key for tests")})
})

func testGate(t testing.TB) *privacy.Gate {
	t.Helper()
	g, err := sharedGate()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// session passes a labelled session through the gate, as sync does.
func (l labelled) session(g *privacy.Gate) Session {
	clean := func(s string) privacy.Clean { c, _ := g.Text(s); return c }
	s := Session{Agent: clean(l.Agent), ID: clean(l.Name), Project: clean(l.Project)}
	for i, st := range l.Steps {
		step := Step{Role: Role(st.Role), Text: clean(st.Text), Tool: clean(st.Tool), Command: clean(st.Command),
			Error: clean(st.Error), Edit: st.Edit, Failed: st.Failed, Sidechain: st.Sidechain, Ref: clean(fmt.Sprint(i + 1))}
		for _, f := range st.Files {
			step.Files = append(step.Files, clean(f))
		}
		s.Steps = append(s.Steps, step)
	}
	return s
}

// some returns every twelfth session, or all of them in the long tests.
func some(all []labelled) []labelled {
	var out []labelled
	for i := 0; i < len(all); i += longtest.Size(12, 1) {
		out = append(out, all[i])
	}
	return out
}

func measure(t testing.TB, set string) tally {
	h, g := heuristic(), testGate(t)
	var sum tally
	for _, l := range load(t, set) {
		sum.count(l, h.Extract(t.Context(), l.session(g), nil).Candidates)
	}
	return sum
}

// The invented sessions contain traps: mails to customers, specifications, hearsay, and jokes that say "from now on".
// What people mention in them in passing is not found, and should not be.
func TestInventedSessionsThatTeachNothingStayQuiet(t *testing.T) {
	longtest.Only(t) // a ratio of few sessions says little
	sum := measure(t, "tuned")
	if testing.Verbose() {
		for _, f := range sum.faults {
			t.Log(f)
		}
	}
	if 7*sum.stayedQuiet < 6*sum.quiet || 10*sum.candidates > 2*sum.sessions {
		t.Errorf("too much was kept: %v", sum)
	}
}

// TestTotals prints the output of `make bench-extract`. For held-back sets it may only print totals.
func TestTotals(t *testing.T) {
	if *sets == "" {
		t.Skip("-sets names none")
	}
	for set := range strings.SplitSeq(*sets, ",") {
		fmt.Printf("%-6s %v\n", set, measure(t, set))
	}
}
