package recall

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"keepmum/store"
)

// What decides what is told of the past. The numbers were chosen on the
// tasks of testdata/told; docs/context.md has the figures.
const (
	subjects    = 8  // are looked at closely,
	subjectsAll = 12 // and so many for somebody who asked

	// rareWords is the evidence that a subject must hold: as much as so many words
	// of the prompt tell that one session alone has.
	rareWords = 4.25
	// leastOfIt is the share of what a prompt tells that must be held besides: a long
	// one has many words in common with anything.
	leastOfIt = 0.24
	// Of a short prompt less is enough, if it is so much of what the prompt tells.
	fewRare, mostOfIt = 1.5, 0.45

	settledMost                    = 1.3      // beyond this a statement is no surer to settle something
	turnShare                      = 0.5      // how much the words of its turn count beside those of the session
	questionSettles, questionShare = 1.1, 0.3 // a question that was answered
	aloneSettles                   = 1.0      // a memory settles what it says
	firstTurn                      = 0.8      // a session begins with what is asked, seldom with what is settled

	// What the agent reported is told where the user settled nothing.
	answerLeast, answerShare, answerMost = 0.3, 0.2, 0.7

	commitWords = 1.75 // rare words that a commit must hold
	leastWhy    = 60   // bytes of its message below the first line
	mostCommits = 1    // are told, in the place of one statement
	mostCommit  = 400  // characters of one

	laterShare = 0.4 // of the weight of what was chosen that what takes it back must have,
	sameThing  = 0.1 // and of its words those that what was chosen or the prompt has too

	nearBest    = 0.6 // of the best statement's score, below which one is not told
	mostSettled = 3   // statements, a commit among them,
	perSession  = 2   // of one session
	mostAnswer  = 120 // characters more of a question, beside its answer
	mostBest    = 460 // characters of the best,
	mostOther   = 360 // and of each other
)

// statement is something that was settled, in the words in which it was.
type statement struct {
	id, at, session int64
	kind            store.Kind
	agent           string
	asked, said     string // what it answers, and the answer
	before          string // what was said before it
	weight          float64
	score           float64
	mass            float64 // what of the prompt its session and its turn hold
	replaced        int64   // by which later one; 0 = it holds
	held            bool    // back: it reads as an instruction
	share           float64 // of what the text tells
	sure            bool    // enough of the prompt is held
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
	inSession := func(s store.Subject) bool { return s.Session != 0 }
	sure := func(s store.Subject) bool { return inSession(s) && bears(&about, s.Words, s.Weight) }
	if !asked && !slices.ContainsFunc(about.Subjects, sure) {
		about.Subjects = slices.DeleteFunc(about.Subjects, inSession)
	}
	var sessions, docs []int64
	for _, s := range about.Subjects {
		if s.Session != 0 {
			sessions = append(sessions, s.Session)
		} else {
			docs = append(docs, s.Doc)
		}
	}
	lines, err := src.Talk(ctx, sessions, docs)
	if err != nil {
		return nil, err
	}
	g := gathering{about: &about, all: asked}
	for _, s := range about.Subjects {
		if own := linesOf(lines, s); len(own) > 0 {
			g.gather(s, own)
		}
	}
	g.reports()
	slices.SortStableFunc(g.out, byScore)
	return g.out, nil
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
	s    store.Subject
	last bool
}

func (g *gathering) gather(s store.Subject, lines []store.Line) {
	if s.Session == 0 {
		st := alone(g.about, s, lines[0])
		st.share = st.weight / max(g.about.All, 1)
		g.out = append(g.out, st)
		return
	}
	moments := momentsOf(lines, s.Terms)
	for i, m := range moments {
		st := stated(m)
		if i == 0 {
			st.score *= firstTurn
		}
		g.add(st, m, s)
		if m.after != nil {
			g.report = append(g.report, report{m, s, i+1 == len(moments)})
		}
	}
}

// reports adds what the agents said, where it could be told.
func (g *gathering) reports() {
	for _, r := range g.report {
		if g.all || answerMost*math.Sqrt(g.mass(r.moment, r.s)) >= nearBest*g.best {
			g.add(answered(r.moment, r.last), r.moment, r.s)
		}
	}
}

