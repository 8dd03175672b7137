package recall

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"keepmum/store"
)

// What decides what is told of the past. The numbers were chosen on the
// tasks of testdata/told; docs/context.md has the figures.
const (
	subjects    = 12 // are looked at closely,
	subjectsAll = 16 // and so many for somebody who asked

	// Where so little time is left of what an answer may take (300 ms), fewer are.
	littleTime   = 150 * time.Millisecond
	subjectsLate = 4

	// A memory must hold as much as so many words of the prompt tell that one session alone
	// has. Of a short prompt less is enough, if it is so much of it.
	leastEvidence     = 4.2
	fewRare, mostOfIt = 1.5, 0.5

	settledMost = 1.3 // how sure a statement settles something counts up to here,
	moreMost    = 2.0 // and otherwise for so much beyond it

	questionSettles, questionShare = 1.1, 0.3  // a question that was answered
	aloneSettles                   = 1.3       // a memory settles what it says,
	aloneDepth, aloneRatio         = 0.55, 0.8 // and is all about it
	reportLeast, reportSettles     = 0.3, 0.5  // a report, by how sure its words settle something

	commitWords = 1.75 // rare words that a commit must hold
	leastWhy    = 60   // bytes of its message below the first line
	mostCommits = 1    // are told, in the place of one statement
	mostCommit  = 360  // characters of one

	// What takes the best back later stands in a session that holds so much of the prompt,
	laterShare = 0.4 // of what the session of the best holds,
	sameThing  = 1.0 // and in sentences that have so many rare words of the best.

	behind      = 3.0 // of the best statement's score, by which one is not told
	again       = 1.0 // less for each statement of its session that is told
	mostSettled = 4   // statements, a commit among them
	mostAnswer  = 120 // characters more of a question, beside its answer
	mostBest    = 480 // characters of the best, and of what replaced it,
	mostOther   = 280 // and of each other
	gistAbout   = 0.5 // of a rare word of the prompt, beside how sure a sentence settles something
)

// statement is something that was settled, in the words in which it was.
type statement struct {
	id, at, session int64
	kind            store.Kind
	agent           string
	asked, said     string // what it answers, and the answer
	before          string // what was said before it
	weight          float64
	share           float64              // of what the text tells
	near            float64              // of a later one, what it has of the older one's words
	settles         float64              // how sure it settles something; 0 = not at all
	score           float64              // by which it is told before others
	about           func(string) float64 // how many rare words of the text a sentence holds
	sure            bool                 // enough of the text is held
	held            bool                 // back: it reads as an instruction
	replaced        int64                // by which later one; 0 = it holds
	features        Features
}

// statements finds what the past settled about a text, best first. Where it is for
// somebody who did not ask, nothing is read of sessions none of which is sure.
func statements(ctx context.Context, src Source, m *Model, q store.Subjects, asked bool) ([]statement, error) {
	q.Limit = subjects
	if asked {
		q.Limit = subjectsAll
	}
	about, err := src.Subjects(ctx, q)
	if err != nil {
		return nil, err
	}
	if !asked && !m.tells(&about) {
		about.Subjects = slices.DeleteFunc(about.Subjects, func(s store.Subject) bool { return s.Session != 0 })
	}
	lines, err := readSubjects(ctx, src, about.Subjects)
	if err != nil {
		return nil, err
	}
	g := gathering{about: &about, model: m, deepest: deepest(&about), all: asked}
	for i, s := range about.Subjects {
		if own := linesOf(lines, s); len(own) > 0 && (i < subjectsLate || s.Session == 0 || !late(ctx)) {
			g.gather(s, own)
		}
	}
	if !late(ctx) {
		g.reports()
	}
	slices.SortStableFunc(g.out, byScore)
	for i := range g.out {
		g.out[i].about = func(s string) float64 { return about.Common(s) / max(about.Rare, 1) }
	}
	return g.out, nil
}

// bears says that so much of a text is held that it is no chance.
func bears(about *store.About, weight float64) bool {
	return weight >= leastEvidence*about.Rare || holdsMost(about, weight)
}

// holdsMost says it of a short text, of which less is enough.
func holdsMost(about *store.About, weight float64) bool {
	return weight >= fewRare*about.Rare && weight >= mostOfIt*about.All
}

// readSubjects reads what was said in sessions and documents, of fewer sessions where
// time is short.
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

