package recall

import (
	"strings"

	"keepmum/lazyregexp"
	"keepmum/store"
)

// withdrawal matches a message that is nothing but the withdrawal of what the user just said. "Undo it" and "never mind,
// found it" are about the work.
var withdrawal = lazyregexp.New(`(?i)^(?:(?:no|nah|nope|oh|ah|hmm|wait|sorry|actually|ok(?:ay)?|please|nein|ach|halt)\b[,.!… ]+)*(?:(?:scratch|scrap|strike) (?:that|what i (?:just )?said)(?: rule)?|(?:never ?mind|forget|scratch|scrap) (?:that|this) rule|(?:forget|ignore|disregard) what i (?:just )?said|(?:don'?t|do not) (?:remember|keep|note) (?:that|this)(?: rule)?|i take (?:that|it) back|streich das(?: wieder)?|vergiss (?:die|diese) regel|merk dir das nicht|olvida (?:eso que|lo que)(?: acabo de)? (?:dije|decir)|no recuerdes eso)(?:[,.! ]+(?:please|sorry|thanks|again|bitte|danke))*[.! ]*$`)

// withdraws reports whether a message takes back what the user said in the message before it. What the agent asked in
// between may be what is refused.
func withdraws(text string, between *store.Line) bool {
	return withdrawal.MatchString(strings.TrimSpace(text)) && (between == nil || !strings.Contains(between.Text, "?"))
}

// markWithdrawn marks the turns that the user's next message takes back.
func markWithdrawn(turns []moment) {
	for i := range turns[:max(len(turns)-1, 0)] {
		if next := &turns[i+1]; withdraws(next.user.Text, next.before) {
			turns[i].withdrawn = next.user.ID
		}
	}
}
