package privacy

// detector looks at the text around a word that ends at end.
type detector func(s *scanner, end int)

// trigger ties a detector to the words that set it off, and names the rules it
// can report.
type trigger struct {
	words []string
	ids   []string
	run   detector
}

// readers are what a text is read with: the triggers, and what is done before the
// first word and behind the last one.
type readers struct {
	triggers    []trigger
	unwrap      func(text string) (plain string, back func([]span) []span, ok bool)
	first, last func(*scanner)
	value       func(text string, name int) (at int, ok bool) // where the value of a name that ends there begins
}

// scanner is one pass over one text.
type scanner struct {
	set    *ruleSet
	text   string
	strict bool
	depth  int // decoded layers above this text
	spans  []span
	runs   []run // long ones, in the order of the text
	run    int   // those before this one lie behind us
	found  *endings

	guttered                int // lines before this offset have been looked at for a gutter
	bareEnd                 int // the line that ends here has none
	ruled                   []ruled
	followed                int // bytes of values looked at
	named                   int // names before this offset have been judged
	names                   int // that were met
	naming                  called
	repeats                 repeats
	nearEnd                 int // random tokens before this offset have been judged
	pemEnd                  int
	urlEnd                  int
	jwtEnd                  int
	headerEnd               int
	manifestEnd             int
	commandEnd              int
	commandWord             string
	commandBytes            int // of command lines looked at
	phraseEnd               int
	phraseBytes             int // of words looked at for passphrases
	accountEnd              int
	groupedEnd              int // groups before this offset have been judged
	blockEnd                int // blocks of base64 before this offset have been judged
	pgpassEnd               int
	callEnd                 int
	saidEnd                 int // words of sentences before this offset have been judged
	codesEnd                int
	pinEnd                  int // names of PINs before this offset have been judged
	queryEnd                int
	jwkEnd                  int
	marks                   int // values looked at for what their object says
	looks                   int // lines read as commands, settings or sessions of machines
	grid                    table
	vendor                  vendorValue
	joints, escapes, marked []stretch // what must be read in other ways too
	hexdump                 bool
	latin                   bool          // there are no letters of other alphabets
	spent                   map[*rule]int // work done for a rule
	reported                map[*rule]int // where a rule need not look again
}

func newScanner() *scanner {
	return &scanner{found: &endings{}, spent: map[*rule]int{}, reported: map[*rule]int{}}
}

// scan returns the spans of a text.
func (set *ruleSet) scan(text string, strict bool, depth int) []span {
	if plain, back, ok := set.readers.unwrap(text); ok {
		return back(set.pass(plain, strict, depth))
	}
	return set.pass(text, strict, depth)
}

// pass is scan of a text as it stands. Scanners are used again: most texts hold
// nothing, and should cost no memory.
func (set *ruleSet) pass(text string, strict bool, depth int) []span {
	s := set.scanners.Get().(*scanner)
	*s = scanner{set: set, text: text, strict: strict, depth: depth, runs: s.runs[:0], found: s.found, spent: s.spent, reported: s.reported}
	clear(s.spent)
	clear(s.reported)
	s.findRuns()
	set.readers.first(s)
	set.words.each(text, s.found, s.hit)
	set.readers.last(s)
	spans := s.spans
	s.text, s.spans, s.repeats, s.vendor = "", nil, repeats{}, vendorValue{}
	set.scanners.Put(s)
	return spans
}

// hit handles the words that end at one offset.
func (s *scanner) hit(words []int32, end int) {
	for _, w := range words {
		a := &s.set.actions[w]
		if a.detect != nil {
			a.detect(s, end)
		}
		if len(a.rules) > 0 {
			start := end - s.set.lengths[w]
			for _, r := range a.rules {
				s.try(r, start, end)
			}
		}
	}
}

func (s *scanner) add(start, end int, rule string) {
	if start < end {
		s.spans = append(s.spans, span{start: start, end: end, rule: rule})
	}
}

// vendorValue remembers where the value behind a vendor's name begins, for the
// next rule of the same vendor, and for the same text of a flood.
type vendorValue struct {
	end, at int
	ok      bool
	around  surroundings
	known   map[surroundings]int // how far behind it the value begins, -1 = there is none
}

func (s *scanner) vendorValue(end int) (int, bool) {
	v := &s.vendor
	if v.end == end {
		return v.at, v.ok
	}
	around := s.surrounding(end, end, maxName, repeatReach)
	switch n, known := v.known[around]; {
	case around == v.around && v.ok:
		v.at += end - v.end
	case around == v.around:
	case known:
		v.at, v.ok = end+n, n >= 0
	default:
		v.at, v.ok = s.set.readers.value(s.text, end)
		v.keep(around, end)
	}
	v.end, v.around = end, around
	return v.at, v.ok
}

// keep remembers what was found for some of the surroundings.
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
