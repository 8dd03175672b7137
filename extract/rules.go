package extract

import (
	"context"
	"time"

	"keepmum/lazyregexp"
	"keepmum/memory"
	"keepmum/privacy"
)

// Rule is a sentence of the user that says what is always or never done. It becomes a memory if the user states it in
// several sessions.
type Rule struct {
	Text    privacy.Clean
	Message privacy.Clean // the message with it
	Before  privacy.Clean // the user's message before that
	At      time.Time
	key     sentence
	chance  float64
	message int // index of the message
	ref     privacy.Clean
}

// Limits on the rules of a message. In a document, every other sentence has the form of a rule.
const (
	maxRules     = 8
	minRuleWords = 4
	maxRuleWords = 40
)

// Rules returns the rules that the user states in a session, each once.
func (h *Heuristic) Rules(s Session) (out []Rule) {
	known := map[string]bool{}
	before := privacy.Clean{}
	for n, e := range converse(s) {
		if e.at.IsZero() {
			e.at = s.Start
		}
		var found []Rule
		for i, x := range e.user.list {
			chance, ok := h.rule(&e, i)
			if !ok || known[x.plain] {
				continue
			}
			known[x.plain] = true
			found = append(found, Rule{Text: x.text, Message: e.user.text, Before: before, At: e.at, key: x, chance: chance,
				message: n, ref: e.ref})
		}
		if len(found) <= maxRules {
			out = append(out, found...)
		}
		before = e.user.text
	}
	return out
}

// blanks match what a template leaves open.
var blanks = lazyregexp.New(`\{\{[^}]*\}\}|\$ARGUMENTS\b|\$\d\b|<(?:your|the|insert)? ?[A-Za-z_]+(?:[ _-][A-Za-z_]+)*>` +
	`|\[(?:your|insert) [^\]]*\]`)

// rule reports whether a sentence states a rule that does not depend on the task, and how likely it is worth keeping.
// An order like "don't write any code" or "don't touch it" is meant for this turn, however often it is given.
func (h *Heuristic) rule(e *exchange, i int) (chance float64, ok bool) {
	x := e.user.list[i]
	if n := len(x.words); n < minRuleWords || n > maxRuleWords || !h.cues.rule.MatchString(x.plain) {
		return 0, false
	}
	if x.question || x.holed {
		return 0, false
	}
	if x.needsMore() || !x.stands() || h.cues.now.MatchString(x.plain) || blanks.MatchString(x.text.String()) {
		return 0, false
	}
	m := h.marks(e, i, true)
	once := h.cues.has(m, "empty", "for now", "for one text", "hearsay", "this task", "story", "asks")
	return h.cues.chance(m, x.words), !once
}

// Repeated returns a candidate for each message with rules that the user also stated in other sessions.
func (s Session) Repeated(ctx context.Context, rules []Rule) (out []memory.Candidate) {
	for len(rules) > 0 {
		n := 1
		for n < len(rules) && rules[n].message == rules[0].message {
			n++
		}
		out = append(out, s.repeated(ctx, rules[:n]))
		rules = rules[n:]
	}
	return out
}

// repeatedly is the confidence of such a candidate, as of a note that a second session confirms.
const repeatedly = .75

func (s Session) repeated(ctx context.Context, rules []Rule) memory.Candidate {
	surest := rules[0]
	f := finding{primitive: memory.Learning, kind: memory.Preference, sure: repeatedly, told: true, standing: true,
		repeated: true}
	for _, r := range rules {
		f.facts = append(f.facts, r.key)
		if r.chance > surest.chance {
			surest = r
		}
	}
	f.key, f.when, f.refs = surest.key, surest.At, []privacy.Clean{surest.ref}
	return f.candidate(ctx, s, privacy.Clean{}, nil)
}