func (g *gathering) mass(m moment, s store.Subject) float64 {
	return s.Weight + turnShare*g.about.Weight(m.terms)
}

// add scores a statement by how sure it settles something more than by how much of
// the prompt its session holds: the text most like a complaint is an older one.
func (g *gathering) add(st statement, m moment, s store.Subject) {
	if m.before != nil {
		st.before = m.before.Text
	}
	st.session, st.weight, st.sure = s.Session, s.Weight, bears(g.about, s.Words, s.Weight)
	st.share, st.mass = st.weight/max(g.about.All, 1), g.mass(m, s)
	st.score = min(st.score, settledMost) * math.Sqrt(st.mass)
	g.best = max(g.best, st.score)
	g.out = append(g.out, st)
}

// bears says that so much of a text is held that it is no chance.
func bears(about *store.About, words int, weight float64) bool {
	much := weight >= rareWords*about.Rare && weight >= leastOfIt*about.All
	return words >= 2 && (much || weight >= fewRare*about.Rare && weight >= mostOfIt*about.All)
}

// alone is a memory, or whatever else stands for itself.
func alone(about *store.About, s store.Subject, l store.Line) statement {
	st := statement{id: l.ID, at: l.At, kind: l.Type, agent: string(l.Type), said: l.Text, weight: s.Weight}
	words := s.Words
	switch l.Type {
	case store.KindMemory:
		text := memoryText(l.Text)
		st.said = titled(l.Title, firstSentence(text))
		words, st.weight = held(about, l.Title+"\n"+text)
	case store.KindCommit:
		return committed(about, st, s.Words, l)
	}
	st.sure = bears(about, words, st.weight)
	st.mass = (1 + turnShare) * st.weight
	st.score = aloneSettles * math.Sqrt(st.mass)
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
	st.mass = (1 + turnShare) * st.weight
	st.score = math.Sqrt(st.mass)
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

// held is how much of what the prompt tells stands in a text.
func held(about *store.About, text string) (words int, weight float64) {
	for _, w := range store.ContentWords(text) {
		if of, ok := about.Stems[w]; ok {
			words++
			weight += of
		}
	}
	return words, weight
}

// stated is what the user said in a turn, with what it answers where it says little
// by itself. Its score is how sure it settles something.
func stated(m moment) statement {
	st := statement{id: m.user.ID, at: m.user.At, kind: store.KindPrompt, agent: m.user.Agent, said: m.user.Text}
	if m.before != nil && answers(m.user.Text, m.before.Text) {
		st.asked = m.before.Text
		st.score = questionSettles + questionShare*settles(m.before.Text)
		return st
	}
	st.score = settles(m.user.Text)
	return st
}

// answered is what a turn came to, in the agent's words.
func answered(m moment, last bool) statement {
	st := statement{id: m.after.ID, at: m.after.At, kind: store.KindPrompt, agent: m.after.Agent, asked: m.after.Text}
	st.score = min(answerLeast+answerShare*settles(m.after.Text), answerMost)
	if !last {
		st.score *= firstTurn
	}
	return st
}

// choose takes the statements that are told, best first, where one of them at least
// is sure. A commit has a place of its own: what it holds is
// not to be compared with what a whole session holds.
func choose(all []statement, known map[int64]bool) []statement {
	sure := slices.ContainsFunc(all, func(st statement) bool { return st.sure && st.kind != store.KindCommit })
	all = slices.DeleteFunc(slices.Clone(all), func(st statement) bool {
		weak := !st.sure && (!sure || st.session == 0) // what is near to something sure is told beside it
		return weak || known[st.id] || st.score <= 0
	})
	commit := slices.DeleteFunc(slices.Clone(all), func(st statement) bool { return st.kind != store.KindCommit })
	all = slices.DeleteFunc(all, func(st statement) bool { return st.kind == store.KindCommit })
	all = slices.DeleteFunc(all, func(st statement) bool { return st.score < nearBest*all[0].score })
	of := map[int64]int{}
	out := slices.DeleteFunc(all, func(st statement) bool {
		of[st.session]++
		return of[st.session] > 1 && (!st.sure || of[st.session] > perSession) && st.session != 0
	})
	commit = commit[:min(len(commit), mostCommits)]
	return append(out[:min(len(out), mostSettled-len(commit))], commit...)
}

// withLater adds what was said later and takes back or changes the best of what was
// chosen, and says of that one that it was replaced.
func withLater(prompt string, chosen, all []statement, known map[int64]bool) []statement {
	if len(chosen) == 0 || chosen[0].kind == store.KindCommit {
		return chosen
	}
	old := &chosen[0]
	subject := map[string]bool{}
	for _, w := range store.ContentWords(strings.Join([]string{prompt, old.before, old.asked, old.said}, "\n")) {
		subject[w] = true
	}
	for _, st := range all {
		if known[st.id] || !mayReplace(st, old) || !reverses(st.asked+" "+st.said) {
			continue
		}
		words := store.ContentWords(strings.Join([]string{st.before, st.asked, st.said}, "\n"))
		if len(words) == 0 || share(words, subject) < sameThing {
			continue
		}
		old.replaced = st.id
		if !slices.ContainsFunc(chosen, func(c statement) bool { return c.id == st.id }) {
			chosen = append(chosen, st)
		}
		return chosen
	}
	return chosen
}

// mayReplace says that one is newer, of another session, and about as much of the
// prompt as the other.
func mayReplace(st statement, old *statement) bool {
	newer := st.session != old.session && st.at > old.at && st.kind != store.KindCommit
	return newer && st.weight >= laterShare*old.weight
}

// settled writes a line about something that was settled.
func (w *writer) settled(st statement, most int) {
	said, asked := quote(gist(st.said, most), most), quote(gist(st.asked, most+mostAnswer), most+mostAnswer)
	line := fmt.Sprintf("- %s %s", day(time.UnixMilli(st.at)), st.agent)
	switch {
	case st.kind != store.KindPrompt:
		line += ": " + said
	case st.asked == "":
		line += fmt.Sprintf(", the user: %q", said)
	case st.said == "":
		line += fmt.Sprintf(": %q", asked)
	default:
		line += fmt.Sprintf(": %q; the user: %q", asked, said)
	}
	line += fmt.Sprintf(" (%d)", st.id)
	if st.replaced != 0 {
		line += fmt.Sprintf(", replaced by %d", st.replaced)
	}
	about := store.Injected{ID: st.id, Type: st.kind, Score: math.Round(st.score*100) / 100}
	w.add(entry{line, line, []string{st.asked, st.said}, []store.Injected{about}})
}

// gist is what of a text settles most, in at most so many characters: all of a
// short one, of a long one its best sentences in their order.
func gist(text string, most int) string {
	if len(text) <= most {
		return text
	}
	type piece struct {
		at    int
		text  string
		score float64
	}
	var pieces []piece
	for i, s := range sentences(text) {
		pieces = append(pieces, piece{i, s, settles(s)})
	}
	slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Compare(b.score, a.score) })
	room := most
	var kept []piece
	for _, p := range pieces {
		if len(p.text)+3 <= room {
			room -= len(p.text) + 3
			kept = append(kept, p)
		}
	}
	slices.SortFunc(kept, func(a, b piece) int { return cmp.Compare(a.at, b.at) })
	var b strings.Builder
	for i, p := range kept {
		switch {
		case i == 0:
		case p.at == kept[i-1].at+1:
			b.WriteByte(' ')
		default:
			b.WriteString(" … ")
		}
		b.WriteString(p.text)
	}
	return b.String()
}

// sentences are the lines and sentences of a text.
func sentences(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		rest := strings.TrimSpace(line)
		for rest != "" {
			end := len(rest)
			for i := 15; i+1 < len(rest); i++ {
				if strings.IndexByte(".!?", rest[i]) >= 0 && rest[i+1] == ' ' {
					end = i + 1
					break
				}
			}
			out = append(out, strings.TrimSpace(rest[:end]))
			rest = strings.TrimSpace(rest[end:])
		}
	}
	return out
}
