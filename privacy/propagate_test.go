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
		{"a rare word and a number", "my password: walrus2907\nlogged in with walrus2907.\n", false},
		{"a product and its version", "MYSQL_PASSWORD: nextcloud28\nsee docs/nextcloud28.md\n", true},
		{"a type and a number", "secret: Vector128\ntype Vector128 struct{}\n", true},
		{"a common word and a number", "password: worker2907\nssh worker2907\n", true},
		{"a rare word and a number as a token", "secret: walrus2907\nssh walrus2907\n", false},
		{"digits for letters", "password: V10l3tm3ad0w88\n./x.sh V10l3tm3ad0w88\n", false},
		{"a phrase and a number",
			"password: \"violin-meadow-copper-acorn-31\"\n./x.sh violin-meadow-copper-acorn-31\n", false},
		{"with a word behind it", "the password for staging is 5c1e77a0-3d42-4f6b-9a08-b1d2e3f4a5c6 ok?\n" +
			"./x.sh 5c1e77a0-3d42-4f6b-9a08-b1d2e3f4a5c6\n", false},
		{"a name of a program and a number", "password: \"client2907\"\nclient2907.Close()\n", true},
		{"a name with a number in it", "secret: grid_cell32\nreturn grid_cell32\n", true},
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

// A password that is made of no words is taken wherever it stands, also without its name; words with a number are not.
func TestACoinedPasswordIsTakenAgain(t *testing.T) {
	g := newGate(t, Options{})
	for v, again := range map[string]bool{
		"quovrenz417": true, "quovrenz41": false, "Vq3bK8mN": true, "b4rr1l0": true, "tG7-hB2-zW9": true,
		"userName2": false, "testuser1": false, "amd64linux": false, "version2beta": false,
	} {
		clean, _ := g.Text("the db password: " + v + "\nI ran it, trying " + v + " failed for the host.")
		if got := !strings.Contains(clean.String(), "trying "+v); got != again {
			t.Errorf("%s is taken again: %v, want %v", v, got, again)
		}
	}
}