// late says that little time is left: what is there then is told of less.
func late(ctx context.Context) bool {
	end, ok := ctx.Deadline()
	return ok && time.Until(end) < littleTime
}

// linesOf are those of one subject: they stand together.
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

// gathering collects the statements of subjects with their scores.
type gathering struct {
	about   *store.About
	model   *Model
	deepest float64
	all     bool // also what is not good enough to be told
	out     []statement
	best    float64
	report  []report
}

// report is what the agent said at the end of a turn. It is looked at last: where a
// user settled something, it seldom matters.
type report struct {
	moment
	s store.Subject
}

func (g *gathering) gather(s store.Subject, lines []store.Line) {
	if s.Session == 0 {
		st := alone(g.model, g.about, s, lines[0])
		st.share = st.weight / max(g.about.All, 1)
		g.out = append(g.out, st)
		return
	}
	for _, m := range momentsOf(lines, s.Terms) {
		g.add(stated(m), m, s)
		if m.after != nil {
			g.report = append(g.report, report{m, s})
		}
	}
}

// reports adds what the agents said, where it could be told.
func (g *gathering) reports() {
	for _, r := range g.report {
		if g.all || g.most(r) >= g.best-behind {
			g.add(answered(r.moment), r.moment, r.s)
		}
	}
}

// most is the score of a report that is as sure as can be.
func (g *gathering) most(r report) float64 {
	sure := statement{settles: settledMost + moreMost}
	f := g.features(&sure, r.moment, r.s)
	return f.Sum(&g.model.Order)
}

// add scores a statement by how sure it settles something more than by how much of
// the prompt its session holds: the text most like a complaint is an older one.
func (g *gathering) add(st statement, m moment, s store.Subject) {
	if m.before != nil {
		st.before = m.before.Text
	}
	st.session, st.weight = s.Session, s.Weight
	st.share = st.weight / max(g.about.All, 1)
	st.features = g.features(&st, m, s)
	st.score = st.features.Sum(&g.model.Order)
	st.sure = true
	g.best = max(g.best, st.score)
	g.out = append(g.out, st)
}

// alone is a memory, or whatever else stands for itself.
func alone(m *Model, about *store.About, s store.Subject, l store.Line) statement {
	st := statement{id: l.ID, at: l.At, kind: l.Type, agent: string(l.Type), said: l.Text, weight: s.Weight}
	switch l.Type {
	case store.KindMemory:
		text := memoryText(l.Text)
		st.said = titled(l.Title, firstSentence(text))
		st.weight = about.Common(l.Title + "\n" + text)
	case store.KindCommit:
		return committed(about, st, s.Words, l)
	}
	st.settles = aloneSettles
	st.features = st.of(about.Rare)
	st.score = st.features.Sum(&m.Order)
	st.sure = bears(about, st.weight)
	return st
}

// committed is a commit that says why: one whose message is a line settles nothing,
// and one that reads as an instruction is not told. It is short and to the point, so
// it needs to hold less of the prompt than a session does.
func committed(about *store.About, st statement, words int, l store.Line) statement {
	why := strings.TrimSpace(store.CommitMessage(l.Text, []string{""}))
	st.said = strings.TrimRight(l.Title, ".") + ". " + why
	st.held = l.Role == string(store.RoleInstruction)
	st.sure = len(why) >= leastWhy && words >= 3 && st.weight >= commitWords*about.Rare && !st.held
	st.settles = 1
	st.score = math.Sqrt(st.weight)
	return st
}

// memoryText is what a memory says, without the lines that say where it came from.
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

// stated is what the user said in a turn, with what it answers where it says little
// by itself.
func stated(m moment) statement {
	st := statement{id: m.user.ID, at: m.user.At, kind: store.KindPrompt, agent: m.user.Agent, said: m.user.Text}
	if m.before != nil && answers(m.user.Text, m.before.Text) {
		st.asked = m.before.Text
		st.settles = questionSettles + questionShare*settles(m.before.Text)
		return st
	}
	st.settles = settles(m.user.Text)
	return st
}

// answered is what a turn came to, in the agent's words.
func answered(m moment) statement {
	return statement{id: m.after.ID, at: m.after.At, kind: store.KindPrompt, agent: m.after.Agent, asked: m.after.Text,
		settles: max(reportLeast, reportSettles*settles(m.after.Text))}
}
