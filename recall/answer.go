package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepmum/language"
	"keepmum/sorting"
	"keepmum/store"
)

// Settled is what was settled earlier about a question, for a person who asked.
type Settled struct {
	ID       int64
	At       time.Time
	Text     string  // the statement, with the question that it answers, or the answer to it
	Replaced int64   // id of the later entry that replaced it or took it back; 0 = it still applies
	Beside   []int64 // ids of the messages that the text has beside it
}

const (
	maxAnswers   = 6   // answers shown,
	answerShown  = 900 // and characters of each
	commitFactor = 4   // share of a commit relative to that of a session: a commit is short and to the point
	// minHeld is the minimum share of the question's weight that an answer must contain to be shown to somebody who
	// asked.
	minHeld = 0.15
	// unstemmed divides it for a question in another language than English, whose words only match in the same form. Of
	// 40 questions in German, French and Spanish the answer is shown for 36 instead of 28; before, for 33.
	unstemmed = 2
)

// Answers finds what was settled earlier about a question, best first. Somebody who asks gets more than an agent that
// did not.
func Answers(ctx context.Context, src Source, q store.Subjects) ([]Settled, error) {
	all, err := statements(ctx, src, &builtIn, q, hearer{asked: true})
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(st statement) bool { return st.settles <= 0 || st.held || !st.sure })
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
	turns, err := exchanges(ctx, src, shown)
	if err != nil {
		return nil, err
	}
	out := make([]Settled, 0, len(shown))
	seen := map[string]bool{}
	var known []int64
	for _, st := range newestFirst(shown) {
		text, beside := st.exchange(turns[st.id])
		if key := strings.Join(strings.Fields(strings.ToLower(text)), " "); !seen[key] && !slices.Contains(known, st.id) {
			seen[key] = true
			known = append(known, beside[:min(1, len(beside))]...) // the user's reply may be replaced, and say so
			out = append(out, Settled{st.id, time.UnixMilli(st.at).UTC(), text, cmp.Or(st.withdrawn, st.replaced), beside})
		}
	}
	return out, nil
}

// leastHeld returns the share of a question's weight that an answer must contain.
func leastHeld(question string) float64 {
	if language.Of(question) != language.English {
		return minHeld / unstemmed
	}
	return minHeld
}

// talk is a turn, and the one after it.
type talk struct{ turn, next moment }

// exchanges returns, by the id of the user's message, the turns of statements that answer or ask something.
func exchanges(ctx context.Context, src Source, shown []statement) (map[int64]talk, error) {
	var sessions []int64
	of := map[int64]bool{}
	for _, st := range shown {
		if st.kind == store.KindPrompt && st.said != "" && (st.asked != "" || asksSomething(st.said)) {
			sessions, of[st.id] = append(sessions, st.session), true
		}
	}
	lines, err := src.Talk(ctx, sessions, nil)
	out := map[int64]talk{}
	for len(lines) > 0 {
		own := linesOf(lines, store.Subject{Session: lines[0].Session})
		turns := append(momentsOf(own, nil), moment{})
		for i, m := range turns {
			if of[m.user.ID] {
				out[m.user.ID] = talk{m, turns[i+1]}
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
// it does with the agent's answer to a question of the user, and with what the user replied. It also returns the ids of
// the messages beside it.
func (st *statement) exchange(t talk) (string, []int64) {
	agent := cmp.Or(st.agent, "the agent")
	switch m, reply := t.turn, t.next.user; {
	case st.asked != "" && m.before != nil:
		return fmt.Sprintf("%s: \"%s\"; the user: \"%s\"", agent, gist(st.asked, answerShown, st.about), st.said),
			[]int64{m.before.ID}
	case st.asked == "" && tellsMore(m.after):
		text := fmt.Sprintf("the user: \"%s\"; %s: \"%s\"", gist(st.said, answerShown, st.about), agent,
			gist(m.after.Text, answerShown/2, st.about))
		if withheld(reply.Text) || settles(reply.Text) <= 0 && !answers(reply.Text, m.after.Text) {
			return text, []int64{m.after.ID}
		}
		return text + fmt.Sprintf("; the user: \"%s\"", gist(reply.Text, answerShown/3, st.about)),
			[]int64{m.after.ID, reply.ID}
	}
	said := gist(st.said, answerShown, st.about)
	return strings.TrimSpace(gist(st.asked, answerShown, st.about) + "\n" + said), nil
}

// tellsMore reports whether an agent's answer is worth showing.
func tellsMore(l *store.Line) bool {
	return l != nil && saysSomething(l.Text) && !onlyAsks(l.Text) && !withheld(l.Text)
}

// shareOf returns how much of the minimum share is enough: half of it for a commit.
func shareOf(k store.Kind) float64 {
	if k == store.KindCommit {
		return 0.5
	}
	return 1
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
