package recall

import (
	"strings"

	"keepmum/extract"
	"keepmum/store"
)

// withdraws reports whether a message is nothing but the withdrawal of what the user said in the message before it,
// given what the agent said in between. Of several sentences only one may be meant, so that none is taken back.
func withdraws(message, between, said string) bool {
	return extract.TakesBack(message, between) && len(sentences(said)) == 1 && !isQuestion(said)
}

// markWithdrawn marks the turns that the user's next message takes back, and those that do.
func markWithdrawn(turns []moment, lines []store.Line) {
	for i := range turns[:max(len(turns)-1, 0)] {
		t, next := &turns[i], &turns[i+1]
		// most messages take nothing back, whatever was said in between: then it need not be collected
		if withdraws(next.user.Text, "", t.user.Text) &&
			withdraws(next.user.Text, between(lines, t.user.ID, next.user.ID), t.user.Text) {
			t.withdrawn, next.withdraws = next.user.ID, true
		}
	}
}

// between returns what was said between two messages.
func between(lines []store.Line, from, to int64) string {
	var out []string
	for _, l := range lines {
		if l.ID > from && l.ID < to {
			out = append(out, l.Text)
		}
	}
	return strings.Join(out, "\n")
}
