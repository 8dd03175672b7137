package shell

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func asked(text string) []string { return []string{"asked: " + text} }

func TestAScriptReadAloud(t *testing.T) {
	for script, want := range map[string][]string{
		"P=red; curl -u me:$P host":                      {"curl -u me:red host"},
		`P='two words'; curl -u "me:$P" host`:            {"curl -u 'me:two words' host"},
		"P=red; if true; then curl -u me:$P host; fi":    {"curl -u me:red host"},
		"P=red; P=blue; curl -u me:$P host":              {"curl -u me:red host", "curl -u me:blue host"},
		"for P in red blue; do curl -u me:$P host; done": {"curl -u me:red host", "curl -u me:blue host"},
		"P=red; export URL=db://me:$P@host":              {"URL=db://me:red@host"},
		"P=red; curl -u $USER:$P host":                   {"curl -u …:red host"},
		"P=$(date); curl -u me:$P host":                  {"curl -u me:… host"},
		"P=$(gh auth token); curl -u me:$P host":         {"curl -u me:… host"},
		"echo red | passwd --stdin x":                    {"asked: red"},
		"echo red blue | sudo passwd --stdin x":          {"asked: red", "asked: blue"},
		"printf red | kinit ann":                         {"asked: red"},
		"P=red; echo $P | kinit ann":                     {"asked: red", "echo red"},
		"chpasswd <<< ann:red":                           {"asked: ann:red"},
		"sudo chpasswd <<E\nann:red\nE":                  {"asked: ann:red\n"},
		"curl -u me:red host":                            nil,
		"curl -u me:$P host":                             nil,
		"P=red; curl host":                               nil,
		"for P in red; do :; done; echo $Q":              nil,
		"cat red | passwd --stdin x":                     nil,
		"echo | passwd --stdin x":                        nil,
		"(echo red) | passwd --stdin x":                  nil,
		"echo red | tee passwd":                          nil,
		"echo red && passwd x":                           nil,
		"grep x <<< ann:red":                             nil,
		"passwd x < red | cat":                           nil,
		"P=red; if then curl -u me:$P host":              nil, // no script
		"":                                               nil,
	} {
		if got := Aloud(script, asked); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", script, got, want)
		}
	}
}

func TestALongScriptIsNotReadAloud(t *testing.T) {
	const script = "P=red; curl -u me:$P host #"
	for length, want := range map[int]int{maxAloud: 1, maxAloud + 1: 0} {
		if got := Aloud(script+strings.Repeat("x", length-len(script)), asked); len(got) != want {
			t.Errorf("%d bytes: %d lines", length, len(got))
		}
	}
	var many strings.Builder
	many.WriteString("P=red\n")
	for n := range 2 * maxLines {
		fmt.Fprintf(&many, "curl -u me:$P host%d\n", n)
	}
	lines := Aloud(many.String(), asked)
	if len(lines) != maxLines || lines[maxLines-1] != fmt.Sprintf("curl -u me:red host%d", maxLines-1) {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
	long := "P=" + strings.Repeat("x", 1000) + "; curl $P$P$P$P$P"
	if lines := Aloud(long, asked); len(lines) != 1 || len(lines[0]) != maxAloud {
		t.Errorf("%d lines, the first of %d bytes", len(lines), len(lines[0]))
	}
	var values strings.Builder
	for n := range 2 * maxTurns {
		fmt.Fprintf(&values, "P=p%d; ", n)
	}
	if lines := Aloud(values.String()+"curl $P", asked); len(lines) != maxTurns {
		t.Errorf("%d values are tried: %q", len(lines), lines)
	}
}
