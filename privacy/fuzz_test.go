package privacy

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"keepmum/longtest"
	"keepmum/privacy/scan"
)

func seeds(f *testing.F) {
	f.Helper()
	set := sharedRules()
	for _, r := range set.Rules {
		text, _ := marked(r.Yes[0])
		f.Add(text)
	}
	for _, s := range []string{
		"PATH=/usr/bin\nDB_PASSWORD=Tr0ub4dor&3x!9\n", `{"password": "a\"b", "n": [1, 12345678]}`, "a <private>b</private> c",
		"\x1b[1mTOKEN=\x1b[0mabc\x00d", "00000000: 4749 5448  GITH\n", "%70assword%3Dhunter2hunter2", "curl -u a:bcdefgh1! x",
		"-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ\n",
		"[REDACTED:password#12ab] [CUT:5 bytes]", `x := "ab" + "cd"`,
	} {
		f.Add(s)
	}
}

// FuzzText holds the properties of the gate: cleaning twice changes nothing
// more, JSON stays JSON, placeholders survive.
func FuzzText(f *testing.F) {
	seeds(f)
	g := newGate(f, Options{})
	f.Fuzz(func(t *testing.T, in string) {
		once, found := g.Text(in)
		if mark := scan.Withheld("panic"); once.String() == mark && in != mark {
			t.Fatalf("a detector panics at %q", in)
		}
		twice, again := g.Text(once.String())
		if once != twice || len(again) > 0 {
			t.Fatalf("%q\nonce  %q\ntwice %q", in, once, twice)
		}
		if len(found) == 0 && once.String() != in && len(in) < g.maxField && !strings.Contains(in, "<") {
			t.Fatalf("%q became %q without a finding", in, once)
		}
		if isJSON(in) && !strings.Contains(in, "<") && !json.Valid([]byte(once.String())) {
			t.Fatalf("%q is no JSON any more: %q", in, once)
		}
	})
}

// FuzzPlanted puts a secret into whatever text and wants it gone.
func FuzzPlanted(f *testing.F) {
	f.Add("a", "b")
	f.Add("{\"x\": \"", "\"}")
	f.Add("password=", "\n-----BEGIN")
	f.Add("%3d\x1b[", "&#")
	g := newGate(f, Options{})
	f.Fuzz(func(t *testing.T, before, after string) {
		got, _ := g.Text(before + " " + fakePAT + " " + after)
		if strings.Contains(got.String(), fakePAT) {
			t.Fatalf("still in %q", got)
		}
	})
}

// TestNoMixtureOfWordsMakesADetectorPanic scans words that set detectors off in
// an order nobody writes, cut short, at the very beginning and end of a text. The
// gate withholds what makes a detector panic, so that nobody would see it there.
func TestNoMixtureOfWordsMakesADetectorPanic(t *testing.T) {
	longtest.Only(t)
	set, draw := sharedRules(), rand.New(rand.NewPCG(1, 2))
	words := strings.Split(kept, "\n")
	for _, r := range set.Rules {
		sample, _ := marked(r.Yes[0])
		words = append(append(words, r.Words...), sample)
	}
	for _, d := range detectors() {
		words = append(words, d.Words...)
	}
	joints := []string{"", " ", "=", ":", ": \"", "(", ": |\n  ", "'", "\"", "\n", "\\n", ",", "12:", " is ", "/", "@",
		"-", "\t", "→", "[", "<", "%3D", "&", "\x1b[31m", " $ ", "7Kq!x9Zp", "Winter-24", "{", "}", ")", "|", ";", "1234",
		"ü", "密码", "\xff"}
	for range 50_000 {
		var text strings.Builder
		for range 1 + draw.IntN(6) {
			w := words[draw.IntN(len(words))]
			if draw.IntN(4) == 0 {
				w = w[draw.IntN(len(w)+1):]
			}
			text.WriteString(w + joints[draw.IntN(len(joints))])
		}
		set.Read(text.String(), scan.Options{Strict: draw.IntN(5) == 0})
	}
}
