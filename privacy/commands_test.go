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
				text, secret := marked(y)
				if got, _ := g.Text(text); secret == "" || strings.Contains(got.String(), secret) {
					t.Errorf("%q became %q", text, got)
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
