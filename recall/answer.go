package recall

import (
	"cmp"
	"context"
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
	Text     string // the statement, with the question that it answers
	Replaced int64  // id of the later entry that replaced it or took it back; 0 = it still applies
}

const (
	maxAnswers   = 6   // answers shown,
	answerShown  = 900 // and characters of each
	commitFactor = 4   // share of a commit relative to that of a session: a commit is short and to the point
	// minHeld is the minimum share of the question's weight that an answer must contain to be shown to somebody who
	// asked.
	minHeld = 0.15
	// unstemmed divides it for a question in another language than English, whose words only match in the same form. Of
	// 40 questions in German, French and Spanish the answer is shown for 36 instead of 28; 33 before there were stop words.
	unstemmed = 2
)

// Answers finds what was settled earlier about a question, best first. Somebody who asks gets more than an agent that
// did not.
func Answers(ctx context.Context, src Source, q store.Subjects) ([]Settled, error) {
	all, err := statements(ctx, src, &builtIn, q, true)
	if err != nil {
		return nil, err
	}
	least := minHeld
	if language.Of(q.Text) != language.English {
		least /= unstemmed
	}
	all = slices.DeleteFunc(all, func(st statement) bool {
		return st.settles <= 0 || st.held || st.share < least*shareOf(st.kind)
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
	out := make([]Settled, 0, len(shown))
	seen := map[string]bool{}
	for _, st := range newestFirst(shown) {
		text := gist(st.said, answerShown, st.about)
		if st.asked != "" {
			text = strings.TrimSpace(gist(st.asked, answerShown, st.about) + "\n" + st.said)
		}
		if key := strings.Join(strings.Fields(strings.ToLower(text)), " "); !seen[key] {
			seen[key] = true
			out = append(out, Settled{st.id, time.UnixMilli(st.at).UTC(), text, cmp.Or(st.withdrawn, st.replaced)})
		}
	}
	return out, nil
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
