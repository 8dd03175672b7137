package recall

import "testing"

func TestAnotherNumberForTheSameThing(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"ropes of the gym are checked every 6 months", "the ropes of the gym are checked every 4 months", true},
		{"berths are free of charge for 3 nights", "berths are free of charge for 2 nights", true},
		{"eine Kiste wiegt höchstens 12 kg", "eine Kiste wiegt höchstens 15 kg", true},
		{"the free plan has at most 5 users", "the pro plan has at most 50 users", false},
		{"a password has at least 12 characters", "a password has at most 72 characters", false},
		{"the production database has 4 replicas", "the staging database has 2 replicas", false},
		{"Bücher haben 7 % Mehrwertsteuer", "Zeitungsregale haben 19 % Mehrwertsteuer", false},
		{"a cabin has 4 beds", "a cabin costs 4 credits", false},
		{"team 1 has 5 members", "team 2 has 6 members", false},
		{"the bundle has at most 300 KB", "the bundle has 412 KB now, must be the icons", false},
		{"the ferry of the north takes 40 passengers", "the ferry of the north takes 40 passengers", false},
	} {
		if got := otherFigure(figuresIn(c.a), figuresIn(c.b)); got != c.want {
			t.Errorf("%q, %q: %v", c.a, c.b, got)
		}
	}
}
