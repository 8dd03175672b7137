package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"keepmum/sorting"
	"keepmum/store"
)

// Parameters of what is told. They were chosen on the tasks of testdata/told; docs/context.md has the figures.
const (
	subjects    = 12 // subjects that are read,
	subjectsAll = 16 // and this many for somebody who asked

	// If less than this is left of the time for an answer (300 ms), fewer are read.
	littleTime   = 150 * time.Millisecond
	subjectsLate = 4

	// A memory must have at least the weight of this many words that occur in one session only. For a short prompt less
	// is enough, if it is this share of the prompt.
	minEvidence       = 4.2
	fewRare, mostOfIt = 1.5, 0.5
	shortRare         = 16.0 // maximum weight of a short prompt, in rare words

	maxSettledScore = 1.3 // maximum of how surely a statement settles something,
	maxMore         = 2.0 // and the maximum of a second feature for what exceeds it

	questionSettles, questionShare = 1.1, 0.3  // a question that was answered
	aloneSettles                   = 1.3       // a memory settles what it says,
	aloneDepth, aloneRatio         = 0.55, 0.8 // and is all about it
	minReport, reportSettles       = 0.3, 0.5  // a report, by how surely its words settle something

	// A statement that takes the best one back must be in a session with at least this share
	laterShare = 0.4 // of the weight of the best one's session,
	sameThing  = 1.0 // in sentences with at least this weight of rare words from the best one.
	laterNear  = 2   // Its session is among the first of this many sessions. If it was on an unmerged branch,
	laterRead  = 5   // the others of this many are read, too.

	maxBehind   = 3.0 // a statement more than this below the best score is not told
	perSession  = 1.0 // deducted from the score for each statement of the same session that is told
	maxSettled  = 4   // statements, including a commit
	maxQuestion = 120 // additional characters of a question next to its answer
	maxBest     = 640 // characters of the best statement, and of what replaced it,
	maxOther    = 280 // and of each other one, unless there is space
	gistAbout   = 0.5 // weight of a rare word of the prompt, added to how surely a sentence settles something
)

// statement is something that was settled, in its original words.
type statement struct {
	id, at, session int64
	kind            store.Kind
	agent           string
	asked, said     string // the question, and the answer
	before          string // the message before it
	weight          float64
	share           float64              // of the text's total weight
	near            float64              // for a later statement: weight of the words shared with the older one
	settles         float64              // how surely it settles something; 0 = not at all
	score           float64              // statements with a higher score are told first
	about           func(string) float64 // how many rare words of the text a sentence contains
	sure            bool                 // it contains enough of the text
	reverses        bool                 // it takes something back
	held            bool                 // withheld: it reads like an instruction
	replaced        int64                // id of the later statement that replaced it; 0 = it still applies
	withdrawn       int64                // id of the user's next message, if it took this one back
	branch          string               // the unmerged branch on which it was said; "" = the one checked out, or merged
	features        Features
	holds           uint64  // the text's terms in the statement and in the question that it answers
	turn            uint64  // and those in its turn: what the user said, and what the agent answered
	commit          *Commit // of a commit that can be told
	title           string  // of a commit, as a sentence
}

// hearer is somebody who is told something.
type hearer struct {
	asked bool           // about it: then what is near is enough
	told  map[int64]bool // entries that he was told before,
	often map[int64]bool // and those that several other sessions were told
}

// statements finds what was settled earlier about a text, best first. To the entries that the hearer was told before it
// adds what says the same.
func statements(ctx context.Context, src Source, m *Model, q store.Subjects, h hearer) ([]statement, error) {
	g, err := gathered(ctx, src, m, q, h.asked)
	if err != nil {
		return nil, err
	}
	if err := noteCopies(ctx, src, g.out, h.told); err != nil {
		return nil, err
	}
	g.told, g.often = h.told, h.often
	opens, known := g.opens(), wordSet(strings.Fields(spelled(q.Text)))
	for i := range g.out {
		st := &g.out[i]
		st.about = func(s string) float64 { return g.about.Common(s) / max(g.about.Rare, 1) }
		if !st.adds(known) {
			st.settles = 0
		}
		if h.asked {
			st.sure = st.share >= leastHeld(q.Text)*shareOf(st.kind)
		} else {
			st.sure = opens(st)
		}
	}
	return g.out, nil
}

// adds reports whether a statement has a word that is not known. One without such a word only repeats the text for
// which it was found; "no deploys" adds a word to "deploys".
func (st *statement) adds(known map[string]bool) bool {
	for w := range strings.FieldsSeq(spelled(st.asked + " " + st.said)) {
		if !known[w] {
			return true
		}
	}
	return false
}

// gathered collects the statements about a text, best first.
func gathered(ctx context.Context, src Source, m *Model, q store.Subjects, asked bool) (*gathering, error) {
	q.Limit = subjects
	if asked {
		q.Limit = subjectsAll
	}
	about, err := src.Subjects(ctx, q)
	if err != nil {
		return nil, err
	}
	lines, err := readSubjects(ctx, src, about.Subjects)
	if err != nil {
		return nil, err
	}
	g := gathering{about: &about, model: m, deepest: deepest(&about), all: asked}
	g.asks = asksBack(q.Text) || onlyAsks(q.Text)
	for i, s := range about.Subjects {
		if own := linesOf(lines, s); len(own) > 0 && (i < subjectsLate || s.Session == 0 || !late(ctx)) {
			g.gather(s, own)
		}
	}
	g.addAll(g.stated)
	if !late(ctx) {
		g.addAll(g.reported)
	}
	sorting.Stable(g.out, byScore)
	return &g, nil
}

