package privacy

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// The rules of gitleaks (see rules/LICENSE.gitleaks), and those they lack.
var (
	//go:embed rules/gitleaks.rules
	gitleaksRules string
	//go:embed rules/own.rules
	ownRules string
)

// anchor says where a match lies in relation to the word that gave it away.
type anchor uint8

const (
	atStart anchor = iota // the match begins with the word
	atName                // the word is part of a name; the match is the value of that name
	atNear                // the match is somewhere around the word
	atToken               // the word is part of the token that is the match
)

// rule is one shape of secret. The secret is group 1 of the match, or all of it.
type rule struct {
	id            string
	at            anchor
	words         []string
	match         string
	allow         []string
	entropy       float64
	before, after bool // the secret must not continue a longer token
	letter        bool // no letter may stand before it, but a digit or _ may
	min, max      int  // length of a match
	yes, no       []string

	once     sync.Once
	anchored *regexp.Regexp
	anywhere *regexp.Regexp
	allowed  []*regexp.Regexp
}

// parseRules reads the rule format: a keyword and its argument on each line,
// "rule" begins the next one.
func parseRules(text string) ([]*rule, error) {
	var list []*rule
	for n, line := range strings.Split(text, "\n") {
		key, arg, _ := strings.Cut(line, " ")
		if line == "" || line[0] == '#' {
			continue
		}
		if key == "rule" {
			list = append(list, &rule{id: arg, min: 8, max: 512})
			continue
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("line %d: no rule begun", n+1)
		}
		if err := list[len(list)-1].set(key, arg); err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
	}
	return list, nil
}

func (r *rule) set(key, arg string) (err error) {
	switch key {
	case "words":
		r.words = strings.Fields(arg)
	case "at":
		r.at = map[string]anchor{"start": atStart, "name": atName, "near": atNear, "token": atToken}[arg]
	case "entropy":
		r.entropy, err = strconv.ParseFloat(arg, 64)
	case "edge":
		r.before = r.before || strings.Contains(arg, "before")
		r.after = r.after || strings.Contains(arg, "after")
		r.letter = r.letter || arg == "letter"
	case "size":
		_, err = fmt.Sscan(arg, &r.min, &r.max)
	case "match":
		r.match = arg
	case "allow":
		r.allow = append(r.allow, arg)
	case "yes":
		r.yes = append(r.yes, arg)
	case "no":
		r.no = append(r.no, arg)
	default:
		err = fmt.Errorf("unknown key %q", key)
	}
	return err
}

// compile is done at the first hit: most of the rules are never needed, and a
// hook's process pays for each one.
func (r *rule) compile() {
	r.once.Do(func() {
		r.anchored = regexp.MustCompile(`\A(?:` + r.match + `)`)
		r.anywhere = regexp.MustCompile(r.match)
		for _, a := range r.allow {
			r.allowed = append(r.allowed, regexp.MustCompile(`\A(?:`+a+`)\z`))
		}
	})
}

// ruleSet is what all gates share: the rules and the automaton of all words.
type ruleSet struct {
	rules   []*rule
	readers readers
	words   *automaton
	actions []action // by word
	lengths []int    // of the words
	ids     map[string]bool
	body    [256]uint8 // 1 for the bytes of which runs are made
	list    [256]uint8 // 1 for those of lists of numbers
	gutter  [256]uint8 // 1 for those that stand before a line
	version string

	scanners *sync.Pool // of *scanner
}

// action is what a word in the text sets off.
type action struct {
	rules  []*rule
	detect detector
}

func newRuleSet(with readers) (*ruleSet, error) {
	set := &ruleSet{ids: map[string]bool{}, readers: with}
	set.scanners = &sync.Pool{New: func() any { return newScanner() }}
	sum := sha256.New()
	for _, text := range []string{ownRules, gitleaksRules} {
		list, err := parseRules(text)
		if err != nil {
			return nil, err
		}
		set.rules = append(set.rules, list...)
		sum.Write([]byte(text))
	}
	set.version = engineVersion + "." + hex.EncodeToString(sum.Sum(nil))[:8]
	set.index()
	return set, nil
}

// index builds the automaton over the words of rules and detectors.
func (s *ruleSet) index() {
	var words []string
	number := map[string]int{}
	at := func(word string) *action {
		i, ok := number[word]
		if !ok {
			i = len(words)
			number[word] = i
			words = append(words, word)
			s.actions = append(s.actions, action{})
		}
		return &s.actions[i]
	}
	for _, r := range s.rules {
		s.ids[r.id] = true
		for _, w := range r.words {
			a := at(strings.ToLower(w))
			a.rules = append(a.rules, r)
		}
	}
	for _, d := range s.readers.triggers {
		for _, w := range d.words {
			a := at(w)
			a.detect = both(a.detect, d.run)
		}
		for _, id := range d.ids {
			s.ids[id] = true
		}
	}
	for _, w := range words {
		s.lengths = append(s.lengths, len(w))
	}
	s.words = newAutomaton(words)
	for c := range s.body {
		if bodyByte(byte(c)) {
			s.body[c] = 1
		}
		if listByte(byte(c)) {
			s.list[c] = 1
		}
		if gutterByte(byte(c)) {
			s.gutter[c] = 1
		}
	}
}

// both runs two detectors that the same word sets off.
func both(first, second detector) detector {
	if first == nil {
		return second
	}
	return func(s *scanner, end int) {
		first(s, end)
		second(s, end)
	}
}

// engineVersion changes whenever the detectors that are code change.
const engineVersion = "8"

// entropy is Shannon's, in bits per byte.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	h, n := 0.0, float64(len(s))
	for _, c := range counts {
		if c > 0 {
			p := float64(c) / n
			h -= p * math.Log2(p)
		}
	}
	return h
}
