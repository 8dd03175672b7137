package recall

import (
	"fmt"
	"html"
	"strings"
	"time"

	"keepmum/store"
)

const (
	bytesPerToken = 4 // of English text and code, near enough for a budget
	maxQuote      = 240
	maxEdits      = 4
	hardCap       = 9_000 // bytes; beyond 10,000 characters the agents put a block into a file
)

// writer collects lines until the budget is used up.
type writer struct {
	a     Ask
	room  int
	lines []string
	seen  map[string]bool
}

const (
	opening = "<mum-context>\n"
	closing = "</mum-context>\n"
)

// Fence marks a text as ours, so that it is taken out again where it comes
// back in a transcript or a prompt.
func Fence(text string) string {
	if text == "" {
		return ""
	}
	return opening + text + closing
}

func newWriter(a Ask) *writer {
	w := &writer{a: a, room: min(a.Tokens*bytesPerToken, hardCap), seen: map[string]bool{}}
	w.room -= len(opening) + len(w.headline()) + len(closing)
	return w
}

func (w *writer) headline() string {
	return fmt.Sprintf("Notes on earlier work in %s, for information. `mum show ID` prints an entry in full.\n", quote(w.a.Name, 80))
}

// add takes a line where there is room for it and it says something new.
func (w *writer) add(line, about string) {
	if len(w.lines) >= w.a.MaxEntries || len(line)+1 > w.room || w.seen[about] {
		return
	}
	w.seen[about] = true
	w.room -= len(line) + 1
	w.lines = append(w.lines, line)
}

func (w *writer) block(reason string) Block {
	if len(w.lines) == 0 {
		return Block{Reason: ReasonEmpty}
	}
	return Block{Text: w.headline() + strings.Join(w.lines, "\n") + "\n", Reason: reason, Entries: len(w.lines)}
}

// session writes one line about a session: its summary where there is one,
// else the first thing asked, the files edited and the last answer.
func (w *writer) session(s store.SessionRow, lines []store.Line) {
	var asked, answered, summary *store.Line
	var edits []string
	for _, l := range lines {
		switch {
		case l.Type == store.KindSummary && l.Turn == 0:
			summary = &l
		case l.Type == store.KindPrompt && l.Role == string(store.RoleUser) && asked == nil:
			asked = &l
		case l.Type == store.KindPrompt && l.Role == string(store.RoleAssistant):
			answered = &l
		case l.Type == store.KindObservation && !l.Excluded && isEdit(l.Tool) && len(edits) < maxEdits:
			edits = append(edits, quote(strings.TrimPrefix(l.Title, l.Tool+" "), 80))
		}
	}
	head := fmt.Sprintf("- %s %s:", day(time.UnixMilli(s.Last)), s.Agent)
	switch {
	case summary != nil:
		w.add(fmt.Sprintf("%s %s (%d)", head, quote(summary.Text, maxQuote), summary.ID), summary.Text)
	case asked != nil:
		w.add(head+story(asked, answered, edits), asked.Text)
	}
}

func story(asked, answered *store.Line, edits []string) string {
	out := fmt.Sprintf(" asked %q (%d)", quote(asked.Text, maxQuote), asked.ID)
	if len(edits) > 0 {
		out += "; edited " + strings.Join(edits, ", ")
	}
	if answered != nil {
		out += fmt.Sprintf("; answered %q (%d)", quote(answered.Text, maxQuote), answered.ID)
	}
	return out
}

func isEdit(tool string) bool {
	switch strings.ToLower(tool) {
	case "edit", "write", "multiedit", "notebookedit", "apply_patch", "patch":
		return true
	default:
		return false
	}
}

// hit writes one line about something found.
func (w *writer) hit(h store.Hit) {
	head := fmt.Sprintf("- %s %s:", day(h.Date), h.Agent)
	text := quote(plain(h.Snippet), maxQuote)
	switch {
	case h.Type == store.KindObservation:
		w.add(fmt.Sprintf("%s %s (%d)", head, quote(h.Title, maxQuote), h.ID), h.Title)
	case h.Type == store.KindPrompt && h.Role == string(store.RoleAssistant):
		w.add(fmt.Sprintf("%s answered %q (%d)", head, text, h.ID), text)
	case h.Type == store.KindPrompt:
		w.add(fmt.Sprintf("%s asked %q (%d)", head, text, h.ID), text)
	default:
		w.add(fmt.Sprintf("%s %s (%d)", head, text, h.ID), text)
	}
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// plain takes the marks and the escapes off a snippet.
func plain(snippet string) string {
	return html.UnescapeString(strings.NewReplacer("<mark>", "", "</mark>", "").Replace(snippet))
}

// quote makes one short line of a text, which cannot end the block it stands in.
func quote(s string, n int) string {
	s = strings.Join(strings.Fields(strings.ReplaceAll(s, "mum-context", "mum context")), " ")
	if r := []rune(s); len(r) > n {
		return strings.TrimSpace(string(r[:n-1])) + "…"
	}
	return s
}
