package egress

import (
	"strings"
	"testing"
)

// rulesFor returns the rules that doubt a text.
func rulesFor(text string) string {
	var names []string
	for _, f := range Scan(text) {
		names = append(names, f.Rule)
	}
	return strings.Join(names, " ")
}

func TestWhatMayBeSentAndWhatMayNot(t *testing.T) {
	for _, c := range []struct{ doubted, sent, why string }{
		{`password: "blue"`, `password: "red"`, "four letters in quotes are a password"},
		{`password: "my blue car"`, `password: "must be at least eight characters"`,
			"three words may be one, a sentence is not"},
		{`password: "blue"`, `password: "    "`, "blanks are none"},
		{"secret = a1b2x", "secret = a1b2", "five characters of letters and digits"},
		{"curl -u me:blue42 h", "curl -u me:1234 h", "a port is no password"},
		{"curl -u me:blue h", "curl -u me:${P} h", "a reference is none"},
		{"curl -u me:blue h", "curl -u me:red h", "three letters are none"},
		{"--token q1w2e3r4t5", "--token-file tokens", "an option with a word"},
		{"db://me:blue@h/x", "db://someone@h/x", "a name alone is no password"},
		{"db://a8f3k29dk3x7@h/x", "db://a8f3k29@h/x", "a long name with digits is a token"},
		{"ABCD-EFGH-IJKL-MNOP", "ABC-DEF-GHI-JKL", "groups of four are a licence"},
		{"1a2b3-c4d5ef-6g7hij-8k9lmn", "alpha-beta-gamma-delta-omega", "words with hyphens are none"},
		{"token 8f86d081884c7d65", "token 8f86d08", "twelve hexadecimal digits near a name"},
		{"client_id: 819551384702", "client_id: 81955138470", "twelve digits near a name"},
		{"password hunter2!x", "password handling", "a word after password"},
		{"value 9f86d081884c7d659a2f", "value 9f86d081884c", "twenty hexadecimal digits anywhere"},
		{"auth Blue!berry77 failed", "auth Blue-berry failed", "a letter, a digit and a special character"},
	} {
		if got := rulesFor(c.doubted); got == "" {
			t.Errorf("%s: nothing found in %q", c.why, c.doubted)
		}
		if got := rulesFor(c.sent); got != "" {
			t.Errorf("%s: %s in %q", c.why, got, c.sent)
		}
	}
}

func TestNamesInCodeReadAsWords(t *testing.T) {
	for v, want := range map[string]bool{
		"word": true, "Word": true, "WORD": true, "someURL": true, "withTax": true, "a_b-c.d/e": true, "": true,
		"URLFromDB": false, "w0rd": false, "wörd": false, strings.Repeat("a", 20): true, strings.Repeat("a", 21): false,
		strings.Repeat("A", 20): true, strings.Repeat("A", 21): false, "word2": false,
	} {
		if got := words(v); got != want {
			t.Errorf("%s reads as words: %v", v, got)
		}
	}
	if !plain("word42") || plain("w42rd") {
		t.Error("digits at the end of a word are ordinary, within it they are not")
	}
}

func TestAFarLineChangesNoFinding(t *testing.T) {
	const text = "DB_PASSWORD=correcthorse1\n"
	want := Scan(text)
	if len(want) == 0 {
		t.Fatal("nothing found")
	}
	far := strings.Repeat("the tests passed.\n", 20)
	if got := Scan(text + far); len(got) != len(want) || got[0] != want[0] {
		t.Errorf("lines after it: %v, alone %v", got, want)
	}
	got := Scan(far + text)
	if len(got) != len(want) || got[0].Start != want[0].Start+len(far) || got[0].Rule != want[0].Rule {
		t.Errorf("lines before it: %v, alone %v", got, want)
	}
}

func TestANameReachesAsFarAsOneLine(t *testing.T) {
	for blanks, want := range map[int]bool{1: true, reach - 2: true, reach + 1: false} {
		text := "token" + strings.Repeat(" ", blanks) + "819551384702"
		if got := rulesFor(text) != ""; got != want {
			t.Errorf("%d blanks: doubted %v", blanks, got)
		}
	}
}

func TestAWordAloneIsDoubtedByItsShape(t *testing.T) {
	for v, want := range map[string]bool{
		"a1b2c3d4e5f6": true, "a1b2c3d4e5f": false, // twelve characters
		"wordwordword12345678": true, "wordwordwor12345678": false, "wordwordwordy1234567": false, // a long number
		"aBcDeFgHiJkLmNoPqR": true, "aBcDeFgHiJkLmNoPq": false, // capitals all over it
		strings.Repeat("z", 24): true, strings.Repeat("z", 23): false,
		"9f86d081884c7d659a2f": true, "key_9f86d081884c7d659a2f": true, "81955138470281955138": true,
		"8195513847028195513": false, // digits
		"aaaa1aaaa2aaaa3aaaa": false, "2026-11-20T22-16-03": false, "src/a1b2c3d4e5f6/x.go": true, "name=a1b2c3d4e5f6": true,
		"123e4567-e89b-12d3-a456-426614174000": false, "id-123e4567-e89b-12d3-a456-426614174000": true,
		"": false, "===": false,
	} {
		if got := random(v); got != want {
			t.Errorf("%s alone: doubted %v", v, got)
		}
	}
}

func TestAWordNearANameIsDoubtedSooner(t *testing.T) {
	for v, want := range map[string]bool{
		"a1b23c": true, "a1b23": false, "a12bcD": false, "a123bcd": false, // short ones: three digits in two places
		"9f86d081884c": true, "819551384702": true, "81955138470": false,
		strings.Repeat("z", 20): true, strings.Repeat("z", 19): false,
		"wordword1word23": true, "wordword1word2": false, "wordwordz12345": true, "wordwordz1234": false,
		"aBcDeFgHiJkL": true, "2026-01-02": false, "conf/a1b23c": true, "a.b.c": false,
		"123e4567-e89b-12d3-a456-426614174000": true,
	} {
		if got := lowBar(v); got != want {
			t.Errorf("%s near a name: doubted %v", v, got)
		}
	}
}

func TestBytesAreOfFourKinds(t *testing.T) {
	for kinds, bytes := range map[byte]string{'d': "09", 'U': "AZ", 'l': "az", '-': "/:@[`{-_\x00\xff"} {
		for _, c := range []byte(bytes) {
			if got := kind(c); got != kinds {
				t.Errorf("%q is of the kind %c, want %c", c, got, kinds)
			}
		}
	}
}
