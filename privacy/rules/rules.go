package rules

import (
	_ "embed"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"sync"
)

// The rules of gitleaks (see rules/LICENSE.gitleaks), and those that gitleaks lacks.
var (
	//go:embed gitleaks.rules
	GitleaksRules string
	//go:embed own.rules
	OwnRules string
)

// anchor says where a match is in relation to the word that triggered it.
type anchor uint8

const (
	AtStart anchor = iota // the match starts with the word
	AtName                // the word is part of a name; the match is the value of that name
	AtNear                // the match is somewhere around the word
	AtToken               // the word is part of the token that is the match
)

// Rule is one form of secret. The secret is group 1 of the match, or all of it.
type Rule struct {
	ID            string
	At            anchor
	Words         []string
	match         string
	allow         []string
	Entropy       float64
	Before, After bool // the secret must not continue a longer token
	Letter        bool // no letter may precede it, but a digit or _ may
	Min, Max      int  // length of a match
	Yes, No       []string

	once     sync.Once
	Anchored *regexp.Regexp
	Anywhere *regexp.Regexp
	Literal  string // a part of every match
	Allowed  []*regexp.Regexp
}

// ParseRules parses the rules of tokens.
func ParseRules(text string) ([]*Rule, error) {
	return parse(text, func(id string) *Rule { return &Rule{ID: id, Min: 8, Max: 512} })
}

// parse reads a file of rules: a keyword and its argument on each line. "rule" starts the next rule, # a comment.
func parse[T interface{ set(key, arg string) error }](text string, begun func(id string) T) (list []T, err error) {
	for n, line := range strings.Split(text, "\n") {
		key, arg, _ := strings.Cut(line, " ")
		switch {
		case line == "" || line[0] == '#':
		case key == "rule":
			list = append(list, begun(arg))
		case len(list) == 0:
			return nil, fmt.Errorf("line %d: no rule begun", n+1)
		default:
			if err := list[len(list)-1].set(key, arg); err != nil {
				return nil, fmt.Errorf("line %d: %w", n+1, err)
			}
		}
	}
	return list, nil
}

func (r *Rule) set(key, arg string) (err error) {
	switch key {
	case "words":
		r.Words = strings.Fields(arg)
	case "at":
		at, known := anchors[arg]
		if r.At = at; !known {
			err = fmt.Errorf("at %q: start, name, near or token", arg)
		}
	case "entropy":
		r.Entropy, err = strconv.ParseFloat(arg, 64)
	case "edge":
		err = r.edge(arg)
	case "size":
		_, err = fmt.Sscan(arg, &r.Min, &r.Max)
	case "match":
		r.match = arg
	case "allow":
		r.allow = append(r.allow, arg)
	case "yes":
		r.Yes = append(r.Yes, arg)
	case "no":
		r.No = append(r.No, arg)
	default:
		err = fmt.Errorf("unknown key %q", key)
	}
	return err
}

// anchors are the places of a match.
var anchors = map[string]anchor{"start": AtStart, "name": AtName, "near": AtNear, "token": AtToken}

// edge reads what may not stand next to the secret.
func (r *Rule) edge(arg string) error {
	for w := range strings.FieldsSeq(arg) {
		switch w {
		case "before":
			r.Before = true
		case "after":
			r.After = true
		case "letter":
			r.Letter = true
		default:
			return fmt.Errorf("edge %q: before, after or letter", w)
		}
	}
	return nil
}

// Compile compiles the rule at its first hit: most rules are never needed, and a hook's process would pay for each of
// them.
func (r *Rule) Compile() {
	r.once.Do(func() {
		r.Anchored = regexp.MustCompile(`\A(?:` + r.match + `)`)
		r.Anywhere = regexp.MustCompile(r.match)
		r.Literal = literal(r.match)
		for _, a := range r.allow {
			r.Allowed = append(r.Allowed, regexp.MustCompile(`\A(?:`+a+`)\z`))
		}
	})
}

// literal returns the longest text that is part of every match of an expression.
func literal(match string) (longest string) {
	run := ""
	var read func(*syntax.Regexp)
	read = func(re *syntax.Regexp) {
		switch re.Op {
		case syntax.OpConcat, syntax.OpCapture:
			for _, sub := range re.Sub {
				read(sub)
			}
			return
		case syntax.OpLiteral:
			if re.Flags&syntax.FoldCase == 0 {
				run += string(re.Rune)
				break
			}
			run = ""
		case syntax.OpWordBoundary, syntax.OpEmptyMatch:
		default:
			run = ""
		}
		if len(run) > len(longest) {
			longest = run
		}
	}
	if re, err := syntax.Parse(match, syntax.Perl); err == nil {
		read(re)
	}
	return longest
}

// InCapitals reports whether a rule's tokens start with a word in capitals and this word is not: names of pods start
// with api-.
func (r *Rule) InCapitals(word string) bool {
	return !strings.Contains(r.match, word) && strings.Contains(r.match, strings.ToUpper(word))
}

// Shapes contains samples of secrets that detectors in code recognise: "== name", then the text, with the secret in «».
//
//go:embed shapes.txt
var Shapes string
