package recall

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"keepmum/memory"
	"keepmum/sorting"
	"keepmum/store"
)

const (
	maxPinned = 3 // memories told when a session starts,
	maxOnWork = 2 // this many about files that you are working on,
	maxRules  = 2 // and of what the user said as a rule, for whatever is done
	// minTrust is the confidence below which a memory is told only on request.
	minTrust = 0.5
)

// facts writes the pinned memories, those about files that are changed in the working tree or on its branch, and rules
// of the user: "never use testify" shares no word with the task to which it applies. High confidence alone is not
// enough.
func facts(ctx context.Context, src Source, w *writer) error {
	if len(w.a.Memories) == 0 {
		return nil
	}
	rows, err := src.Memories(ctx, store.MemoryFilter{Projects: w.a.Memories, Limit: 200})
	if err != nil {
		return err
	}
	sorting.Stable(rows, func(a, b store.MemoryRow) int {
		return cmp.Or(cmp.Compare(is(a.FromRepository()), is(b.FromRepository())),
			cmp.Compare(w.trust(&b), w.trust(&a)), cmp.Compare(b.Updated, a.Updated), cmp.Compare(b.ID, a.ID))
	})
	touched, err := src.Touched(ctx, w.a.Project, w.a.Dir)
	if err != nil {
		return err
	}
	pinned := func(m *store.MemoryRow) bool { return m.Pinned && !m.FromRepository() }
	w.first(rows, maxPinned, pinned)
	w.first(rows, maxOnWork, func(m *store.MemoryRow) bool {
		return !pinned(m) && w.trust(m) >= minTrust && names(m, touched.Files)
	})
	w.first(rows, maxRules, func(m *store.MemoryRow) bool {
		return !pinned(m) && w.trust(m) >= minTrust && isRule(m) && !names(m, touched.Files)
	})
	return nil
}

// first writes the first of some memories, unless a line about a session tells them already.
func (w *writer) first(rows []store.MemoryRow, most int, of func(*store.MemoryRow) bool) {
	for i := range rows {
		if m := &rows[i]; most > 0 && of(m) && !w.says(factText(m)) {
			w.fact(m)
			most--
		}
	}
}

// aRule is how much the title of a memory must settle to be a rule: it says always, never, must or the like.
const aRule = 1

// isRule reports whether a memory is a rule in the words of the user.
func isRule(m *store.MemoryRow) bool {
	return !m.FromRepository() && memory.Memory{Source: m.Origin, Body: m.Body()}.OfUser() && settles(m.Title) >= aRule
}

// names reports whether a memory mentions one of some files, by path or name.
func names(m *store.MemoryRow, files []store.TouchedFile) bool {
	text := m.Title + "\n" + memoryText(m.Body())
	return slices.ContainsFunc(files, func(f store.TouchedFile) bool {
		name := path.Base(f.Path)
		return strings.Contains(text, f.Path) || strings.Contains(name, ".") && strings.Contains(text, name)
	})
}

func (w *writer) trust(m *store.MemoryRow) float64 {
	if w.a.Trust == nil {
		return m.Confidence
	}
	return w.a.Trust(m)
}

// memoryOf names the source of a memory. What came with a repository must not be told as the user's word.
func memoryOf(foreign bool, name string) string {
	if foreign {
		return name + " of the repository"
	}
	return name
}

// fact writes one line about a memory: its title and its reason.
func (w *writer) fact(m *store.MemoryRow) {
	line := fmt.Sprintf("- %s %s: %s (%d)", day(time.UnixMilli(m.Said)), memoryOf(m.FromRepository(), m.Form), factText(m),
		m.ID)
	w.add(entry{line, m.Title, []string{m.Title, firstSentence(m.Body())}, []string{factText(m)},
		[]store.Injected{{ID: m.ID, Type: store.KindMemory, Score: w.trust(m)}}})
}

func factText(m *store.MemoryRow) string {
	return quote(titled(m.Title, firstSentence(m.Body())), maxQuote)
}

// says reports whether a line that was written tells a text: all of a decision, a finding or a memory that it quotes.
// The same words in a longer text may say something else.
func (w *writer) says(text string) bool {
	return slices.ContainsFunc(w.notes, func(n string) bool { return sameWords(n) == sameWords(text) })
}

// sameWords returns a text for comparison: capitals, spaces and the last full stop do not count.
func sameWords(text string) string {
	return strings.TrimRight(strings.Join(strings.Fields(strings.ToLower(text)), " "), ".! ")
}

// nearBegin is how far into the reason the title may begin, after "No, " and the like.
const nearBegin = 30

// titled joins a title and its reason without repeating what both say.
func titled(title, why string) string {
	at := strings.Index(strings.ToLower(why), strings.ToLower(strings.TrimRight(title, ".")))
	switch {
	case why == "":
		return title
	case 0 <= at && at <= nearBegin:
		return why
	}
	return asSentence(title) + why
}

// asSentence ends a title as a sentence, before another one.
func asSentence(title string) string {
	last, _ := utf8.DecodeLastRuneInString(title)
	if strings.ContainsRune("!?。！？", last) {
		return title + " "
	}
	return strings.TrimRight(title, ".") + ". "
}

// firstSentence returns the beginning of a text, without markdown.
func firstSentence(body string) string {
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#>-*"))
		if line == "" {
			continue
		}
		if i := strings.Index(line, ". "); i > 0 {
			return line[:i+1]
		}
		return line
	}
	return ""
}
