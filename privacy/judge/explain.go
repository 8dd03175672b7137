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
// the feature, {kind 2} the same as the name of a kind.
//
//go:embed explain.txt
var explainText string

var sentences = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for l := range strings.Lines(explainText) {
		group, sentence, _ := strings.Cut(strings.TrimSuffix(l, "\n"), "\t")
		out[group] = sentence
	}
	return out
})

// inWords returns what a feature means.
func inWords(feature string) string {
	group, says, _ := strings.Cut(feature, "=")
	if _, of := sentences()[group]; !of { // named.value.odd says what value.odd says
		group = strings.TrimPrefix(group, "named.")
	}
	sentence, parts := sentences()[group], splitSays(group, says)
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
		if text, ok := names["sign"][says]; ok {
			return text
		}
		return strconv.Quote(says)
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
		where := map[string]string{"beside": "right before", "near": "near", "behind": "behind"}
		return names["of"][of] + " stands " + cmp.Or(where[how], "before")
	case "far":
		return cmp.Or(map[string]string{"1": "1 word"}[says], says+" words")
	case "rare":
		return cmp.Or(map[string]string{"0": "in no ordinary text"}[says], "of level "+says+" of 16 in ordinary text")
	case "surprise":
		n, _ := strconv.Atoi(says)
		return fmt.Sprintf("as in words (%d of 16: more is less like words)", n)
	}
	return cmp.Or(names[kind][says], says)
}

// oddName returns in words what a value looks like, and how well its words are known.
func oddName(says string) string {
	for _, k := range []string{"no words", "common", "partly known", "unknown", "known"} {
		if of, ok := strings.CutSuffix(says, " "+k); ok {
			return kindName(of) + ", " + names["known"][k]
		}
	}
	return cmp.Or(names["odd"][says], says)
}

// cuesInWords returns in words what cues are about.
func cuesInWords(says string) string {
	var out []string
	for _, c := range strings.TrimPrefix(says, "of ") {
		out = append(out, names["cue"][string(c)])
	}
	return cmp.Or(strings.Join(out, " and "), "no secret")
}

// beginningName returns in words how a line begins.
func beginningName(says string) string {
	mark, indented := strings.CutPrefix(says, "indented ")
	mark = cmp.Or(map[string]string{"A": "a capital", "a": "a small letter", "0": "a digit", "1.": "a number"}[mark],
		strconv.Quote(mark))
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
		return names["of"][of] + " stands behind"
	}
	where := ""
	for _, w := range []string{"far above", "above"} {
		if far, is := strings.CutSuffix(rest, w); is {
			rest, where = far, names["where"][w]
			break
		}
	}
	return fmt.Sprintf("%s stands %s before%s", names["of"][of], featurePart("far", rest), where)
}

// endName returns in words how a value ends.
func endName(says string) string {
	if n, ok := strings.CutPrefix(says, "digits "); ok {
		return n + " digits"
	}
	return cmp.Or(names["ends"][says], says)
}

// howName returns in words how a value stands after its name: "quoted spaced", "equals quoted".
func howName(says string) string {
	var out []string
	for word := range strings.FieldsSeq(says) {
		out = append(out, cmp.Or(names["how"][word], names["sep"][word]))
	}
	return strings.Join(out, ", ")
}

// kindName returns what a value looks like.
func kindName(kind string) string {
	if of, ok := strings.CutPrefix(kind, "words "); ok {
		return "words, " + kindName(of)
	}
	if text, ok := names["kind"][kind]; ok {
		return text
	}
	for _, by := range []string{"mixed", "-", "_", "."} {
		if of, ok := strings.CutSuffix(kind, by); ok {
			return fmt.Sprintf("%s joined by %s", cmp.Or(names["kind"][of], of),
				cmp.Or(map[string]string{"mixed": "several signs"}[by], by))
		}
	}
	return kind
}

