package privacy

import (
	_ "embed"
	"strings"

	"keepmum/privacy/rules"
)

// Sample is a text with a made-up secret that the gate must take out.
type Sample struct {
	Rule   string // the rule or shape of the sample
	Text   string
	Secret string // what must not be left of it
}

// Samples returns at least one sample of every rule and of every shape.
func Samples() []Sample {
	var out []Sample
	for _, r := range sharedRules().Rules {
		for _, y := range r.Yes {
			out = append(out, sample(r.ID, y))
		}
	}
	for _, block := range strings.Split(rules.Shapes, "\n== ")[1:] {
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
