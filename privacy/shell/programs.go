package shell

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed programs.txt
var programsText string

// knowledge is what programs.txt says.
type knowledge struct {
	lists  map[string]*list
	tables map[string]map[string][]string // by program
}

// list is a set of words; globs match more than one.
type list struct {
	words map[string]bool
	globs []string
}

// known is read at the first command: most hooks see none.
var known = sync.OnceValue(func() *knowledge { return readKnowledge(programsText) })

func readKnowledge(text string) *knowledge {
	k := &knowledge{map[string]*list{}, map[string]map[string][]string{}}
	var words *list
	var rows map[string][]string
	for line := range strings.Lines(text) {
		head, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case head == "" || head == "#":
		case head == "=":
			words, rows = &list{words: map[string]bool{}}, nil
			k.lists[rest] = words
		case head == "==":
			words, rows = nil, map[string][]string{}
			k.tables[rest] = rows
		case rows != nil:
			rows[head] = append(rows[head], rest)
		default:
			words.add(strings.Fields(line))
		}
	}
	return k
}

func (l *list) add(words []string) {
	for _, w := range words {
		if l.words[w] = true; strings.Contains(w, "*") {
			l.globs = append(l.globs, w)
		}
	}
}

// in reports whether a list contains a word.
func in(name, word string) bool {
	l := known().lists[name]
	return l.words[word] || slices.ContainsFunc(l.globs, func(g string) bool { return simpleGlob(g, word) })
}

// anyIn reports whether a list contains one of the words.
func anyIn(name string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return in(name, w) })
}

// rows returns what a table says about a program.
func rows(table, name string) []string { return known().tables[table][name] }

// row returns the only line about a program in a table, "" if there is none.
func row(table, name string) string { return strings.Join(rows(table, name), " ") }

// anyOf reports whether one of the alternatives in "a|b*" matches one of the words.
func anyOf(alternatives string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return oneOf(alternatives, w) })
}

func oneOf(alternatives, word string) bool {
	for a := range strings.SplitSeq(alternatives, "|") {
		if a == word || strings.Contains(a, "*") && simpleGlob(a, word) {
			return true
		}
	}
	return false
}

// simpleGlob matches a pattern in which * matches anything.
func simpleGlob(glob, word string) bool {
	head, rest, _ := strings.Cut(glob, "*")
	if !strings.HasPrefix(word, head) {
		return false
	}
	word = word[len(head):]
	parts := strings.Split(rest, "*")
	for _, p := range parts[:len(parts)-1] {
		i := strings.Index(word, p)
		if i < 0 {
			return false
		}
		word = word[i+len(p):]
	}
	return strings.HasSuffix(word, parts[len(parts)-1])
}

// prints reports whether the words of a command match a line of the table of commands that print secrets.
func prints(name string, rest []string) bool {
	return slices.ContainsFunc(rows("prints", name), func(want string) bool {
		return inOrder(strings.Fields(want), rest)
	})
}

func inOrder(want, words []string) bool {
	if len(want) > 0 && want[0][0] == '^' {
		if len(words) == 0 || words[0] != want[0][1:] {
			return false
		}
		want = want[1:]
	}
	for _, w := range words {
		if len(want) == 0 {
			break
		}
		if oneOf(want[0], w) {
			want = want[1:]
		}
	}
	return len(want) == 0
}
