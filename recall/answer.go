package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepmum/sorting"
	"keepmum/store"
)

// Settled is what was settled earlier about a question, for a person who asked.
type Settled struct {
	ID       int64
	At       time.Time
	Text     string // the statement, with the question that it answers, or the answer to it
	Replaced int64  // id of the later entry that replaced it or took it back; 0 = it still applies
	Beside   int64  // id of the message that the text has beside it; 0 = none
}

const (
	maxAnswers   = 6   // answers shown,
	answerShown  = 900 // and characters of each
	commitFactor = 4   // share of a commit relative to that of a session: a commit is short and to the point
	// minHeld is the minimum share of the question's weight that an answer must contain to be shown to somebody who
	// asked.
	minHeld = 0.15
)

// Answers finds what was settled earlier about a question, best first. Somebody who asks gets more than an agent that
// did not.
func Answers(ctx context.Context, src Source, q store.Subjects) ([]Settled, error) {
	all, err := statements(ctx, src, &builtIn, q, true)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(st statement) bool {
		return st.settles <= 0 || st.share < minShare(st.kind) || st.held
	})
	for i := range all {
		if all[i].kind == store.KindCommit {
			all[i].score *= commitFactor
		}
	}
	sorting.Stable(all, byScore)
	shown, err := withLater(ctx, src, q, firstOfEach(all, maxAnswers), all, nil)
	if err == nil {
		err = markReplaced(ctx, src, shown, all)
	}
	if err != nil {
		return nil, err
	}
	talk, err := exchanges(ctx, src, shown)
	if err != nil {
		return nil, err
	}
	out := make([]Settled, 0, len(shown))
	seen := map[string]bool{}
	known := map[int64]bool{}
	for _, st := range shown {
		text, beside := st.exchange(talk[st.id])
		if key := strings.Join(strings.Fields(strings.ToLower(text)), " "); !seen[key] && !known[st.id] {
			seen[key], known[beside] = true, true
			out = append(out, Settled{st.id, time.UnixMilli(st.at).UTC(), text, cmp.Or(st.withdrawn, st.replaced), beside})
		}
	}
	return out, nil
}

// exchanges returns, by the id of the user's message, the turns of statements that answer or ask something.
func exchanges(ctx context.Context, src Source, shown []statement) (map[int64]moment, error) {
	var sessions []int64
	of := map[int64]bool{}
	for _, st := range shown {
		if st.kind == store.KindPrompt && st.said != "" && (st.asked != "" || asksSomething(st.said)) {
			sessions, of[st.id] = append(sessions, st.session), true
		}
	}
	lines, err := src.Talk(ctx, sessions, nil)
	out := map[int64]moment{}
	for len(lines) > 0 {
		own := linesOf(lines, store.Subject{Session: lines[0].Session})
		for _, m := range momentsOf(own, nil) {
			if of[m.user.ID] {
				out[m.user.ID] = m
			}
		}
		lines = lines[len(own):]
	}
	return out, err
}

// asksSomething reports whether a message has a sentence that asks something and states no rule.
func asksSomething(text string) bool {
	c := cuesOf(text)
	return slices.ContainsFunc(sentences(c.of(typed(text))), func(s string) bool {
		asked := weigh(c.ask, s, 1)
		return asked < 0 && weigh(c.settle, s, 1)+asked <= 0
	})
}

// exchange returns a statement as it is shown, given its turn: with the agent's question it says who said what, and so
// it does with the agent's answer to a question of the user. It also returns the id of the message beside it.
func (st *statement) exchange(m moment) (string, int64) {
	asked, said := gist(st.asked, answerShown, st.about), gist(st.said, answerShown, st.about)
	agent := cmp.Or(st.agent, "the agent")
	switch {
	case asked != "" && m.before != nil:
		return fmt.Sprintf("%s: \"%s\"; the user: \"%s\"", agent, asked, said), m.before.ID
	case asked == "" && tellsMore(m.after):
		after := gist(m.after.Text, answerShown, st.about)
		return fmt.Sprintf("the user: \"%s\"; %s: \"%s\"", said, agent, after), m.after.ID
	}
	return strings.TrimSpace(asked + "\n" + said), 0
}

// tellsMore reports whether an agent's answer is worth showing.
func tellsMore(l *store.Line) bool {
	return l != nil && saysSomething(l.Text) && !onlyAsks(l.Text) && !withheld(l.Text)
}

// minShare returns the minimum share, which is lower for a commit.
func minShare(k store.Kind) float64 {
	if k == store.KindCommit {
		return minHeld / 2
	}
	return minHeld
}

// firstOfEach returns the best statements, up to two per session.
func firstOfEach(all []statement, n int) []statement {
	of := map[int64]int{}
	var out []statement
	for _, st := range all {
		if of[st.session]++; st.session == 0 || of[st.session] <= 2 {
			out = append(out, st)
		}
	}
	return out[:min(n, len(out))]
}
