package value

import "testing"

func TestLatinLettersLoseTheirMarks(t *testing.T) {
	for in, want := range map[string]string{
		"Žalgiris-Bebras88": "Zalgiris-Bebras88", "Křeček#4": "Krecek#4", "Øre": "Øre", "plain": "plain",
		"Бобр-88": "Бобр-88", "é\xff": "e\uFFFD",
	} {
		if got := WithoutMarks(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
