package judge

import (
	"slices"
	"strings"
	"testing"

	"keepmum/privacy/scan"
)

// phraseAt returns what a kind of phrase finds at the word, or the end of one, that begins at the mark ^ of a text.
func phraseAt(t *testing.T, find func(*scorer, int) (int, int), text string) string {
	t.Helper()
	at := strings.IndexByte(text, '^')
	text = strings.Replace(text, "^", "", 1)
	cues := map[string]scan.CueOf{}
	if strings.Contains(text, "password") {
		cues["password"] = scan.CuePassword
	}
	b := benchOf(text, cues)
	i := slices.IndexFunc(b.words, func(w word) bool { return w.start == at })
	if i < 0 {
		t.Fatalf("%q: no word begins at the mark: %q", text, b.texts())
	}
	start, end := find(b, i)
	if start < 0 || end < start || end > len(text) {
		t.Fatalf("%q: [%d, %d)", text, start, end)
	}
	return text[start:end]
}

func checkPhrases(t *testing.T, find func(*scorer, int) (int, int), want map[string]string) {
	t.Helper()
	for text, want := range want {
		if got := phraseAt(t, find, text); got != want {
			t.Errorf("%.90q: %q, want %q", text, got, want)
		}
	}
}

func TestAPhraseBetweenQuotationMarks(t *testing.T) {
	checkPhrases(t, (*scorer).quoted, map[string]string{
		`it is "^moss heron" now`: "moss heron", "it is «^moss heron» now": "moss heron",
		"es ist „^moss heron“.":   "moss heron",
		"it is “^moss heron” now": "moss heron", "it is ‘^moss heron’": "moss heron", "it is `^moss heron`": "moss heron",
		"it is \"  ^moss heron  \" now": "moss heron", "it is \"   ^moss heron\"": "moss heron",
		"it is \"    ^moss heron\"":     "", // a gap is no part of a phrase
		"it is '^the crane's quay' now": "the crane's quay", "it is '^the crane's quay": "",
		"it is '^moss'. Then 'heron'": "moss",
		"it is '^moss'2 heron'":       "moss",
		`it is "^moss heron now`:      "", `it is ^moss heron" now`: "", "^moss heron": "", `"^moss heron"`: "moss heron",
		`it is "moss ^heron" now`: "", "it is '^moss'": "moss",
		`it is "^` + strings.Repeat("moss ", 25) + `"`: "", // too long
	})
}

func TestAPhraseUpToTheEndOfItsLine(t *testing.T) {
	checkPhrases(t, (*scorer).rest, map[string]string{
		"password: ^moss heron walrus\nand": "moss heron walrus", "password:\n- ^moss heron\n": "moss heron",
		"password: ^moss heron (the old one)": "moss heron", "password: ^moss heron; and": "moss heron",
		"password: ^moss heron | x": "moss heron", "password: ^moss heron\tx": "moss heron",
		"password: ^moss heron. Then": "moss heron", "password: ^moss heron – then": "moss heron",
		"password: ^moss heron, then": "moss heron", "password: ^moss heron.,\r\n": "moss heron",
		"password: ^moss.heron": "moss.heron", "password = ^moss heron": "moss heron",
		"password ^moss heron": "", "password: moss ^heron": "", "harbour: ^moss heron": "", "^moss heron": "",
		"password:\n\n- ^moss heron": "", "password: *^moss heron*": "",
		"password" + strings.Repeat(" ", markedCue) + ": ^moss": "",
	})
}

func TestGroupsOfDigitsAndCapitals(t *testing.T) {
	checkPhrases(t, (*scorer).groups, map[string]string{
		"the code is ^4821 7736 5512 now": "4821 7736 5512", "the code is 4821 ^7736 5512": "", "^ABCD 12EF": "ABCD 12EF",
		"^4821 7736": "4821 7736", "^SUNF LOWE now": "SUNF LOWE", "^SUN 4821": "", "^Sunf 4821": "",
		"^4821, 7736": "4821", "4821, ^7736": "7736", "^4821\n7736": "4821", "^4821  7736": "4821", "^4821 now 7736": "4821",
		"^123456789 4821": "", "^12345678 4821": "12345678 4821", "^4821-77": "", "4821 (^7736 5512)": "7736 5512",
	})
}

