package speech

import (
	"slices"
	"strings"
	"testing"

	"keepmum/privacy/languages"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

func TestEveryWordOfTheLanguagesIsACue(t *testing.T) {
	triggers := Triggers([]string{"passw", "token"})
	for word, of := range map[string]scan.CueOf{"passw": scan.CuePassword, "token": scan.CueKey} {
		for n, trigger := range triggers {
			if got := slices.Contains(trigger.Words, word); got != (scan.CueOf(n) == of) {
				t.Errorf("%s is about %d: %v", word, n, got)
			}
		}
	}
	for n, trigger := range triggers {
		for i, w := range trigger.Words {
			if w == "" || !value.ASCII(w) || slices.Contains(trigger.Words[:i], w) || strings.ToLower(w) != w {
				t.Errorf("a cue about %d is %q, which is there twice or cannot be looked for", n, w)
			}
		}
	}
	far, of := NonASCIICues()
	for n, kind := range scan.CueNames {
		about := scan.CueOf(n)
		for _, w := range languages.ByKind()[kind] {
			i, low := slices.Index(far, w), strings.ToLower(w)
			if near := slices.Contains(triggers[about].Words, low); near == (i >= 0) || near != value.ASCII(w) || i >= 0 &&
				!hasCue(far, of, w, about) {
				t.Errorf("%s: %q is looked for: %v, and beyond ASCII: %v", kind, w, near, i >= 0)
			}
		}
	}
	for part, want := range map[string]bool{"passw": true, "kennw": true, "wachtw": true, "senha": true, "token": false,
		"": false} {
		if got := namesPassword(part); got != want {
			t.Errorf("%q means a password: %v", part, got)
		}
	}
}

func hasCue(words []string, of []scan.CueOf, w string, about scan.CueOf) bool {
	for i := range words {
		if words[i] == w && of[i] == about {
			return true
		}
	}
	return false
}

// TestAWordThatIsFoundMayBeNoCue has the end of a word that was found at the mark ^.
func TestAWordThatIsFoundMayBeNoCue(t *testing.T) {
	enter := languages.ByKind()["enter"][0]
	for _, c := range []struct {
		text string
		of   scan.CueOf
		want string
	}{
		{"the passw^ord is", scan.CuePassword, "password"}, {"--- PASS^: TestLogin", scan.CuePassword, ""},
		{"--- PASS^: TestLogin", scan.CueThing, "PASS"}, {"^", scan.CuePassword, ""},
		{"the pin^ is", scan.CueCode, "pin"}, {"the pin^", scan.CueCode, "pin"}, {"the pin^ing of", scan.CueCode, ""},
		{"pin^s are", scan.CueCode, ""}, {"code^s are", scan.CueCode, "codes"},
		{"the key^s are", scan.CueKey, "keys"}, {"then " + enter + "^ it", scan.CueEnter, enter},
		{"then x" + enter + "^ it", scan.CueEnter, ""}, {"the harbour^ is", scan.CueEnter, ""}, {"then (^ it",
			scan.CueEnter, ""},
		{"then ^", scan.CueEnter, ""}, {strings.Repeat("x", 40) + enter + "^", scan.CueEnter, ""},
	} {
		at := strings.IndexByte(c.text, '^')
		s := &scan.Scanner{Text: strings.Replace(c.text, "^", "", 1)}
		recordCue(s, c.of, at)
		got := ""
		for _, k := range s.Cues {
			got += s.Text[k.Start:k.End]
		}
		if got != c.want {
			t.Errorf("%s about %d: %q, want %q", c.text, c.of, got, c.want)
		}
	}
}

func TestTheClassOfAWord(t *testing.T) {
	for word, want := range map[string]string{"": "nothing", "#": "#", languages.ByKind()["password"][0]: "password",
		"gnu": "word"} {
		if got := ClassOf(word); got != want {
			t.Errorf("%q is of class %s, want %s", word, got, want)
		}
	}
}
