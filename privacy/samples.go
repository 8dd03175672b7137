package privacy

import (
	_ "embed"
	"strings"
)

// Sample is a text with a made-up secret that the gate must take out.
type Sample struct {
	Rule   string // the rule or the shape it stands for
	Text   string
	Secret string // what must not be left of it
}

// shapes are the ways a secret is written down that detectors in code know:
// "== name", then the text, the secret between «».
//
//go:embed rules/shapes.txt
var shapes string

// Samples returns at least one sample of every rule and of every shape.
func Samples() []Sample {
	var out []Sample
	for _, r := range sharedRules().rules {
		for _, y := range r.yes {
			out = append(out, sample(r.id, y))
		}
	}
	for _, block := range strings.Split(shapes, "\n== ")[1:] {
		name, text, _ := strings.Cut(block, "\n")
		out = append(out, sample(name, text))
	}
	return out
}

func sample(rule, marked string) Sample {
	before, rest, _ := strings.Cut(marked, "«")
	secret, after, _ := strings.Cut(rest, "»")
	return Sample{Rule: rule, Text: before + secret + after, Secret: secret}
}
