package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepmum/store"
)

// maxFacts bounds what was learned in a primer, so that there is room left for
// what was done last.
const maxFacts = 3

// leastTrust is the confidence below which a memory is not told unasked.
const leastTrust = 0.5

// facts tells the memories that are most to be trusted: pinned ones first, then
// by confidence as it is today, then the newest.
func facts(ctx context.Context, src Source, w *writer, sessions int) error {
	if len(w.a.Memories) == 0 {
		return nil
	}
	rows, err := src.Memories(ctx, store.MemoryFilter{Projects: w.a.Memories, Limit: 200})
	if err != nil {
		return err
	}
	trust := make(map[int64]float64, len(rows))
	for i := range rows {
		trust[rows[i].ID] = w.trust(&rows[i])
	}
	rows = slices.DeleteFunc(rows, func(m store.MemoryRow) bool { return !m.Pinned && trust[m.ID] < leastTrust })
	slices.SortStableFunc(rows, func(a, b store.MemoryRow) int {
		return cmp.Or(cmp.Compare(pinned(b), pinned(a)), cmp.Compare(trust[b.ID], trust[a.ID]), cmp.Compare(b.Updated, a.Updated), cmp.Compare(b.ID, a.ID))
	})
	most := w.a.MaxEntries
	if sessions > 0 {
		most = min(most, maxFacts)
	}
	for i := range rows {
		if len(w.lines) < most {
			w.fact(&rows[i])
		}
	}
	return nil
}

func pinned(m store.MemoryRow) int {
	if m.Pinned {
		return 1
	}
	return 0
}

func (w *writer) trust(m *store.MemoryRow) float64 {
	if w.a.Trust == nil {
		return m.Confidence
	}
	return w.a.Trust(m)
}

// fact writes one line about a memory: its title, and why.
func (w *writer) fact(m *store.MemoryRow) {
	why := firstSentence(m.Body())
	line := fmt.Sprintf("- %s %s: %s (%d)", day(time.UnixMilli(m.Said)), m.Form, quote(titled(m.Title, why), maxQuote), m.ID)
	w.add(entry{line, m.Title, []string{m.Title, why}, []store.Injected{{ID: m.ID, Type: store.KindMemory, Score: w.trust(m)}}})
}

// nearBegin is how far into a reason its title may stand, behind "No, " and the like.
const nearBegin = 30

// titled is a title and its reason, without saying twice what both say.
func titled(title, why string) string {
	at := strings.Index(strings.ToLower(why), strings.ToLower(strings.TrimRight(title, ".")))
	switch {
	case why == "":
		return title
	case 0 <= at && at <= nearBegin:
		return why
	}
	return strings.TrimRight(title, ".") + ". " + why
}

// firstSentence is the beginning of a text, without its markdown.
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

// learnedFirst puts what was learned before what was said: it is shorter, and
// somebody found it worth keeping.
func learnedFirst(hits []store.Hit) []store.Hit {
	slices.SortStableFunc(hits, func(a, b store.Hit) int {
		return cmp.Compare(isMemory(b), isMemory(a))
	})
	return hits
}

func isMemory(h store.Hit) int {
	if h.Type == store.KindMemory {
		return 1
	}
	return 0
}
