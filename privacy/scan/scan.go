package scan

import "keepmum/privacy/rules"

// detector checks the text around a word that ends at end.
type detector func(s *Scanner, end int)

// Trigger ties a detector to the words that trigger it, and names the rules it can report.
type Trigger struct {
	Words []string
	IDs   []string
	Run   detector
}

// Readers are what a text is read with: the triggers, and what runs before the first word and after the last one.
type Readers struct {
	Triggers    []Trigger
	Unwrap      func(text string) (plain string, back func([]Span) []Span, ok bool)
	First, Last func(*Scanner)
	Value       func(text string, name int) (at int, ok bool) // where the value of a name that ends there starts
	Model       string                                        // what the judge was fitted to: a part of the version
}

// Cursor names a reader that checks each part of a text once.
type Cursor uint8

// The readers that have a cursor: what is before it has been judged.
const (
	ByNear Cursor = iota
	ByPEM
	ByURL
	ByJWT
	ByHeader
	ByManifest
	ByCommand
	ByAccount
	ByPgPass
	ByCall
	ByJWK
	cursors
)

// Scanner is one pass over one text.
type Scanner struct {
	Set  *RuleSet
	Text string
	Options
	Depth int // decoded layers above this text
	Spans []Span
	Runs  []Stretch // long ones, in text order
	Run   int       // those before this one are behind the current position
	Found *Endings

	Guttered                int          // lines before this offset have been checked for a gutter
	word                    int32        // the word that triggered the current detector, -1 = none
	Reached                 [cursors]int // a reader has judged everything before this offset
	BareEnd                 int          // the line that ends here has no gutter
	Ruled                   []Ruled
	Followed                int // bytes of values read
	Named                   int // names before this offset have been judged
	Names                   int // names found
	Naming                  Called
	repeats                 repeats
	CommandWord             string
	CommandBytes            int // of command lines read
	Marks                   int // values for which the fields of their object were checked
	RowBytes                int // of rows and members read for names, each time
	Looks                   int // lines read as commands, settings or sessions of machines
	Grid                    Table
	Created                 Definition
	vendor                  vendorValue
	Joints, Escapes, Marked []Stretch // what must also be read in other ways
	Literals                []Stretch // of comments, with escapes
	Hexdump                 bool
	NoBlocks                bool                // no key or certificate has a line that begins or ends it
	Latin                   bool                // there are no letters of other alphabets
	Cues                    []Cue               // words near which a secret may be
	spent                   map[*rules.Rule]int // work done for a rule
	reported                map[*rules.Rule]int // where a rule need not check again
}

// NewScanner returns a scanner that has read nothing.
func NewScanner() *Scanner {
	return &Scanner{Found: &Endings{}, spent: map[*rules.Rule]int{}, reported: map[*rules.Rule]int{}}
}

// Options say how a text is scanned.
type Options struct {
	Strict      bool         // personal data is taken out too
	Sensitivity string       // of the learned judge: low, normal, high; "" = normal
	Watch       func(Judged) // is called with each candidate that the judge scores

	again bool // another reading of a text in which the words near cues are judged
}

// Read returns the spans of a text that a caller passed in.
func (set *RuleSet) Read(text string, o Options) []Span {
	return set.read(text, o, 0)
}

// Reread returns the spans of another reading of the text of s.
func Reread(s *Scanner, text string) []Span {
	return s.Set.read(text, Options{Strict: s.Strict, Sensitivity: s.Sensitivity, again: true}, s.Depth+1)
}

// Decoded returns the spans of a text that is encoded in the one of s.
func Decoded(s *Scanner, text string) []Span {
	return s.Set.read(text, Options{Strict: s.Strict, Sensitivity: s.Sensitivity}, s.Depth+1)
}

// Again reports whether the text is another reading of one in which the words near cues are judged.
func Again(s *Scanner) bool { return s.again }

// read scans a text without the gutter that [Readers.Unwrap] removes, and maps everything back to the text.
func (set *RuleSet) read(text string, o Options, depth int) []Span {
	plain, back, ok := set.Readers.Unwrap(text)
	if !ok {
		return set.pass(text, o, depth)
	}
	if watch := o.Watch; watch != nil {
		o.Watch = func(j Judged) {
			at := back([]Span{{Start: j.Start, End: j.End}})[0]
			j.Start, j.End = at.Start, at.End
			watch(j)
		}
	}
	return back(set.pass(plain, o, depth))
}

// pass scans a text as it is. It reuses scanners, because most texts contain nothing and should cost no memory.
func (set *RuleSet) pass(text string, o Options, depth int) []Span {
	s := set.scanners.Get().(*Scanner)
	*s = Scanner{
		Set: set, Text: text, Options: o, Depth: depth,
		Runs: s.Runs[:0], Cues: s.Cues[:0],
		Found: s.Found, spent: s.spent, reported: s.reported,
	}
	clear(s.spent)
	clear(s.reported)
	FindRuns(s)
	s.word = -1
	set.Readers.First(s)
	set.Words.Each(text, s.Found, func(words []int32, end int) { Hit(s, words, end) })
	s.word = -1
	set.Readers.Last(s)
	spans := s.Spans
	s.Text, s.Spans, s.repeats, s.vendor, s.Watch, s.Created = "", nil, repeats{}, vendorValue{}, nil, Definition{}
	set.scanners.Put(s)
	return spans
}

// Hit handles the words that end at one offset.
func Hit(s *Scanner, words []int32, end int) {
	for _, w := range words {
		a := &s.Set.Actions[w]
		s.word = w
		if a.Detect != nil {
			a.Detect(s, end)
		}
		if len(a.Rules) > 0 {
			start := end - s.Set.Lengths[w]
			for _, r := range a.Rules {
				try(s, r, start, end)
			}
		}
	}
}

// Add records a stretch of the text that must not be stored.
func Add(s *Scanner, start, end int, rule string) {
	if start < end {
		s.Spans = append(s.Spans, Span{Start: start, End: end, Rule: rule, Word: s.Set.word(s.word)})
	}
}

// vendorValue remembers where the value after a vendor's name starts, for the next rule of the same vendor and for
// repeats of the same text.
type vendorValue struct {
	end, at int
	ok      bool
	around  surroundings
	known   map[surroundings]int // how far after it the value starts, -1 = there is none
}

// vendorValueAt returns where the value after a vendor's name starts; the name ends at end.
func vendorValueAt(s *Scanner, end int) (int, bool) {
	v := &s.vendor
	if v.end == end {
		return v.at, v.ok
	}
	around := surrounding(s, end, end, MaxName, repeatReach)
	switch n, known := v.known[around]; {
	case around == v.around && v.ok:
		v.at += end - v.end
	case around == v.around:
	case known:
		v.at, v.ok = end+n, n >= 0
	default:
		v.at, v.ok = s.Set.Readers.Value(s.Text, end)
		v.keep(around, end)
	}
	v.end, v.around = end, around
	return v.at, v.ok
}

// keep remembers what was found for these surroundings, if there is room.
func (v *vendorValue) keep(around surroundings, end int) {
	if len(v.known) >= maxRepeats {
		return
	}
	if v.known == nil {
		v.known = map[surroundings]int{}
	}
	v.known[around] = -1
	if v.ok {
		v.known[around] = v.at - end
	}
}