func TestAPhraseUpToTheEndOfItsClause(t *testing.T) {
	checkPhrases(t, (*scorer).clause, map[string]string{
		"the password is ^moss heron walrus, and more": "moss heron walrus",
		"the password is ^moss heron. Then":            "moss heron",
		"the password is ^moss heron":                  "moss heron", "the password is ^moss heron!": "moss heron!",
		"the password is ^moss heron\nand": "moss heron", "the password is ^moss heron (old)": "moss heron",
		"the password is ^moss heron and call me": "moss heron", "the password is ^moss.heron walrus": "moss.heron walrus",
		"the password is ^moss heron `*":                                "moss heron",
		"the password is ^one two three four five six seven eight":      "one two three four five six seven eight",
		"the password is ^one two three four five six seven eight nine": "", "it is ^moss heron": "",
		"the password of ^moss heron": "", "the password is moss ^heron": "", "^moss heron": "",
		"the password" + strings.Repeat(" ", markedCue) + "is ^moss heron": "",
	})
	for text, want := range map[string]int{
		"moss heron": 10, "moss, heron": 4, "moss. Heron": 4, "moss.heron": 10, ". moss": 6, "moss: heron": 4, "moss ": 5,
		"moss  heron": 11, "moss?": 5, "": 0, "a<b": 1,
	} {
		if got := clauseEnd(text); got != want {
			t.Errorf("%q ends at %d, not %d", text, got, want)
		}
	}
}

func TestACellOfSeveralWords(t *testing.T) {
	checkPhrases(t, (*scorer).cell, map[string]string{
		"| a | ^moss heron | x |": "moss heron", "a\t^moss heron\tb": "moss heron", "a   ^moss heron   x": "moss heron",
		"a | ^moss heron.": "moss heron", "a |^moss heron": "moss heron", "a\t^moss heron\nx | y": "moss heron",
		"a   ^moss heron": "moss heron", "a ^moss heron  x": "", "a  ^moss heron | x": "moss heron", "^moss heron | x": "",
		"  ^moss heron | x": "",
	})
}

func TestAPhraseIsSeveralWords(t *testing.T) {
	words := strings.Repeat("ab ", mostWords)
	for text, want := range map[string]bool{
		"moss heron": true, "moss": false, "a b": false, "a b c d": true, "- + = !!": false, "moss\nheron": false,
		words[:len(words)-1]: true, words + "ab": false,
		strings.Repeat("a", 46) + " " + strings.Repeat("b", 49): true,
		strings.Repeat("a", 46) + " " + strings.Repeat("b", 50): false,
	} {
		b := benchOf(text, nil)
		if got := b.isPhrase(&candidate{end: len(text), last: len(b.words) - 1}); got != want {
			t.Errorf("%.20q of %d bytes: %v", text, len(text), got)
		}
	}
	b := benchOf("moss heron, walrus\nkran  am «meer", nil)
	var got []string
	for i := range b.words {
		if b.inSentence(i) {
			got = append(got, b.Text[b.words[i].start:b.words[i].end])
		}
	}
	if !slices.Equal(got, []string{"heron"}) {
		t.Errorf("a blank alone stands before %q", got)
	}
}

func TestWordsWithDigitsInASentenceMayBeginAGroup(t *testing.T) {
	always, never := func(int) bool { return true }, func(int) bool { return false }
	for _, c := range []struct {
		text    string
		mayPass func(int) bool
		want    [2]int
	}{
		{"the ^moss heron", always, [2]int{0, 0}}, {"the ^4821 7736", always, [2]int{kindGroups, kindClause + 1}},
		{"the ^ABC heron", always, [2]int{0, 0}}, {"the password is ^moss heron", always, [2]int{kindGroups, kindClause + 1}},
		{"the password is ^moss heron", never, [2]int{0, 0}}, {"the (^moss heron)", always, [2]int{0, mostKinds}},
		{"the ^Moss heron", always, [2]int{0, 0}},
	} {
		phraseAt(t, func(b *scorer, i int) (int, int) {
			if first, last := b.phraseKindsAt(i, c.mayPass); [2]int{first, last} != c.want {
				t.Errorf("%s: [%d, %d)", c.text, first, last)
			}
			return 0, 0
		}, c.text)
	}
}