// isEvidence reports whether a document contains so much of a text that this is not chance.
func isEvidence(about *store.About, weight float64) bool {
	return weight >= minEvidence*about.Rare || holdsMost(about, weight)
}

// holdsMost does the same for a short text, of which less is enough.
func holdsMost(about *store.About, weight float64) bool {
	return about.All <= shortRare*about.Rare && weight >= fewRare*about.Rare && weight >= mostOfIt*about.All
}

// readSubjects reads the messages of sessions and documents, of fewer sessions if time is short.
func readSubjects(ctx context.Context, src Source, subjects []store.Subject) ([]store.Line, error) {
	var sessions, docs []int64
	for _, s := range subjects {
		if s.Session == 0 {
			docs = append(docs, s.Doc)
		} else if len(sessions) < subjectsLate || !late(ctx) {
			sessions = append(sessions, s.Session)
		}
	}
	return src.Talk(ctx, sessions, docs)
}

// late reports whether little time is left.
func late(ctx context.Context) bool {
	end, ok := ctx.Deadline()
	return ok && time.Until(end) < littleTime
}

// linesOf returns the lines of one subject, which are adjacent.
func linesOf(lines []store.Line, s store.Subject) []store.Line {
	of := func(l store.Line) bool {
		return s.Session != 0 && l.Session == s.Session || s.Session == 0 && l.ID == s.Doc
	}
	from := slices.IndexFunc(lines, of)
	if from < 0 {
		return nil
	}
	if n := slices.IndexFunc(lines[from:], func(l store.Line) bool { return !of(l) }); n >= 0 {
		return lines[from : from+n]
	}
	return lines[from:]
}

func byScore(a, b statement) int { return cmp.Compare(b.score, a.score) }

// alone makes a statement from a memory or another document without a session.
func alone(m *Model, about *store.About, s store.Subject, l store.Line) statement {
	st := statement{id: l.ID, at: l.At, kind: l.Type, agent: string(l.Type), said: l.Text, weight: s.Weight}
	switch l.Type {
	case store.KindMemory:
		st.agent = memoryOf(l.Foreign, st.agent)
		text := memoryText(l.Text)
		st.said = titled(l.Title, firstSentence(text))
		st.weight = about.Common(l.Title + "\n" + text)
	case store.KindCommit:
		return committed(m, about, st, s.Words, l)
	}
	st.settles, st.reverses = aloneSettles, reverses(st.said)
	st.features = st.aloneFeatures(about.Rare)
	st.score = st.features.Sum(&m.Order)
	st.sure = isEvidence(about, st.weight)
	return st
}

// memoryText returns the text of a memory without the lines that say where it comes from.
func memoryText(body string) string {
	var kept []string
	for line := range strings.Lines(body) {
		low := strings.ToLower(strings.TrimLeft(line, "#>-* "))
		if !strings.HasPrefix(low, "in answer to") && !strings.HasPrefix(low, "came up while working on") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// stated makes a statement from what the user said in a turn, with the question if the answer alone says little. A
// question settles nothing, nor does "scratch that".
func stated(m moment) statement {
	st := statement{id: m.user.ID, at: m.user.At, kind: store.KindPrompt, agent: m.user.Agent, said: m.user.Text}
	st.reverses = reverses(m.user.Text)
	asks := onlyAsks(m.user.Text) && !statesRule(m.user.Text)
	switch {
	case m.withdraws || asks && asksBack(m.user.Text):
	case m.before != nil && answers(m.user.Text, m.before.Text):
		st.asked = m.before.Text
		st.settles = questionSettles + questionShare*settles(m.before.Text)
	case !asks:
		st.settles = settles(m.user.Text)
	}
	return st
}

// answered makes a statement from the agent's final message of a turn. One that says nothing, or only asks, settles
// nothing.
func answered(m moment) statement {
	st := statement{id: m.after.ID, at: m.after.At, kind: store.KindPrompt, agent: m.after.Agent, asked: m.after.Text}
	if saysSomething(m.after.Text) && !onlyAsks(m.after.Text) {
		st.settles = max(minReport, reportSettles*settles(m.after.Text))
	}
	return st
}

// emptyWords are the content words of answers that say nothing: "Done as you said.", "I will look."
var emptyWords = wordSet(store.ContentWords("done said asked look looking check checking ok okay yes noted note got " +
	"sure set understood understand finished complete completed ready fine good great thanks working try " +
	"fertig erledigt gemacht verstanden notiert hecho listo vale entendido fait compris"))

// saysSomething reports whether an agent's message has a content word that is not empty: "It was the cache."
func saysSomething(text string) bool {
	words := store.ContentWords(text)
	return len(words) >= fewWords || slices.ContainsFunc(words, func(w string) bool { return !emptyWords[w] })
}
