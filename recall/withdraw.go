package recall

import (
	"keepmum/extract"
	"keepmum/store"
)

// withdraws reports whether a message is nothing but the withdrawal of what the user said in the message before it. Of
// several sentences only one may be meant, so that none is taken back.
func withdraws(text string, between *store.Line, said string) bool {
	answer := ""
	if between != nil {
		answer = between.Text
	}
	return extract.TakesBack(text, answer) && len(sentences(said)) == 1 && !isQuestion(said)
}

// markWithdrawn marks the turns that the user's next message takes back, and those that do.
func markWithdrawn(turns []moment) {
	for i := range turns[:max(len(turns)-1, 0)] {
		next := &turns[i+1]
		if withdraws(next.user.Text, next.before, turns[i].user.Text) {
			turns[i].withdrawn, next.withdraws = next.user.ID, true
		}
	}
}
