package privacy

import (
	"strings"
	"testing"
)

func TestOnlyWhatIsSureIsTakenOutElsewhere(t *testing.T) {
	g := newGate(t, Options{})
	for _, c := range []struct {
		name, text string
		stays      bool // the value, in the second line
	}{
		{"made up", "DB_PASSWORD=Tulpe77feld!\nthe box answers to Tulpe77feld! now\n", false},
		{"drawn", "API_TOKEN=9fk2Lw7QxZ4mVt8RbNc1Hs6D\nsent 9fk2Lw7QxZ4mVt8RbNc1Hs6D once\n", false},
		{"a vendor's token", "export T=ghp_16C7e42F292c6912E7710c838347Ae178B4a\nand " +
			"\"xghp_16C7e42F292c6912E7710c838347Ae178B4a\"\n", false},
		{"a name with a number", "password = \"client2\"\n_, err = client2sub.Next()\n", true},
		{"words with an operator of code", "DB_PASSWORD=Kran*Hafen31\nit is Kran*Hafen31 there\n", false},
		{"a product", "password: \"cells*Grid2\"\nreturn cells*Grid2\n", true},
		{"a word of a program", "secret: PayloadU8x\ntype PayloadU8x struct{}\n", true},
		{"a few digits", "my SIM pin is 200809\n#define THREADS 200809\n", true},
		{"an address", "DB_PASS=\"http://localhost:31544\"\nlistening on http://localhost:31544\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, rest, _ := strings.Cut(c.text, "\n")
			clean, _ := g.Text(c.text)
			_, got, _ := strings.Cut(clean.String(), "\n")
			if same := got == rest; same != c.stays {
				t.Errorf("got %q", got)
			}
		})
	}
}
