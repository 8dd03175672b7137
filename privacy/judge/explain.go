package judge

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"keepmum/privacy/scan"
)

// Contribution is what a feature of a candidate added to its score.
type Contribution struct {
	Feature string  `json:"feature"` // as weights.txt has it
	Says    string  `json:"says"`    // the same in words
	Weight  float32 `json:"weight"`
}

// TopFeatures returns the features of a candidate with the highest weights, positive or negative. Words in them are
// words that the weights contain: nothing else comes from the text.
func TopFeatures(j scan.Judged, most int) (out []Contribution) {
	for i, name := range j.Features {
		if j.Weights[i] == 0 || strings.HasPrefix(name, "first.") != j.RuledOut {
			continue
		}
		if strings.HasPrefix(name, fNamedWord.name+"=") {
			continue // it says how a word of the value begins
		}
		out = append(out, Contribution{Feature: name, Says: inWords(name), Weight: j.Weights[i]})
	}
	slices.SortStableFunc(out, func(a, b Contribution) int {
		return cmp.Compare(max(b.Weight, -b.Weight),
			max(a.Weight, -a.Weight))
	})
	return out[:min(len(out), most)]
}

// explainText explains the groups of features: a group, a tab, a sentence. In the sentence {2} is the second value of
// the feature, {kind 2} the same as the name of a kind. Such names are there too: "kind", a blank, the value, a tab,
// the name.
//
//go:embed explain.txt
var explainText string

var explanations = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for l := range strings.Lines(explainText) {
		group, sentence, _ := strings.Cut(strings.TrimSuffix(l, "\n"), "\t")
		out[group] = sentence
	}
	return out
})

// nameOf returns the name of a value of some kind, "" if it has none.
func nameOf(kind, says string) string { return explanations()[kind+" "+says] }

// inWords returns what a feature means.
func inWords(feature string) string {
	group, says, _ := strings.Cut(feature, "=")
	if _, of := explanations()[group]; !of { // named.value.odd says what value.odd says
		group = strings.TrimPrefix(group, "named.")
	}
	sentence, parts := explanations()[group], splitSays(group, says)
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(sentence, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		field, after, _ := strings.Cut(rest, "}")
		kind, number, of := strings.Cut(field, " ")
		if !of {
			kind, number = "", field
		}
		if n, err := strconv.Atoi(number); err == nil && n <= len(parts) {
			b.WriteString(featurePart(kind, parts[n-1]))
		}
		sentence = after
	}
}

// splitSays splits the values of a feature at its bars: a bar that is itself a value is first.
func splitSays(group, says string) []string {
	if rest, ok := strings.CutPrefix(says, "|"); ok && strings.HasSuffix(group, "sign.kind") {
		return append([]string{"|"}, strings.Split(strings.TrimPrefix(rest, "|"), "|")...)
	}
	return strings.Split(says, "|")
}

// featurePart returns a part of a feature in words.
func featurePart(kind, says string) string {
	switch kind {
	case "place", "how":
		return howName(says)
	case "kind":
		return kindName(says)
	case "odd":
		return oddName(says)
	case "lead":
		return leadName(says)
	case "sign":
		return cmp.Or(nameOf("sign", says), strconv.Quote(says))
	case "ends":
		return endName(says)
	case "cues":
		return cuesInWords(says)
	case "begins":
		return beginningName(says)
	case "near":
		of, how, _ := strings.Cut(says, " ")
		if of == "none" {
			return "no word for a secret stands before"
		}
		return nameOf("of", of) + " stands " + cmp.Or(nameOf("stands", how), "before")
	case "far":
		return cmp.Or(nameOf("far", says), says+" words")
	case "rare":
		return cmp.Or(nameOf("rare", says), "of level "+says+" of 16 in ordinary text")
	case "surprise":
		n, _ := strconv.Atoi(says)
		return fmt.Sprintf("as in words (%d of 16: more is less like words)", n)
	}
	return cmp.Or(nameOf(kind, says), says)
}

// oddName returns in words what a value looks like, and how well its words are known.
func oddName(says string) string {
	for _, k := range []string{"no words", "common", "partly known", "unknown", "known"} {
		if of, ok := strings.CutSuffix(says, " "+k); ok {
			return kindName(of) + ", " + nameOf("known", k)
		}
	}
	return says
}

// cuesInWords returns in words what cues are about.
func cuesInWords(says string) string {
	var out []string
	for _, c := range strings.TrimPrefix(says, "of ") {
		out = append(out, nameOf("cue", string(c)))
	}
	return cmp.Or(strings.Join(out, " and "), "no secret")
}

// beginningName returns in words how a line begins.
func beginningName(says string) string {
	mark, indented := strings.CutPrefix(says, "indented ")
	mark = cmp.Or(nameOf("begins", mark), strconv.Quote(mark))
	if indented {
		return "blanks and " + mark
	}
	return mark
}

// leadName returns in words how a cue leads to a candidate: "password 1above".
func leadName(says string) string {
	of, rest, ok := strings.Cut(says, " ")
	if !ok {
		return "no word for a secret stands before"
	}
	if rest == "behind" {
		return nameOf("of", of) + " stands behind"
	}
	where := ""
	for _, w := range []string{"far above", "above"} {
		if far, is := strings.CutSuffix(rest, w); is {
			rest, where = far, nameOf("where", w)
			break
		}
	}
	return fmt.Sprintf("%s stands %s before%s", nameOf("of", of), featurePart("far", rest), where)
}

// endName returns in words how a value ends.
func endName(says string) string {
	if n, ok := strings.CutPrefix(says, "digits "); ok {
		return n + " digits"
	}
	return says
}

// howName returns in words how a value stands after its name: "quoted spaced", "equals quoted".
func howName(says string) string {
	var out []string
	for word := range strings.FieldsSeq(says) {
		out = append(out, cmp.Or(nameOf("how", word), nameOf("sep", word)))
	}
	return strings.Join(out, ", ")
}

// kindName returns what a value looks like.
func kindName(kind string) string {
	if of, ok := strings.CutPrefix(kind, "words "); ok {
		return "words, " + kindName(of)
	}
	if text := nameOf("kind", kind); text != "" {
		return text
	}
	for _, by := range []string{"mixed", "-", "_", "."} {
		if of, ok := strings.CutSuffix(kind, by); ok {
			return fmt.Sprintf("%s joined by %s", cmp.Or(nameOf("kind", of), of), cmp.Or(nameOf("joint", by), by))
		}
	}
	return kind
}
