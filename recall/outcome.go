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

	// The session of what is told must hold as much as so many words of the prompt tell that
	// one session alone has. Of a short prompt less is enough, if it is so much of it.
	leastEvidence     = 4.2
	fewRare, mostOfIt = 1.5, 0.45

	// A statement's score is a sum, fitted as the choice of one turn among all of them.
	sessionPart = 1.6  // of the root of what its session holds of the prompt, in rare words;
	turnPart    = 1.7  // of what its turn holds, with what the agent said before it;
	beforePart  = 0.8  // of that alone;
	settlesPart = 2.5  // of how sure it settles something,
	settledMost = 1.3  // up to here,
	settlesMore = 1.0  // and beyond it,
	settledMore = 2.0  // up to so much;
	answerPart  = 1.1  // for an answer to a question,
	correctPart = 0.65 // for one that begins with no;
	lengthPart  = 0.37 // of the logarithm of its length;
	firstPart   = -2.4 // a session begins with what is asked, seldom with what is settled;
	reportPart  = -2.0 // what the agent reported is told where the user settled nothing
	mostWorth   = settlesPart*settledMost + settlesMore*settledMore

	questionSettles, questionShare = 1.1, 0.3 // a question that was answered
	aloneSettles                   = 1.3      // a memory settles what it says
	reportLeast, reportSettles     = 0.3, 0.5 // a report, by how sure its words settle something

	commitWords = 1.75 // rare words that a commit must hold
	leastWhy    = 60   // bytes of its message below the first line
	mostCommits = 1    // are told, in the place of one statement
	mostCommit  = 360  // characters of one

	// What takes the best back later stands in a session that holds so much of the prompt,
	laterShare = 0.4 // of what the session of the best holds,
	sameThing  = 1.0 // and in sentences that have so many rare words of the best.

	behind      = 2.5 // of the best statement's score, by which one is not told
	together    = 2.0 // more for what else was settled in its session
	mostSettled = 4   // statements, a commit among them,
	perSession  = 2   // of one session
	mostAnswer  = 120 // characters more of a question, beside its answer
	mostBest    = 500 // characters of the best, and of what replaced it,
	mostOther   = 300 // and of each other
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
	near            float64              // how much of the text its turn and its session hold
	settles         float64              // how sure it settles something; 0 = not at all
	score           float64              // of both
	about           func(string) float64 // how many rare words of the text a sentence holds
	first           bool                 // of its session
	sure            bool                 // enough of the text is held,
	most            bool                 // most of it
	held            bool                 // back: it reads as an instruction
	replaced        int64                // by which later one; 0 = it holds
}

// statements finds what the past settled about a text, best first. Where it is for
// somebody who did not ask, nothing is read of sessions none of which is sure.
func statements(ctx context.Context, src Source, q store.Subjects, asked bool) ([]statement, error) {
	q.Limit = subjects
	if asked {
		q.Limit = subjectsAll
	}
	about, err := src.Subjects(ctx, q)
	if err != nil {
		return nil, err
	}
	if !asked {
		dropUnsure(&about)
	}
	lines, err := readSubjects(ctx, src, about.Subjects)
	if err != nil {
		return nil, err
	}
	g := gathering{about: &about, all: asked}
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

// dropUnsure takes the sessions out where none of them is sure.
func dropUnsure(about *store.About) {
	sure := func(s store.Subject) bool { return s.Session != 0 && bears(about, s.Weight) }
	if !slices.ContainsFunc(about.Subjects, sure) {
		about.Subjects = slices.DeleteFunc(about.Subjects, func(s store.Subject) bool { return s.Session != 0 })
	}
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
	about  *store.About
	all    bool // also what is not good enough to be told
	out    []statement
	best   float64
	report []report
}

// report is what the agent said at the end of a turn. It is looked at last: where a
// user settled something, it seldom matters.
type report struct {
	moment
	s store.Subject
}

func (g *gathering) gather(s store.Subject, lines []store.Line) {
	if s.Session == 0 {
		st := alone(g.about, s, lines[0])
		st.share = st.weight / max(g.about.All, 1)
		g.out = append(g.out, st)
		return
	}
	for i, m := range momentsOf(lines, s.Terms) {
		st := stated(m)
		st.first = i == 0
		g.add(st, m, s)
		if m.after != nil {
			g.report = append(g.report, report{m, s})
		}
	}
}

// reports adds what the agents said, where it could be told.
func (g *gathering) reports() {
	for _, r := range g.report {
		if g.all || g.near(r.s, r.moment)+mostWorth+reportPart >= g.best-behind {
			g.add(answered(r.moment), r.moment, r.s)
		}
	}
}

// near is how much of the prompt a turn and its session hold.
func (g *gathering) near(s store.Subject, m moment) float64 {
	root := func(weight float64) float64 { return math.Sqrt(weight / max(g.about.Rare, 1)) }
	turn, before := g.about.Weight(m.terms|m.asked), g.about.Weight(m.asked)
	return sessionPart*root(s.Weight) + turnPart*root(turn) + beforePart*root(before)
}

// add scores a statement by how sure it settles something more than by how much of
// the prompt its session holds: the text most like a complaint is an older one.
func (g *gathering) add(st statement, m moment, s store.Subject) {
	if m.before != nil {
		st.before = m.before.Text
	}
	st.session, st.weight = s.Session, s.Weight
	st.share = st.weight / max(g.about.All, 1)
	st.near = g.near(s, m)
	st.score = st.near + st.worth()
	st.sure, st.most = bears(g.about, st.weight), holdsMost(g.about, st.weight)
	g.best = max(g.best, st.score)
	g.out = append(g.out, st)
}

// worth is what a statement brings, whatever it is about.
func (st *statement) worth() float64 {
	sum := settlesPart*min(st.settles, settledMost) + settlesMore*min(max(st.settles-settledMost, 0), settledMore)
	if st.said == "" {
		return sum + reportPart
	}
	if st.first {
		sum += firstPart
	}
	if st.asked != "" {
		sum += answerPart
	}
	if corrects(st.said) {
		sum += correctPart
	}
	return sum + lengthPart*math.Log(float64(1+len(st.said)))
}

// alone is a memory, or whatever else stands for itself.
func alone(about *store.About, s store.Subject, l store.Line) statement {
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
	st.near = (sessionPart + turnPart) * math.Sqrt(st.weight/max(about.Rare, 1))
	st.score = st.near + st.worth()
	st.sure, st.most = bears(about, st.weight), holdsMost(about, st.weight)
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
