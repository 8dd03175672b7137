package recall

import "testing"

func TestAnotherNumberForTheSameThing(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"rope reminders: every rope gets its check after 6 months", "ropes: since the letter of the insurance, a check every 4 months", true},
		{"berths are free of charge for 3 nights", "berths are free of charge for 2 nights", true},
		{"keine Kiste wiegt mehr als 12 kg, sagt die Spedition", "eine Kiste der Spedition wiegt höchstens 15 kg", true},
		{"between two imports wait 5 minutes", "sessions of the import page end after 10 minutes", false},
		{"a cabin has 4 beds", "a cabin costs 4 credits", false},
		{"the ferry takes 40 passengers", "the ferry takes 12 cars", false},
		{"the ferry of the north takes 40 passengers", "the ferry of the north takes 40 passengers", false},
	} {
		if got := otherNumber(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: %v", c.a, c.b, got)
		}
	}
}
