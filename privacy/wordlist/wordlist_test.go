package wordlist

import (
	"slices"
	"strings"
	"testing"
)

func FuzzIn(f *testing.F) {
	for _, s := range [][2]string{{"red", " red green "}, {"re", " red green "}, {"", " red "}, {"green",
		" ungreen green "}, {"red", "red"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, word, list string) {
		if strings.Contains(word, " ") || strings.Contains(list, "  ") {
			t.Skip()
		}
		list = " " + strings.Trim(list, " ") + " "
		if got, want := In(word, list), word != "" && slices.Contains(strings.Split(list, " "), word); got != want {
			t.Errorf("%q in %q: %v", word, list, got)
		}
	})
}

func FuzzLower(f *testing.F) {
	for _, s := range []string{"", "red", "Red GREEN 1_@[`{", "ÄÖ Ĳ Straße K", strings.Repeat("A", 300)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := []byte(s)
		for i, c := range want {
			if c >= 'A' && c <= 'Z' {
				want[i] = c + 'a' - 'A'
			}
		}
		if got := Lower(s); got != string(want) {
			t.Errorf("%q: %q", s, got)
		}
	})
}

func TestAListIsReadByItsName(t *testing.T) {
	lists := Read("# colours\n= warm\nred\torange\nyellow\n\n= cold\nblue\n")
	if len(lists) != 2 || lists["warm"] != " red orange yellow " || lists["cold"] != " blue " {
		t.Errorf("%q", lists)
	}
}
