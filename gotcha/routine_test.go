package gotcha

import (
	"strings"
	"testing"
)

func TestRoutinesOfASession(t *testing.T) {
	for name, c := range map[string]struct {
		ran     string // "!" = it failed
		longest string
	}{
		"in a row":                {"make gen|make dist|./deploy.sh", "make gen|make dist|./deploy.sh"},
		"looked between":          {"make gen|git status|cd x && make dist 2>&1", "make gen|make dist"},
		"the same twice":          {"make gen|make gen|make dist", "make gen|make dist"},
		"one alone":               {"make gen|ls", ""},
		"failed between":          {"make gen|!make lint|make dist", ""},
		"reckless between":        {"make gen|git reset --hard|make dist", ""},
		"what cannot be read":     {"make gen|if then|make dist", ""},
		"of six, the latest five": {"./a|./b|./c|./d|./e|./f", "./b|./c|./d|./e|./f"},
	} {
		var steps []Step
		for i, command := range strings.Split(c.ran, "|") {
			run, failed := strings.CutPrefix(command, "!")
			steps = append(steps, Step{ID: int64(i), Command: run, Failed: failed})
		}
		var longest []string
		for _, r := range Routines(steps) {
			if len(r.Commands) >= len(longest) {
				longest = r.Commands
			}
		}
		if got := strings.Join(longest, "|"); got != c.longest {
			t.Errorf("%s: got %q, want %q", name, got, c.longest)
		}
	}
}

func TestTwoRoutinesOverlapInTwoCommandsInARow(t *testing.T) {
	of := func(s string) Routine { return Routine{Commands: strings.Fields(s)} }
	a := of("x y z")
	for other, want := range map[string]bool{"y z": true, "w x y": true, "x z": false, "z y": false, "y": false} {
		if got := a.Overlaps(of(other)); got != want {
			t.Errorf("%v and %s: %v", a.Commands, other, got)
		}
	}
	named := Routine{Commands: []string{"make gen", "./deploy.sh -x"}}
	if got := named.Name(); got != "make gen, then deploy.sh" {
		t.Errorf("its name is %q", got)
	}
}
