package extract

import (
	"regexp"
	"strings"
	"sync"

	"keepmum/lazyregexp"
)

// Patterns of the tables that need no weights.
var (
	withdrawal = inAllLanguages("withdrawal") // a message that is nothing but the withdrawal of the one before it
	newRule    = inAllLanguages("new rule")   // what is a standing order at the beginning of a line
	leadIn     = inAllLanguages("lead-in")    // how people begin what they ask to remember
)

// inAllLanguages returns the pattern with a name, from all tables, once it is needed.
func inAllLanguages(row string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		var list []string
		for _, lang := range languages {
			text, err := cueFiles.ReadFile("cues/" + lang + ".tsv")
			if err != nil {
				panic(err) // the files are embedded
			}
			for line := range strings.Lines(string(text)) {
				if name, expr, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t"); name == row {
					list = append(list, expr)
				}
			}
		}
		return regexp.MustCompile(strings.Join(list, "|"))
	})
}

// offers matches how an agent asks or offers something, in lower case.
var offers = lazyregexp.New(`[?？؟]` +
	`|\b(?:i (?:can|could)|i'd be|i(?:'ll| will) (?:also|now|then|next)|happy to|if you(?:'d| would)? (?:like|want|wish|prefer)` +
	`|if you(?:'re| are) (?:ok|happy|fine)|let me know|tell me|(?:do you )?want me to|(?:shall|should) (?:i|we)|would you|next` +
	`|(?:ich|wir) (?:kann|könnte|können|könnten)|(?:kann|könnte|soll|sollen) (?:ich|wir)|wenn du|falls du|möchtest du` +
	`|sag bescheid|(?:puedo|podría|podemos)|si quieres|si lo deseas|avísame|(?:je|nous) (?:peux|pourrais|pouvons)` +
	`|si tu (?:veux|souhaites)|si vous (?:voulez|souhaitez)|dis-moi|dites-moi)`)

// TakesBack reports whether a message is nothing but the withdrawal of what was said before it: "scratch that". If the
// agent asked or offered something in between, the message may refuse that.
func TakesBack(message, between string) bool {
	const short = 120 // bytes
	return len(message) <= short && withdrawal().MatchString(spaced(message)) &&
		!offers.MatchString(spaced(between))
}

// spaced returns a text in lower case, with one space between its words.
func spaced(text string) string { return lowered(strings.Join(strings.Fields(text), " ")) }
