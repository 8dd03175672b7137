package judge

import (
	"slices"
	"strings"
	"testing"

	"keepmum/privacy/scan"
)

// benchOf prepares a text like Weigh, with cues at the given words.
func benchOf(text string, cues map[string]scan.CueOf) *scorer {
	b := &scorer{Scanner: &scan.Scanner{Text: text}, w: embedded()}
	for word, of := range cues {
		at := strings.Index(text, word)
		b.cues = append(b.cues, scan.Cue{Start: at, End: at + len(word), Of: of})
	}
	slices.SortFunc(b.cues, byStart)
	b.Cues, b.to = b.cues, len(text)
	b.split()
	b.next = 0
	return b
}

func (b *scorer) texts() (out []string) {
	for _, w := range b.words {
		out = append(out, b.Text[w.start:w.end])
	}
	return out
}

func TestALineIsSplitIntoWords(t *testing.T) {
	for text, want := range map[string][]string{
		`he said: "moss-7", (twice).`:                 {"he", "said", "moss-7", "twice"},
		"«Tulpe» und „Feld“":                          {"Tulpe", "und", "Feld"},
		"say it\nif (a[i] == b[j]) { x += y; }\nthen": {"say", "it", "then"},
	} {
		if got := benchOf(text, nil).texts(); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	cued := benchOf("first\nif (pass[i] == b[j]) { x += y; }\nlast", map[string]scan.CueOf{"pass": scan.CuePassword})
	if got := cued.texts(); !slices.Contains(got, "b[j") {
		t.Errorf("a line of a program with a cue is passed over: %q", got)
	}
}

func TestThePartsOfAValueThatAreOrdinaryWords(t *testing.T) {
	b := benchOf("", nil)
	for v, want := range map[string][3]int{
		"password": {1, 1, 1}, "userPassword": {2, 2, 1}, "qzxvkw": {0, 1, 0}, "password_qzxvkw": {1, 2, 0},
		"12-34": {0, 0, 0}, "ab7cd": {0, 0, 0},
	} {
		c := &candidate{}
		b.dictionaryShare(c, v, nil, 0)
		if c.known != want[0] || c.parts != want[1] || (c.rarest > 0) != (want[2] > 0) {
			t.Errorf("%s: %d of %d are known, the rarest at level %d; want %v", v, c.known, c.parts, c.rarest, want)
		}
	}
}

func TestKindsOfValues(t *testing.T) {
	for v, want := range map[string]string{
		"sunflower": "word", "Sunflower": "Word", "SUN": "capitals", "sunFlower": "camel", "sun7": "word#", "Sun7": "Word#",
		"sun-flower": "joined-", "sun.Flower_7": "Joined#mixed", "sun!7": "signed#", "5512": "digits4", "77312#": "digits#",
		"10.2.3": "version", "2026-11-23": "date", "~/notes": "path", "kai@example.com": "mail",
		"123e4567-e89b-12d3-a456-426614174000": "uuid", "Kx7Qv9Zt2WmB4Rp8": "drawn", "пароль": "distant",
	} {
		if got := kindOf(v, count(v)); got != want {
			t.Errorf("%s is %s, want %s", v, got, want)
		}
	}
}

func TestHowAValueEndsAndIsShaped(t *testing.T) {
	var room []byte
	for v, want := range map[string][2]string{
		"Kiel-Nord-48": {"digits 2", "Aa-Aa-0"}, "berg1998": {"a year", "a0"}, "4821": {"all digits", "0"},
		"wer!":    {"a sign", "a!"},
		"main.go": {".go", "a.a"}, "Tulpe": {"a letter", "Aa"},
	} {
		if got := ending(v); got != want[0] {
			t.Errorf("%s ends with %s, want %s", v, got, want[0])
		}
		if got := shape(v, &room); got != want[1] {
			t.Errorf("the shape of %s is %s, want %s", v, got, want[1])
		}
	}
}

func TestWhatStandsAroundACandidate(t *testing.T) {
	const text = "user kai / Moss-7 since monday"
	b := benchOf(text, map[string]scan.CueOf{"user": scan.CueAccount})
	at := slices.Index(b.texts(), "Moss-7")
	w := b.words[at]
	c := candidate{start: w.start, end: w.end, at: at, last: at, behind: b.cueBefore(w.start)}
	b.line.find(b.Text, c.start, c.end)
	if c.behind != 0 || !b.plainWordAllowed(at) {
		t.Errorf("the cue before it is %d", c.behind)
	}
	if got := b.signBefore(&c); got != " / " {
		t.Errorf("before it stands %q", got)
	}
	if one, two := b.wordBefore(&c, 2), b.wordBehind(&c, 1); one != "kai" || two != "since" {
		t.Errorf("between %q and %q", one, two)
	}
	for word, want := range map[string]string{"root": "account", "kai": "word", "kai7": "name", "Kai": "Word",
		"kai@x.org": "mail", "": "nothing"} {
		if got := accountLike(word); got != want {
			t.Errorf("%q as an account is %s, want %s", word, got, want)
		}
	}
}

func TestTheCheapLookPassesOverWhatNobodyTakesForASecret(t *testing.T) {
	const text = "the password is the Kiesel-Nord-48 of https://example.com/a and call()"
	b := benchOf(text, map[string]scan.CueOf{"password": scan.CuePassword})
	worth := map[string]bool{}
	for i, w := range b.words {
		c := candidate{start: w.start, end: w.end, at: i, behind: b.cueBefore(w.start)}
		worth[text[w.start:w.end]] = b.passesFilter(&c)
	}
	for v, want := range map[string]bool{"Kiesel-Nord-48": true, "the": false, "https://example.com/a": false,
		"password": false} {
		if worth[v] != want {
			t.Errorf("%s is weighed: %v", v, worth[v])
		}
	}
}

func TestWhoWatchesSeesTheSameFirstStage(t *testing.T) {
	const text = "user kai / Moss-7! since 2024-11-02, (pin 5512) the password: tulpenfeld or «Qx7Rv9Zt2W» at x.org"
	cues := map[string]scan.CueOf{"user": scan.CueAccount, "pin": scan.CueCode, "password": scan.CuePassword}
	b, scores := benchOf(text, cues), map[float32]bool{}
	for i, w := range b.words {
		c := candidate{start: w.start, end: w.end, at: i, behind: b.cueBefore(w.start), n: w.n}
		c.kind = kindOf(text[w.start:w.end], w.n)
		var score [2]float32
		for n, named := range []bool{false, true} {
			b.f.begin(b.w, b.w.first, named)
			b.firstStage(&c)
			score[n] = b.f.score
		}
		ruledOut := score[0] < 0 && score[1] <= score[0] // without a look into the dictionary
		if score[0] != score[1] && !ruledOut {
			t.Errorf("%q: %v, and %v for who watches", text[w.start:w.end], score[0], score[1])
		}
		scores[score[0]] = true
	}
	if len(scores) < 10 {
		t.Errorf("only %d different scores", len(scores))
	}
}
