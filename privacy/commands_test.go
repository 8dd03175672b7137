package privacy

import (
	"strings"
	"testing"

	"keepmum/privacy/rules"
)

func TestEveryCommandFindsItsSamplesAndLeavesTheOthers(t *testing.T) {
	g := newGate(t, Options{})
	for _, c := range rules.Commands() {
		t.Run(c.ID, func(t *testing.T) {
			if len(c.Yes) == 0 || len(c.No) == 0 || len(c.Words) == 0 {
				t.Fatal("no samples or no words")
			}
			for _, y := range c.Yes {
				text := strings.NewReplacer("«", "", "»", "").Replace(y)
				got, _ := g.Text(text)
				for _, part := range strings.Split(y, "«")[1:] {
					if secret, _, ok := strings.Cut(part, "»"); !ok || strings.Contains(got.String(), secret) {
						t.Errorf("%q became %q", text, got)
					}
				}
				if text == y {
					t.Errorf("%q marks no secret", y)
				}
			}
			for _, no := range c.No {
				if got, _ := g.Text(no); got.String() != no {
					t.Errorf("%q became %q", no, got)
				}
			}
		})
	}
}
