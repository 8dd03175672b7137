package extract

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed lexicon.txt
var lexiconText string

// class is a kind of cue. A cue is a phrase that says something about the
// sentence it stands in.
type class uint8

// The classes, by the names they have in lexicon.txt.
const (
	told class = iota
	always
	quant
	rule
	house
	reason
	harm
	pref
	correct
	choice
	weak
	reverse
	instead
	agreed
	hypo
	local
	once
	beyond
	artefact
	seq
	self
	approve
	offer
	propose
	tradeoff
	firm
	rootcause
	cause
	reproduce
	reject
	subtle
	whenever
	otherwise
	workaround
	intro
	question
	task
	process
	aside
	here
	who
	ways
	plan
	classes // how many there are
)

func classNames() []string {
	return []string{"told", "always", "quant", "rule", "house", "reason", "harm", "pref", "correct", "choice", "weak",
		"reverse", "instead", "agreed", "hypo", "local", "once", "beyond", "artefact", "seq", "self", "approve", "offer", "propose", "tradeoff",
		"firm", "rootcause", "cause", "reproduce", "reject", "subtle", "whenever", "otherwise", "workaround", "intro", "question", "task", "process", "aside", "here", "who", "ways", "plan"}
}

// cues counts the different phrases of each class.
type cues [classes]uint8

func (c *cues) add(o cues) {
	for i, n := range o {
		c[i] += min(n, 250-min(c[i], 250))
	}
}

// has reports whether there is a cue of one of the classes.
func (c cues) has(list ...class) bool {
	for _, k := range list {
		if c[k] > 0 {
			return true
		}
	}
	return false
}

// lexicon finds phrases: a tree of words.
type lexicon struct{ root *node }

type node struct {
	next map[string]*node
	any  *node // the place of _
	is   []class
}

func newLexicon() (*lexicon, error) {
	l := &lexicon{root: &node{}}
	known := map[string]class{}
	for i, name := range classNames() {
		known[name] = class(i)
	}
	for line := range strings.Lines(lexiconText) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		name, phrases, _ := strings.Cut(line, ":")
		c, ok := known[name]
		if !ok {
			return nil, fmt.Errorf("lexicon.txt: %q is no class", name)
		}
		for phrase := range strings.SplitSeq(phrases, ",") {
			l.learn(c, tokenize(phrase))
		}
	}
	return l, nil
}

func (l *lexicon) learn(c class, words []token) {
	n := l.root
	for _, w := range words {
		n = n.child(w.lower)
	}
	if n != l.root {
		n.is = append(n.is, c)
	}
}

func (n *node) child(word string) *node {
	if word == "_" {
		if n.any == nil {
			n.any = &node{}
		}
		return n.any
	}
	if n.next == nil {
		n.next = map[string]*node{}
	}
	if n.next[word] == nil {
		n.next[word] = &node{}
	}
	return n.next[word]
}

// hit is a phrase that was found, by the numbers of its words.
type hit struct {
	class    class
	from, to int
}

// find returns what stands in words. Of each class the longest phrase at a
// place counts, and no word is counted twice for a class.
func (l *lexicon) find(words []token) []hit {
	var hits []hit
	var covered [classes]int // up to which word a class is covered
	for i := range words {
		if words[i].quiet {
			continue
		}
		var longest [classes]int
		l.root.walk(words, i, 0, &longest)
		for c, n := range longest {
			if n > 0 && i >= covered[c] {
				hits = append(hits, hit{class(c), i, i + n})
				covered[c] = i + n
			}
		}
	}
	return hits
}

func (n *node) walk(words []token, at, depth int, longest *[classes]int) {
	for _, c := range n.is {
		longest[c] = max(longest[c], depth)
	}
	if at >= len(words) || words[at].quiet {
		return
	}
	if next := n.next[words[at].lower]; next != nil {
		next.walk(words, at+1, depth+1, longest)
	}
	if n.any != nil {
		n.any.walk(words, at+1, depth+1, longest)
	}
}
