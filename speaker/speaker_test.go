package speaker

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// turn is what arrived as a user's turn, and which parts are the user's.
type turn struct {
	Agent, Class, Prompt string
	Typed                string // what a person submitted
	Own                  string // and wrote
}

func turns(t testing.TB) (out []turn) {
	t.Helper()
	raw, err := os.ReadFile("../testdata/speaker/turns.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		var x turn
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatal(err)
		}
		out = append(out, x)
	}
	return out
}

// own returns a text without what was pasted.
func own(text string) string {
	at := 0
	var b strings.Builder
	for _, s := range Pasted(text) {
		b.WriteString(text[at:s.From])
		at = s.To
	}
	b.WriteString(text[at:])
	return strings.Join(strings.Fields(b.String()), " ")
}

func TestTheWordsOfAUserAreToldFromTheRest(t *testing.T) {
	agents := map[string]int{}
	for _, x := range turns(t) {
		agents[x.Agent]++
		t.Run(x.Agent+" "+x.Class, func(t *testing.T) {
			typed, untyped := Typed(x.Prompt)
			if typed != x.Typed {
				t.Errorf("typed %q, want %q", typed, x.Typed)
			}
			if typed == "" && untyped == "" && !strings.HasPrefix(x.Prompt, "@") {
				t.Error("what nobody typed is lost: secrets in it would not be known")
			}
			if got, want := own(typed), strings.Join(strings.Fields(x.Own), " "); got != want {
				t.Errorf("own words %q, want %q", got, want)
			}
		})
	}
	for _, agent := range []string{"claude", "codex", "opencode", "cursor"} {
		if agents[agent] < 5 {
			t.Errorf("%d turns of %s", agents[agent], agent)
		}
	}
}

func TestWhatPeopleTypeIsUnchanged(t *testing.T) {
	for _, text := range []string{
		"never push to main, the hook deploys it",
		"1. use postgres\n2. no orm\n- and never a trigger",
		"You are the best. Keep the singular name.",
		"if a < b then c > d, always",
		"A list of three is enough",
		"Error when drawing: the box must never leave a trace",
		"<system-reminder> is what I am asking about",
		"for future reference this is the command I run:\nmake ship",
		"don't use 'any', and don't use 'unknown' here",
		"важно помнить, что понижать версии нельзя",
	} {
		if typed, _ := Typed(text); typed != text {
			t.Errorf("%q became %q", text, typed)
		}
		if got := own(text); got != strings.Join(strings.Fields(text), " ") {
			t.Errorf("of %q only %q is left", text, got)
		}
	}
}

func FuzzPasted(f *testing.F) {
	for _, x := range turns(f) {
		f.Add(x.Prompt)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, s := range Pasted(text) {
			if s.From < last || s.To <= s.From || s.To > len(text) {
				t.Fatalf("span %v after %d in %d bytes", s, last, len(text))
			}
			last = s.To
		}
		typed, _ := Typed(text)
		if again, _ := Typed(typed); len(again) > len(typed) {
			t.Errorf("%q grew to %q", typed, again)
		}
	})
}

// What a program put in front of a request is not lost because it put tags behind it.
func TestAllThatNobodyTypedIsReturned(t *testing.T) {
	typed, untyped := Typed("# Context from my IDE setup:\nopen: settings.py\n## My request for Codex:\nfix it\n" +
		"<environment_context>shell: zsh</environment_context>")
	if typed != "fix it" || !strings.Contains(untyped, "settings.py") || !strings.Contains(untyped, "zsh") {
		t.Errorf("typed %q, untyped %q", typed, untyped)
	}
}
