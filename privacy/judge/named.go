package judge

import (
	"iter"
	"slices"
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// The features of a value that has a name. They are also in weights.txt and in what `mum redact --why` prints:
//
//	named.*        how the value stands, crossed with how surely its name is that of a secret
//	named.value.*  what the value looks like
//	named.name.*   what the name begins and ends with
//	named.line.*   what sort of line it is in
var (
	fNamedAfter        = groupOf("named.after")
	fNamedHowKind      = groupOf("named.how.kind")
	fNamedPlaceKind    = groupOf("named.place.kind")
	fNamedRarest       = groupOf("named.rarest")
	fNamedSize         = groupOf("named.size")
	fNamedSurprise     = groupOf("named.surprise")
	fNamedPart         = groupOf("named.part")
	fNamedFirst        = groupOf("named.name.first")
	fNamedLastKind     = groupOf("named.name.last.kind")
	fNamedLine         = groupOf("named.line")
	fNamedLineKind     = groupOf("named.line.kind")
	fNamedCapitals     = groupOf("named.value.capitals")
	fNamedDigits       = groupOf("named.value.digits")
	fNamedEnds         = groupOf("named.value.ends")
	fNamedIs           = groupOf("named.value.is")
	fNamedValueOdd     = groupOf("named.value.odd")
	fNamedValuePart    = groupOf("named.value.part")
	fNamedValueSize    = groupOf("named.value.size")
	fNamedShape        = groupOf("named.value.shape")
	fNamedKindSurprise = groupOf("named.value.kind.surprise")
	fNamedWord         = groupOf("named.value.word")
	fNamedPhraseWords  = groupOf("named.phrase.words")
	fNamedPhraseCommon = groupOf("named.phrase.common")
	fNamedPhraseDigits = groupOf("named.phrase.digits")
	fNamedWords        = groupOf("named.value.words")
)

// namedClasses are the classes of values with a name that have a threshold of their own: those after the name of a
// secret of some strength, those that a sentence leads to, and those of several words.
var namedClasses = [...]string{
	value.WeakKey - 1: "weak", value.TokenKey - 1: "token", value.PasswordKey - 1: "password", inSentence: "sentence",
	ofWords: "phrase",
}

// The classes behind those of strength: values that a sentence leads to, and values of several words.
const (
	inSentence = int(value.PasswordKey)
	ofWords    = inSentence + 1
)

// named is a value with a name, and what several of its features share.
type named struct {
	assign.Assignment
	name   string
	value  string // a part of it, if it is long
	strong string // how surely the name is that of a secret
	place  string // the separator, and whether the value is quoted
	how    string // what else is known about the place
	looks  string // its kind, and whether its parts are known words
	class  int
	bar    float32 // the threshold of its class
	candidate
}

// secretByWeights reports whether the learned judge considers the value of a name a secret.
func secretByWeights(s *scan.Scanner, k value.Strength, name, v string, a assign.Assignment) bool {
	sure := certainAfterName(k, v, a)
	if sure && s.Watch == nil {
		return true
	}
	b := scorers.Get().(*scorer)
	defer scorers.Put(b)
	b.Scanner = s
	b.use(weightsInUse())
	n := b.named(k, name, v, a)
	n.bar = b.w.namedBars[n.class][sensitivityIndex(s.Sensitivity)]
	b.namedFeatures(&n)
	if s.Watch != nil && s.Depth == 0 {
		s.Watch(scan.Judged{
			Start: a.Start, End: min(a.End, a.Start+assign.MaxJudged), Score: b.f.score, Bar: n.bar, Sure: sure,
			Name: name, Class: namedClasses[n.class], Features: slices.Clone(b.f.names), Weights: slices.Clone(b.f.parts),
		})
	}
	sure = sure || b.f.score >= n.bar
	b.Scanner = nil
	return sure
}

// sensitivityIndex returns the index of a sensitivity in [Sensitivities]; none is the normal one.
func sensitivityIndex(sensitivity string) int {
	switch sensitivity {
	case Low:
		return 0
	case High:
		return 2
	}
	return 1
}

// named reads a value and its place.
func (b *scorer) named(k value.Strength, name, v string, a assign.Assignment) named {
	n := named{Assignment: a, name: name, value: v[:min(len(v), maxScored)], class: int(k) - 1}
	n.strong = namedClasses[n.class]
	n.n = count(n.value)
	n.kind = kindOf(n.value, n.n)
	if strings.IndexByte(n.value, ' ') >= 0 {
		n.kind = "words " + n.kind
	}
	b.dictionaryShare(&n.candidate, n.value, nil, 0)
	n.setOdd()
	n.looks = n.kind + " " + oddNames[n.odd]
	switch n.how = how(a); {
	case a.Words:
		n.class = ofWords
	case a.Sep == assign.Blank:
		n.class = inSentence
	}
	n.place = sepNames[a.Sep] + " " + n.how[:strings.IndexByte(n.how+" ", ' ')]
	return n
}

const maxScored = 200 // bytes of a value of which the features are computed

// how says how a value is written, and what is known about its name.
func how(a assign.Assignment) string {
	out := "bare"
	if a.Quoted {
		out = "quoted"
	}
	for _, is := range [...]struct {
		so   bool
		name string
	}{
		{a.Env, " env"}, {a.Line, " line"}, {a.Spaced, " spaced"}, {a.AfterVerb, " verb"}, {a.Setter, " setter"},
		{a.OuterCapital, " capital"},
	} {
		if is.so {
			out += is.name
		}
	}
	return out
}

// sepNames are the names of the separators in features.
var sepNames = [...]string{
	assign.NoSep: "none", assign.Equals: "equals", assign.Colon: "colon", assign.Comma: "comma", assign.Call: "call",
	assign.Column: "column", assign.Element: "element",
	assign.Sibling: "sibling", assign.Blank: "blank", assign.Compare: "compare",
}

// namedFeatures adds up the features of a value with a name.
func (b *scorer) namedFeatures(n *named) {
	b.f.begin(b.w, b.w.namedBias, b.Watch != nil && b.Depth == 0)
	b.namedPlace(n)
	b.namedLine(n)
	b.namedLook(n)
	b.namedParts(n)
	if n.Words {
		b.namedPhrase(n)
	}
	b.namedPredicates(n)
}

// namedPredicates adds the predicates that hold; without a watcher, only as long as they can change the decision.
func (b *scorer) namedPredicates(n *named) {
	asked, lift, fall := b.w.namedPredicates, b.w.namedLift, b.w.namedFall
	if b.f.recorded {
		asked, lift, fall = predicates, maxScore, -maxScore
	}
	plain := value.WithoutMarks(n.value)
	for _, is := range asked {
		if b.f.score+lift < n.bar || b.f.score+fall >= n.bar {
			return
		}
		lift, fall = lift-max(is.weight, 0), fall-min(is.weight, 0)
		if is.so(plain) {
			b.f.put(fNamedIs, is.name)
		}
	}
}

// namedPlace adds how a value stands after its name.
func (b *scorer) namedPlace(n *named) {
	f := &b.f
	f.put(fNamedHowKind, n.strong, n.how, n.kind)
	f.put(fNamedPlaceKind, n.strong, n.place, n.kind)
	f.put(fNamedSize, n.strong, sizeNames[sizeOf(len(n.value))])
	f.put(fNamedRarest, n.strong, numeral(int(n.rarest)))
	after := "$"
	if n.End < len(b.Text) {
		after = byteNames[b.Text[n.End]]
	}
	f.put(fNamedAfter, after, n.place)
	var room [value.MaxWords]string
	if words := value.NameWords(n.name, room[:0]); len(words) > 0 {
		f.put(fNamedFirst, words[0])
		f.put(fNamedLastKind, words[len(words)-1], n.kind)
	}
}

// namedLine adds what sort of line a value is in.
func (b *scorer) namedLine(n *named) {
	var l line
	l.find(b.Text, n.Start, n.End)
	l.countWords(b.Text[l.start:l.end])
	b.f.put(fNamedLine, l.kind, n.how)
	b.f.put(fNamedLineKind, l.kind, n.kind)
}

// namedLook adds what a value looks like as a whole.
func (b *scorer) namedLook(n *named) {
	f, v := &b.f, n.value
	surprise := numeral(int(2 * value.CrossEntropy(v)))
	f.put(fNamedValueOdd, n.looks)
	f.put(fNamedShape, shape(v, &f.room))
	f.put(fNamedValueSize, n.kind, sizeNames[sizeOf(len(v))])
	f.put(fNamedWords, numeral(n.parts), numeral(n.known))
	f.put(fNamedDigits, n.kind, numeral(n.n.digits))
	f.put(fNamedCapitals, numeral(min(n.n.upper, 4)), numeral(min(n.n.humps, 4)))
	f.put(fNamedEnds, ending(v))
	f.put(fNamedSurprise, n.strong, surprise)
	f.put(fNamedKindSurprise, n.kind, surprise)
}

// namedParts adds the words of a value, and what the longest of its parts looks like.
func (b *scorer) namedParts(n *named) {
	longest := ""
	for part := range strings.FieldsFuncSeq(n.value, betweenParts) {
		if len(part) > len(longest) {
			longest = part
		}
	}
	if longest != "" && len(longest) < len(n.value) {
		kind := kindOf(longest, count(longest))
		b.f.put(fNamedValuePart, kind, sizeNames[sizeOf(len(longest))])
		b.f.put(fNamedPart, n.strong, kind, numeral(int(2*value.CrossEntropy(longest))))
	}
	for word := range phraseWords(n.value) {
		if len(word) > 2 {
			b.f.put(fNamedWord, stem(word))
		}
	}
}

// namedPhrase adds how common the words of a value of several words are, and how many there are.
func (b *scorer) namedPhrase(n *named) {
	words, common, rare := 0, 0, 0
	for word := range phraseWords(n.value) {
		level := b.w.common.Get(hashLower(word))
		words, common, rare = words+1, common+bit(level > commonLevel), rare+bit(level == 0)
	}
	b.f.put(fNamedPhraseWords, numeral(words), numeral(n.n.upper))
	b.f.put(fNamedPhraseCommon, n.place, numeral(common), numeral(rare))
	b.f.put(fNamedPhraseDigits, numeral(min(n.n.digits, 5)))
}

// phraseWords returns the words of a value, in lower case.
func phraseWords(v string) iter.Seq[string] {
	return strings.FieldsFuncSeq(strings.ToLower(v), func(c rune) bool { return c < 0x80 && (c < 'a' || c > 'z') })
}

// betweenParts reports whether a character is between the parts of a value.
func betweenParts(c rune) bool {
	return c < 0x80 && !scan.LetterByte(byte(c)) && !value.Digit(byte(c))
}
