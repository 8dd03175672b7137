package extract

import (
	"slices"
	"strings"
)

// ways returns the items of the last list of a message.
func (s said) ways() (out [][]sentence) {
	const far = 2 // paragraphs between items
	for i, x := range s.list {
		switch last := len(out) - 1; {
		case x.item && (i == 0 || last < 0 || x.para-out[last][0].para > far):
			out = [][]sentence{{x}}
		case x.item:
			out = append(out, []sentence{x})
		case last >= 0 && x.para == out[last][0].para && !x.question:
			out[last] = append(out[last], x)
		}
	}
	return out
}

// chosen returns the option that the user names by its letter or number, because later nobody knows what "B" was. If
// the user names several, the last one counts.
func (e exchange) chosen() []sentence {
	const most = 4 // sentences
	ways := e.before.ways()
	if len(ways) < 2 {
		return nil
	}
	var out []sentence
	for _, s := range e.user.list {
		for i := range s.words {
			switch n := s.ordinal(i); {
			case s.judged(i):
			case n > 0 && n <= len(ways):
				out = ways[n-1]
			case n < 0:
				out = ways[len(ways)-1]
			}
		}
	}
	return out[:min(most, len(out))]
}

// word returns a word of a sentence, or "" beyond its ends.
func (s sentence) word(i int) string {
	if i < 0 || i >= len(s.words) {
		return ""
	}
	return s.words[i].lower
}

// judged reports whether a sentence comments on an option instead of choosing it: "1 is too slow", "A no".
func (s sentence) judged(i int) bool {
	switch s.word(i + 1) {
	case "no", "not", "is", "isn't", "was", "would", "nein", "ist":
		return true
	}
	return false
}

// ordinal returns the number of the option that a word refers to: 0 for none, -1 for the last.
func (s sentence) ordinal(i int) int {
	w := s.words[i]
	name, text := w.lower, s.text.String()
	if alone := w.end == len(text) || strings.IndexByte(",.;:!)-", text[w.end]) >= 0 ||
		follows(s.word(i+1)); len(name) == 1 {
		return letter(text[w.start], i, alone, leadsTo(s.word(i-1)))
	} else if !alone && !counted(s.word(i+1)) {
		return 0
	}
	for n, forms := range []string{
		" first erste erstes primera première primo prima primeira ",
		" second zweite zweites segunda deuxième seconde secondo seconda ",
		" third dritte drittes tercera troisième terza terceira ",
	} {
		if strings.Contains(forms, " "+name+" ") {
			return n + 1
		}
	}
	if name == "latter" || name == "last" && counted(s.word(i+1)) {
		return -1
	}
	return 0
}

// letter returns the number of an option that is named by a letter or a digit. A lower-case letter or a bare number
// counts only where an answer begins.
func letter(c byte, at int, alone, pointed bool) int {
	const soon, early = 3, 6 // words
	capital, small, digit := strings.IndexByte("ABCDEFGH", c), strings.IndexByte("abcdefgh", c),
		strings.IndexByte("123456789", c)
	begins := pointed && c != 'a' || alone && at < soon
	switch {
	case capital >= 0 && (alone || pointed):
		return capital + 1
	case small >= 0 && begins:
		return small + 1
	case digit >= 0 && (pointed || alone && at < early):
		return digit + 1
	}
	return 0
}

// follows reports whether a word can follow the name of an option.
func follows(w string) bool {
	return slices.Contains([]string{"please", "then", "bitte", "it", "of", "because", "for", "since", "und", "and"}, w)
}

// leadsTo reports whether a word can precede the name of an option.
func leadsTo(w string) bool {
	return slices.Contains([]string{"option", "variante", "variant", "la", "el", "nummer", "number", "l'option", "opción",
		"opção", "so", "with", "mit",
		"then", "dann", "take", "nehmen", "prefer", "also", "go", "way"}, w)
}

// counted reports whether a word says that options are counted.
func counted(w string) bool { return w == "" || w == "one" || w == "option" || w == "way" }
