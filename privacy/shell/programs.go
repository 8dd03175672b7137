package shell

import (
	_ "embed"
	"maps"
	"slices"
	"strconv"
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
			for _, name := range k.names(head) {
				rows[name] = append(rows[name], rest)
			}
		default:
			words.add(strings.Fields(line))
		}
	}
	return k
}

// names returns the programs at the head of a row: "a|b", or "@list".
func (k *knowledge) names(head string) []string {
	if l, ok := strings.CutPrefix(head, "@"); ok {
		return slices.Sorted(maps.Keys(k.lists[l].words))
	}
	return strings.Split(head, "|")
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

// rows returns what a table says about a program.
func rows(table, name string) []string { return known().tables[table][name] }

// row returns the only line about a program in a table, "" if there is none.
func row(table, name string) string { return strings.Join(rows(table, name), " ") }

// anyOf reports whether one of the alternatives matches one of the words.
func anyOf(alternatives string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return oneOf(alternatives, w) })
}

// oneOf reports whether one of the alternatives in "a|b*|@list" matches a word.
func oneOf(alternatives, word string) bool {
	for a := range strings.SplitSeq(alternatives, "|") {
		list, named := strings.CutPrefix(a, "@")
		if a == word || named && in(list, word) || strings.Contains(a, "*") && simpleGlob(a, word) {
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

// says reports whether a row of a table describes a command.
func says(table, name string, rest []string) bool {
	return slices.ContainsFunc(rows(table, name), func(pattern string) bool {
		return describes(strings.Fields(pattern), rest)
	})
}

// describes reports whether a pattern, as explained in programs.txt, matches the words of a command after its name.
func describes(pattern, words []string) bool {
	rest := words
	for _, p := range pattern {
		kind, alternatives, found := p[0], p[1:], 0
		switch kind {
		case '!', ':', '?', '.', '=':
			if !holds(kind, alternatives, words) {
				return false
			}
			continue
		case '>':
			from := slices.IndexFunc(rest, isOperand)
			return from >= 0 && quiet(rest[from:])
		case '^':
			other, not := strings.CutPrefix(alternatives, "!")
			if len(rest) == 0 || oneOf(other, rest[0]) == not {
				return false
			}
		default:
			if found = slices.IndexFunc(rest, func(w string) bool { return oneOf(p, w) }); found < 0 {
				return false
			}
		}
		rest = rest[found+1:]
	}
	return true
}

// holds reports whether a condition about all words of a command holds.
func holds(kind byte, alternatives string, words []string) bool {
	operand := slices.IndexFunc(words, isOperand)
	switch kind {
	case '!':
		return !anyOf(alternatives, words)
	case ':':
		return operand >= 0 && oneOf(alternatives, words[operand])
	case '=':
		options := slices.DeleteFunc(slices.Clone(words), isOperand)
		return strconv.Itoa(len(words)-len(options)) == alternatives
	}
	return !slices.ContainsFunc(words, func(w string) bool {
		return isOperand(w) == (kind == '.') && !oneOf(alternatives, w)
	})
}

// copiesTo reports whether a command's last word is a destination.
func copiesTo(name string) bool { return in("copiers", name) }

// readsScripts reports whether a command runs its input as a script.
func readsScripts(name string) bool { return in("runs-scripts", name) }

// HarmlessVariable reports whether an environment variable never contains a secret: paths, display settings.
func HarmlessVariable(name string) bool { return in("harmless-variables", name) }
