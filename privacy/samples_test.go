package privacy

import (
	_ "embed"
	"strings"
	"testing"

	"keepmum/longtest"
	"keepmum/privacy/place"
	"keepmum/privacy/scan"
)

//go:embed rules/kept.txt
var kept string

//go:embed rules/keptblocks.txt
var keptBlocks string

func TestEverySampleIsTakenOut(t *testing.T) {
	g := newGate(t, Options{})
	for _, s := range Samples() {
		t.Run(s.Rule, func(t *testing.T) {
			if s.Secret == "" || !strings.Contains(s.Text, s.Secret) {
				t.Fatal("the sample marks no secret")
			}
			got, found := g.Text(s.Text)
			if strings.Contains(got.String(), s.Secret) || strings.Contains(got.String(), "[WITHHELD:") || len(found) == 0 {
				t.Errorf("%q became %q", s.Text, got)
			}
			if again, _ := g.Text(got.String()); again != got {
				t.Errorf("cleaned again, %q became %q", got, again)
			}
		})
	}
}

// The words of a command become paths when they have slashes, and so would the
// pieces of a secret.
func TestNoPieceOfACommandsSecretBecomesAPath(t *testing.T) {
	const piece = 9 // bytes
	g := newGate(t, Options{})
	for i, s := range Samples() {
		if !longtest.Every(3, i) {
			continue
		}
		c := g.Event(Raw{Tool: "Bash", Input: map[string]any{"command": s.Text}})
		around := strings.Replace(s.Text, s.Secret, "", 1) + c.Input.Text().String()
		for _, path := range c.Paths {
			for i := 0; i+piece <= len(s.Secret); i++ {
				if part := s.Secret[i : i+piece]; strings.Contains(path.String(), part) && !strings.Contains(around, part) {
					t.Errorf("%s: %q is left in the path %q", s.Rule, part, path)
					break
				}
			}
		}
	}
}

func TestWhatIsNoSecretIsKept(t *testing.T) {
	g := newGate(t, Options{})
	for line := range strings.Lines(kept) {
		if got, _ := g.Text(line); got.String() != line {
			t.Errorf("%q became %q", line, got)
		}
	}
	if got, _ := g.Text(kept); got.String() != kept {
		t.Errorf("together they became %q", got)
	}
}

func TestWhatIsNoSecretInSeveralLinesIsKept(t *testing.T) {
	g := newGate(t, Options{})
	for _, block := range strings.Split(keptBlocks, "\n== ")[1:] {
		name, text, _ := strings.Cut(block, "\n")
		if got, _ := g.Text(text); got.String() != text {
			t.Errorf("%s became %q", name, got)
		}
	}
}

func TestStrictModeTakesPersonalDataOut(t *testing.T) {
	strict, safe := newGate(t, Options{Mode: ModeStrict}), newGate(t, Options{})
	for _, c := range []struct{ rule, text, value string }{
		{place.RuleEmail, "write to ann.lee+x@mail.example.org today", "ann.lee+x@mail.example.org"},
		{place.RulePhone, "call +49 30 901820 now", "+49 30 901820"},
		{place.RulePhone, "call (415) 555-2671 now", "(415) 555-2671"},
		{place.RuleCard, "card 4111 1111 1111 1111 exp", "4111 1111 1111 1111"},
		{place.RuleIBAN, "to DE89 3704 0044 0532 0130 00 please", "DE89 3704 0044 0532 0130 00"},
		{place.RuleIP, "from 8.8.8.8 port 53", "8.8.8.8"},
		{scan.RuleRandom, "blob q8Zt3LwV0yKc5RmX2nBd7HsJ end", "q8Zt3LwV0yKc5RmX2nBd7HsJ"},
	} {
		got, found := strict.Text(c.text)
		if strings.Contains(got.String(), c.value) || len(found) != 1 || found[0].Rule != c.rule {
			t.Errorf("%s: %q became %q (%v)", c.rule, c.text, got, found)
		}
		if got, _ := safe.Text(c.text); got.String() != c.text {
			t.Errorf("safe mode changed %q to %q", c.text, got)
		}
	}
	for _, text := range []string{"at 10.0.0.7 and 127.0.0.1", "version 1.2.3.4-rc1 built 2026-03-01 10:00",
		"order 4111 1111 1111 1112", "id 1234567890123"} {
		if got, _ := strict.Text(text); got.String() != text {
			t.Errorf("strict mode changed %q to %q", text, got)
		}
	}
}