var names = map[string]map[string]string{
	"kind": {
		"word": "a word", "Word": "a word with a capital", "capitals": "a word in capitals", "camel": "words run together",
		"word#": "a word with digits", "Word#": "a word with capitals and digits", "WORD#": "capitals with digits",
		"hex": "hexadecimal digits", "uuid": "a UUID", "mail": "a mail address", "path": "a path", "drawn": "drawn at random",
		"distant": "of another alphabet", "version": "a version", "date": "a date", "figures": "figures",
		"digits3": "up to 3 digits", "digits4": "4 digits", "digits5": "5 digits", "digits6": "6 digits",
		"digits7-8": "7 or 8 digits", "digits9-": "9 digits or more", "digits#": "digits and a sign",
		"signed": "letters and signs", "Signed": "letters, capitals and signs", "signed#": "letters, digits and signs",
		"signed-#": "letters, digits and several signs", "joined": "small words", "JOINED": "words in capitals",
		"quoted": "a phrase between marks", "rest": "several words up to the end", "groups": "digits in groups",
		"clause": "several words up to the end of the clause", "cell": "several words of a cell",
		"Joined": "words with capitals", "joined#": "words and digits", "Joined#": "words with capitals and digits",
	},
	"known": {
		"no words": "with no word in it", "common": "of very common words", "known": "of known words",
		"unknown": "of unknown words", "partly known": "of known and unknown words",
	},
	"strong": {"weak": "many things", "token": "a token or key", "password": "a password"},
	"sep": {"none": "after the name", "equals": "after an equals sign", "colon": "after a colon",
		"comma": "the next argument",
		"call":  "an argument of what its name calls", "column": "in a cell of a table", "element": "inside of an element",
		"sibling": "beside the name in an element", "blank": "after blanks or small words",
		"compare": "compared with the name"},
	"how": {"bare": "without quotes", "quoted": "in quotes", "env": "as in an environment",
		"line":   "on a line of settings",
		"spaced": "with blanks around the sign", "verb": "after a verb", "setter": "given to what sets it",
		"capital": "its name in capitals"},
	"of": {"password": "a word for a password", "key": "a word for a key", "account": "a word for an account",
		"code": "a word for a code", "thing": "a word for what is opened", "enter": "a word for entering"},
	"cue":   {"p": "a password", "k": "a key", "a": "an account", "c": "a code", "t": "what is opened"},
	"where": {"above": ", in the line above", "far above": ", two lines above"},
	"sign": {"": "nothing", " ": "a blank", "^": "the beginning of the line", "$": "the end of the line",
		"  ": "several blanks", "wide": "a sign of another alphabet"},
	"class": {
		"nothing": "none", "#": "no word of letters", "word": "an ordinary one", "account": "one for an account",
		"code":  "one for a code",
		"thing": "one for what is opened", "password": "one for a password", "key": "one for a key", "for": `one like "for"`,
		"and": `one like "and"`, "to": `one like "to"`, "with": `one like "with"`, "enter": `one like "enter"`,
		"is": `one like "is"`,
	},
	"account": {
		"nothing": "nothing", "mail": "a mail address", "account": "a usual account", "no": "no name of an account",
		"word": "a word",
		"name": "a name with digits or signs", "number": "a number", "Word": "a word with a capital",
		"Name": "a name with capitals",
	},
	"line": {
		"row": "a row of a table", "code": "a line of a program", "statement": "a short line of a program",
		"prose": "a sentence",
		"notes": "a note", "list": "a list", "setting": "a setting", "short": "a short line", "other": "a line",
	},
	"at": {"inside": "inside", "first": "first", "last": "last"},
	"is": {"chosen": "made up", "handwritten": "written by hand", "picked": "picked by a person",
		"typed": "typed by hand", "held out": "held out as a secret",
		"marked": "like a word with marks", "code": "like code", "dummy": "like a placeholder", "host": "like a host",
		"type": "like a type", "public": "public"},
}
