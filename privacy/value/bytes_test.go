package value

import (
	"encoding/base64"
	"math"
	"strings"
	"testing"
	"testing/quick"
	"unicode/utf16"
)

func TestAPrefixIsFoundInAnyCase(t *testing.T) {
	for _, c := range []struct {
		s, prefix string
		want      bool
	}{
		{"Password=1", "password", true}, {"PASSWORD", "password", true}, {"", "", true}, {"x", "", true},
		{"passwor", "password", false}, {"pass-word", "password", false},
		{"\x10assword", "0assword", false},   // a control character is no capital of a digit
		{"@", "`", false}, {"[", "{", false}, // nor are signs capitals of signs
	} {
		if got := BeginsFold(c.s, c.prefix); got != c.want {
			t.Errorf("%q begins with %q: %v", c.s, c.prefix, got)
		}
	}
	folds := func(s string) bool {
		ascii := strings.Map(func(r rune) rune { return r & 0x7f }, s)
		return BeginsFold(strings.ToUpper(ascii)+"…", LowerASCII(ascii))
	}
	if err := quick.Check(folds, nil); err != nil {
		t.Error(err)
	}
}

func TestBase64IsDecodedInEachOfItsForms(t *testing.T) {
	same := func(raw []byte) bool {
		plain := DecodeBase64(strings.TrimRight(base64.StdEncoding.EncodeToString(raw), "="))
		return plain == string(raw) && DecodeBase64(base64.RawURLEncoding.EncodeToString(raw)) == string(raw)
	}
	if err := quick.Check(same, nil); err != nil {
		t.Error(err)
	}
	for in, want := range map[string]string{
		"": "", "aGFmZW4": "hafen", "aGFmZW4=": "", "haf en": "", "ключ": "",
		"aGFmZW5r1": "hafenk", // one digit more holds no byte
	} {
		if got := DecodeBase64(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestTextIsReadableInOneOrTwoBytesACharacter(t *testing.T) {
	wide := func(s string) string {
		var out []byte
		for _, u := range utf16.Encode([]rune(s)) {
			out = append(out, byte(u), byte(u>>8))
		}
		return string(out)
	}
	property{Readable,
		[]string{"hafen", "a\tb\r\nc", wide("hafen"), "    "},
		[]string{"", "abc", "haf\x00en", "haf\x7fen", "ключ", "h\x00a\x01f\x00", "\x00h\x00a", "abc\xff"},
	}.check(t)
}

func TestALineStartsBehindTheBreakBeforeIt(t *testing.T) {
	const text = "one\ntwo\r\nthree\rfour"
	for _, c := range []struct{ at, back, want int }{
		{0, 10, 0}, {2, 10, 0}, {3, 10, 0}, {4, 10, 4}, {6, 10, 4}, {7, 10, 4}, {12, 10, 9}, {len(text), 10, 15},
		{12, 2, 10}, {12, 0, 12}, // no further back than that
	} {
		if got := LineStart(text, c.at, c.back); got != c.want {
			t.Errorf("at %d, %d back: %d, want %d", c.at, c.back, got, c.want)
		}
	}
}

func TestDigitsOfBase64AreCountedInRowsAndInAll(t *testing.T) {
	for line, want := range map[string][2]int{
		"": {0, 0}, "ab+/= cd": {5, 7}, "a-b:c": {1, 3}, "  12  345 ": {3, 5}, "ключ ab": {2, 2}, "\xff": {0, 0},
	} {
		if row, all := LongestBase64(line), Base64Count(line); row != want[0] || all != want[1] {
			t.Errorf("%q: %d in a row, %d in all, want %v", line, row, all, want)
		}
	}
}

func TestEntropyIsThatOfShannon(t *testing.T) {
	var all strings.Builder
	for c := range 256 {
		all.WriteByte(byte(c))
	}
	for v, want := range map[string]float64{"": 0, "aaaa": 0, "ab": 1, "abab": 1, "abcd": 2, "aaab": 0.8113,
		all.String(): 8} {
		if got := Entropy(v); math.Abs(got-want) > 0.001 {
			t.Errorf("%.10q: %v bits, want %v", v, got, want)
		}
	}
}

func TestAByteIsReadFromTwoDigits(t *testing.T) {
	for _, c := range []struct {
		s    string
		at   int
		b    byte
		next int
	}{
		{"%41", 1, 'A', 3}, {`\x7e!`, 2, '~', 4}, {"%0a", 1, '\n', 3},
		// What is no printable byte stays as it is.
		{"%00", 1, '%', 1}, {"%7F", 1, '%', 1}, {"%ff", 1, '%', 1}, {"%4", 1, '%', 1}, {"%zz", 1, '%', 1}, {"%+4", 1, '%',
			1},
	} {
		if b, next := HexAt(c.s, c.at); b != c.b || next != c.next {
			t.Errorf("%q: %q and %d, want %q and %d", c.s, b, next, c.b, c.next)
		}
	}
}

func TestAGroupEndsAtTheFirstSign(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "a1B2": 4, "a1-b2": 2, "-a": 0, "é1": 0, "a_b": 1, strings.Repeat("a", 100): maxGroup,
	} {
		if got := GroupEnd(text, 0); got != want {
			t.Errorf("%.10q: %d, want %d", text, got, want)
		}
	}
	if got := GroupEnd("ab-cd", 3); got != 5 {
		t.Errorf("the second group ends at %d", got)
	}
}
