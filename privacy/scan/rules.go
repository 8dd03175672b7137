package scan

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"strings"
	"sync"

	"keepmum/privacy/languages"
	"keepmum/privacy/rules"
)

// RuleSet is what all gates share: the rules and the automaton of all words.
type RuleSet struct {
	Rules   []*rules.Rule
	Readers Readers
	Words   *Automaton
	Actions []Action // by word
	Lengths []int    // of the words
	texts   []string // the words
	IDs     map[string]bool
	body    [256]uint8 // 1 for bytes that runs consist of
	List    [256]uint8 // 1 for bytes of lists of numbers
	Gutter  [256]uint8 // 1 for bytes that can be before a line
	Version string

	scanners *sync.Pool // of *Scanner
}

// Action is what a word in the text triggers.
type Action struct {
	Rules  []*rules.Rule
	Detect detector
}

// NewRuleSet reads the embedded rules; with are the readers of the text around words.
func NewRuleSet(with Readers) (*RuleSet, error) {
	set := &RuleSet{IDs: map[string]bool{}, Readers: with}
	set.scanners = &sync.Pool{New: func() any { return NewScanner() }}
	sum := sha256.New()
	sum.Write([]byte(rules.CommandRules + rules.PlaceRules + languages.Text))
	sum.Write([]byte(with.Model))
	for _, text := range []string{rules.OwnRules, rules.GitleaksRules} {
		list, err := rules.ParseRules(text)
		if err != nil {
			return nil, err
		}
		set.Rules = append(set.Rules, list...)
		sum.Write([]byte(text))
	}
	set.Version = engineVersion + "." + hex.EncodeToString(sum.Sum(nil))[:8]
	set.index()
	return set, nil
}

// index builds the automaton over the words of rules and detectors.
func (s *RuleSet) index() {
	var words []string
	number := map[string]int{}
	at := func(word string) *Action {
		i, ok := number[word]
		if !ok {
			i = len(words)
			number[word] = i
			words = append(words, word)
			s.Actions = append(s.Actions, Action{})
		}
		return &s.Actions[i]
	}
	for _, r := range s.Rules {
		s.IDs[r.ID] = true
		for _, w := range r.Words {
			a := at(strings.ToLower(w))
			a.Rules = append(a.Rules, r)
		}
	}
	for _, d := range s.Readers.Triggers {
		for _, w := range d.Words {
			a := at(w)
			a.Detect = both(a.Detect, d.Run)
		}
		for _, id := range d.IDs {
			s.IDs[id] = true
		}
	}
	for _, w := range words {
		s.Lengths = append(s.Lengths, len(w))
	}
	s.texts = words
	s.Words = NewAutomaton(words)
	for c := range s.body {
		if BodyByte(byte(c)) {
			s.body[c] = 1
		}
		if ListByte(byte(c)) {
			s.List[c] = 1
		}
		if gutterByte(byte(c)) {
			s.Gutter[c] = 1
		}
	}
}

// both runs two detectors that the same word triggers.
func both(first, second detector) detector {
	if first == nil {
		return second
	}
	return func(s *Scanner, end int) {
		first(s, end)
		second(s, end)
	}
}

// engineVersion changes whenever a detector in code changes.
const engineVersion = "13"

// word returns a word of the automaton, "" for none.
func (s *RuleSet) word(n int32) string {
	if n < 0 || int(n) >= len(s.texts) {
		return ""
	}
	return s.texts[n]
}
