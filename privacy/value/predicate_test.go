package value

import (
	"slices"
	"strings"
	"testing"
	"testing/quick"
)

// property is one of a value, with values that have it and values that have not.
type property struct {
	is      func(string) bool
	yes, no []string
}

func (p property) check(t *testing.T) {
	t.Helper()
	for _, v := range p.yes {
		if !p.is(v) {
			t.Errorf("%q: no", v)
		}
	}
	for _, v := range p.no {
		if p.is(v) {
			t.Errorf("%q: yes", v)
		}
	}
}

// predicates are all that say something of a value alone, whatever the value. [Template] and [Selector] are asked of
// values that are not empty.
var predicates = map[string]func(string) bool{
	"AgentID": AgentID, "AlnumForm": AlnumForm, "AlnumPassword": AlnumPassword, "Balanced": balanced,
	"CamelWords": CamelWords,
	"CodeLike":   CodeLike, "CodeWord": CodeWord, "Dotted": Dotted, "ExampleWord": ExampleWord, "Expression": Expression,
	"ForeignLabel": foreignLabel, "HexDashes": hexDashes, "HexKey": HexKey, "HexNumber": HexNumber,
	"Identifier": Identifier, "Integer": Integer, "KeyWithSlashes": KeyWithSlashes, "LabelWord": LabelWord,
	"LettersAndDigits": LettersAndDigits, "Mixed": Mixed, "PathLike": PathLike, "Placeholder": Placeholder,
	"PlainWords": PlainWords, "PunctuatedPassword": PunctuatedPassword, "Random": Random, "RandomLetters": RandomLetters,
	"RandomWithBrackets": RandomWithBrackets, "Readable": Readable, "ReadsLikeWords": ReadsLikeWords,
	"RepeatedCharacter": RepeatedCharacter, "Repetitive": Repetitive, "SaysEncrypted": saysEncrypted,
	"SymbolPassword": SymbolPassword, "UUIDLike": UUIDLike, "VersionLike": VersionLike, "WordWithSymbol": WordWithSymbol,
	"Selector": func(v string) bool { return v != "" && Selector(v) },
	"Template": func(v string) bool { return v != "" && Template(v) },
}

// awkward are values at the edges of what can be written.
var awkward = []string{
	"", "\x00", "\xff", "\xc3", "$", "<", "{", "[", "%", "@", "#", "&", ".", "-", "…", "é", "${", "%-", "@/", "a…", "__",
	"\n",
	strings.Repeat("\xff", 40), strings.Repeat("(", 5000), strings.Repeat("aB3", 5000), strings.Repeat("ключ", 1000),
	strings.Repeat("a-", 500), strings.Repeat("A.b1", 300), strings.Repeat("{[(", 9), "\xe2\x80", "%\xff", "--",
	"Ωmega-7",
}

func TestEveryPredicateAnswersForEveryValue(t *testing.T) {
	for name, is := range predicates {
		same := func(v string) bool { return is(v) == is(strings.Clone(v)) }
		for _, v := range awkward {
			if !same(v) {
				t.Errorf("%s says two things of %.20q", name, v)
			}
		}
		if err := quick.Check(func(v []byte) bool { return same(string(v)) }, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// descriptions are all that [Describe] may say: nothing of the value itself.
var descriptions = []string{"nothing", "a UUID", "a key in hex", "a number", "drawn", "several sorts of characters",
	"letters with digits", "words with signs", "letters in no order of words", "words", "signs and letters"}

func TestADescriptionHoldsNothingOfItsValue(t *testing.T) {
	for _, v := range append(slices.Clone(awkward), "Tulpe77feld!", "hafen kran", "12-7") {
		if got := Describe(v); !slices.Contains(descriptions, got) {
			t.Errorf("%.20q is described as %q", v, got)
		}
	}
}

func FuzzPredicates(f *testing.F) {
	for _, v := range append(slices.Clone(awkward), "Kies.grube_4", "${NAME:-x}", "sha256:ab", "12:30:45",
		"a@b.example") {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, v string) {
		for _, is := range predicates {
			is(v)
		}
		if got := Describe(v); !slices.Contains(descriptions, got) {
			t.Errorf("described as %q", got)
		}
		if h := Entropy(v); h < 0 || h > 8 {
			t.Errorf("%v bits of entropy per byte", h)
		}
		if b := CrossEntropy(v); b < 0 || b > 20 {
			t.Errorf("%v bits of surprise per byte", b)
		}
		if plain := WithoutMarks(v); WithoutMarks(plain) != plain {
			t.Errorf("%q still has marks", plain)
		}
		if from := GroupEnd(v, 0); from > len(v) || from > maxGroup {
			t.Errorf("a group of %d bytes", from)
		}
	})
}
