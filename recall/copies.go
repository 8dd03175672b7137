package recall

import (
	"context"
	"slices"
	"strings"
	"time"

	"keepmum/store"
)

const (
	// sameMoment is how far apart the times of a statement and of the memory made of it may be: one was recorded by the
	// agent, the other by us.
	sameMoment = time.Minute
	// nearlyAll is the share of a statement's content words from which a memory says all of it.
	nearlyAll = 0.7
)

// spelled returns the words of a text in order, without what separates them, for comparison. "C++" is not "C".
func spelled(text string) string {
	var b strings.Builder
	for _, w := range strings.Fields(strings.ToLower(text)) {
		if w = strings.Trim(w, ".,;:!?…\"'`()[]“”„«»"); w != "" {
			b.WriteString(" " + w)
		}
	}
	return b.String() + " "
}

// contains reports whether a text, as far as it is told, has all sentences of another, word by word.
func contains(text, other string) bool {
	parts := sentences(other)
	has := func(text string) bool {
		all := spelled(text)
		return !slices.ContainsFunc(parts, func(s string) bool { return !strings.Contains(all, spelled(s)) })
	}
	return len(parts) > 0 && has(text) && (len(text) <= maxOther || has(gist(text, maxOther, nil)))
}

// withoutCopies removes memories in the words of a statement that is told, too. What is newer than the statement is not
// removed: it may have been written because it applies again.
func withoutCopies(told []statement) []statement {
	all := slices.Clone(told)
	return slices.DeleteFunc(told, func(m statement) bool {
		return m.kind == store.KindMemory && slices.ContainsFunc(all, func(st statement) bool {
			return st.kind == store.KindPrompt && st.covers(&m)
		})
	})
}

// covers reports whether a statement says all that a memory does. One that was taken back says nothing for an older
// memory, and one that is withheld says nothing at all.
func (st *statement) covers(m *statement) bool {
	if st.withdrawn != 0 && m.at < st.at-sameMoment.Milliseconds() {
		return false
	}
	return m.repeats(st.at, st.said) && !SpeaksToAModel(st.said) && !forged(st.said) && !withheld(st.asked)
}

// Entry is what was said, or a memory with its title.
type Entry struct {
	At    time.Time
	Title string
	Text  string
}

// Repeats reports whether a memory is in the words of what a user said, and no newer.
func Repeats(memory, said Entry) bool {
	m := statement{at: memory.At.UnixMilli(), said: titled(memory.Title, firstSentence(memoryText(memory.Text)))}
	st := statement{at: said.At.UnixMilli(), said: said.Text}
	return st.covers(&m)
}

// repeats reports whether all of a statement was said in a text, and not much before.
func (st *statement) repeats(at int64, text string) bool {
	return st.at <= at+sameMoment.Milliseconds() && contains(text, st.said)
}

// noteCopies marks as known what says the same as a line that the session was told: the memory made of a statement, or
// the statement of which a memory was made.
func noteCopies(ctx context.Context, src Source, found []statement, known map[int64]bool) error {
	if len(known) == 0 || len(found) == 0 {
		return nil
	}
	var ids []int64
	for id := range known {
		ids = append(ids, id)
	}
	told, err := src.Talk(ctx, nil, ids)
	for _, l := range told {
		for i := range found {
			if st := &found[i]; st.copies(l) {
				known[st.id] = true
			}
		}
	}
	return err
}

// copies reports whether a statement and a line, of which one is a memory, say the same.
func (st *statement) copies(l store.Line) bool {
	user := l.Type == store.KindPrompt && l.Role == string(store.RoleUser)
	switch {
	case st.kind == store.KindMemory && user:
		return st.repeats(l.At, l.Text)
	case st.kind == store.KindPrompt && st.asked == "" && l.Type == store.KindMemory:
		said := titled(l.Title, firstSentence(memoryText(l.Text)))
		return st.at <= l.At+sameMoment.Milliseconds() && contains(st.said, said) &&
			share(store.ContentWords(st.said), wordSet(store.ContentWords(said))) >= nearlyAll
	}
	return false
}

func wordSet(words []string) map[string]bool {
	set := map[string]bool{}
	for _, w := range words {
		set[w] = true
	}
	return set
}

// common counts the words that are in a set.
func common(words []string, set map[string]bool) (n int) {
	for _, w := range words {
		if set[w] {
			n++
		}
	}
	return n
}

// share returns the share of the words that are in a set; NaN if there are no words, which is not at least anything.
func share(words []string, set map[string]bool) float64 {
	return float64(common(words, set)) / float64(len(words))
}
