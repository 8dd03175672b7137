package recall

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"time"
	"unicode"

	"keepmum/lazyregexp"
	"keepmum/store"
)

// judged is how much of a text is checked for instructions: more than is quoted, so that an instruction cut off at the
// end is also found.
const judged = maxQuote + 160

const (
	bytesPerToken = 4 // for English text and code; accurate enough for a budget
	maxQuote      = 240
	hardCap       = 9_000 // bytes; agents put a block of more than 10,000 characters into a file
)

// writer collects lines until the budget is used up.
type writer struct {
	a     Ask
	room  int
	lines []string
	told  []store.Injected
	seen  map[string]bool // texts that were told
	notes []string        // the decisions, findings and memories that the lines quote
	known map[int64]bool  // entries that the session has already been told
}

const (
	opening = "<mum-context>\n"
	closing = "</mum-context>\n"
)

// Fence marks a text as ours, so that it can be removed when it comes back in a transcript or a prompt.
func Fence(text string) string {
	if text == "" {
		return ""
	}
	return opening + text + closing
}

// Tokens estimates the number of tokens in a text.
func Tokens(text string) int { return (len(text) + bytesPerToken - 1) / bytesPerToken }

func newWriter(a Ask, told []int64) *writer {
	w := &writer{a: a, room: min(a.Tokens*bytesPerToken, hardCap), seen: map[string]bool{}, known: map[int64]bool{}}
	for _, id := range told {
		w.known[id] = true
	}
	w.room -= len(opening) + len(w.headline()) + len(closing)
	return w
}

func (w *writer) headline() string {
	return fmt.Sprintf("Notes on earlier work in %s, for information. `mum show ID` prints an entry in full.\n",
		projectName(w.a.Name))
}

// maxName is how many characters of a project's name are told.
const maxName = 40

// projectName returns a name that can be told. Whoever made a repository chose its name, so one that reads as a
// sentence is not told: it could be an instruction.
func projectName(name string) string {
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-", r)
	}
	if name == "" || len([]rune(name)) > maxName || strings.ContainsFunc(name, odd) || SpeaksToAModel(name) {
		return "this project"
	}
	return name
}

// entry is one line and its sources.
type entry struct {
	line  string
	text  string           // used to recognise repeats
	raw   []string         // what the line quotes, as stored
	notes []string         // the decisions, findings or memory that it quotes
	about []store.Injected // the first is what a reader would look up
}

// add adds a line if there is room and it says something new.
func (w *writer) add(e entry) {
	if len(w.lines) >= w.a.MaxEntries || len(e.line)+1 > w.room || w.seen[e.text] || w.known[e.about[0].ID] {
		return
	}
	w.seen[e.text] = true
	if SpeaksToAModel(e.line) || slices.ContainsFunc(e.raw, withheld) {
		w.hold(e)
		return
	}
	w.room -= len(e.line) + 1
	w.lines = append(w.lines, e.line)
	w.told = append(w.told, e.about...)
	w.notes = append(w.notes, e.notes...)
}

// withheld reports whether a line that quotes a text is not told.
func withheld(text string) bool { return SpeaksToAModel(beginning(text, judged)) || forged(text) }

// NotForAgents reports whether a text of someone else is kept from agents: it reads like an instruction or like one of
// our own lines, or names our fence.
func NotForAgents(text string) bool {
	return SpeaksToAModel(text) || forged(text) || fenceName.MatchString(text)
}

// ourLine matches the form of our own lines about what a user said.
var ourLine = lazyregexp.New(`(?i)\b(?:claude|codex|cursor|opencode|api), the user:`)

// forged reports whether a text imitates such a line: nobody else may put words into the user's mouth.
func forged(text string) bool { return ourLine.MatchString(text) }

// hold withholds an entry and records that in the receipt.
func (w *writer) hold(e entry) {
	for _, about := range e.about {
		about.Held = true
		w.told = append(w.told, about)
	}
}

func (w *writer) block(reason string) Block {
	switch {
	case len(w.lines) == 0 && len(w.told) > 0:
		return Block{Reason: ReasonHeld, Entries: w.told}
	case len(w.lines) == 0:
		return Block{Reason: ReasonEmpty}
	}
	return Block{Text: w.headline() + strings.Join(w.lines, "\n") + "\n", Reason: reason, Entries: w.told}
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// plain removes the marks and escapes from a snippet.
func plain(snippet string) string {
	return html.UnescapeString(strings.NewReplacer("<mark>", "", "</mark>", "").Replace(snippet))
}

// fenceName matches the name of our fence in upper or lower case, as a model would read it.
var fenceName = lazyregexp.New(`(?i)mum-context`)

// quote makes one short line of a text that cannot end the block around it.
func quote(s string, n int) string {
	s = strings.Join(strings.Fields(fenceName.ReplaceAllString(visible(s), "mum context")), " ")
	if short := beginning(s, n-1); len([]rune(s)) > n {
		return strings.TrimSpace(short) + "…"
	}
	return s
}

// beginning returns the first n characters of a text.
func beginning(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}
