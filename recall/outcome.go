package recall

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"keepmum/store"
)

// statement is something that was settled, in the words in which it was.
type settled struct {
	id    int64
	at    int64 // unix ms
	text  string
	raw   []string // what it quotes, as it was stored
	score float64
	rel   float64
}

// outcome is what a subject came to.
type outcome struct {
	about      store.Subject
	session    int64
	kind       store.Kind
	at         int64
	statements []settled // best first
	score      float64
}

// bars are the numbers that decide what is told.
var bars = struct {
	share, commit, memory float64
	base, rel             float64
	near                  float64
	least                 float64
	room                  int
}{share: 0.35, commit: 0.25, memory: 0.35, base: 0.25, rel: 1.5, near: 0.7, least: 0.35, room: 600}

// outcomes finds what the past settled about a prompt, best first.
func outcomes(ctx context.Context, src Source, a Ask, known map[int64]bool) ([]outcome, error) {
	about, err := src.Subjects(ctx, store.Subjects{Text: a.Prompt, Projects: a.scope(), Without: a.Row, Limit: 10})
	if err != nil {
		return nil, err
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
	var out []outcome
	for _, s := range about.Subjects {
		mine := slices.DeleteFunc(slices.Clone(lines), func(l store.Line) bool {
			if s.Session == 0 {
				return l.ID != s.Doc
			}
			return l.Session != s.Session
		})
		if len(mine) == 0 {
			continue
		}
		o := outcomeOf(s, &about, mine)
		if os.Getenv("RECALL_DEBUG") != "" {
			best := ""
			if len(o.statements) > 0 {
				best = fmt.Sprintf("%.2f rel %.2f %.160q", o.statements[0].score, o.statements[0].rel, o.statements[0].text)
			}
			fmt.Printf("   · %d/%d %s share %.2f words %d score %.2f first %.60q best %s\n", s.Session, s.Doc, o.kind, s.Share, s.Words, o.score, mine[0].Text, best)
		}
		out = append(out, o)
	}
	slices.SortStableFunc(out, func(a, b outcome) int { return cmp.Compare(b.score, a.score) })
	return out, nil
}

func outcomeOf(s store.Subject, about *store.About, lines []store.Line) outcome {
	o := outcome{about: s, session: s.Session, kind: lines[0].Type, at: lines[len(lines)-1].At}
	if s.Session == 0 {
		l := lines[0]
		text := l.Text
		if l.Type == store.KindMemory {
			text = statementOf(l)
		}
		o.statements = []settled{{id: l.ID, at: l.At, text: text, raw: []string{text}, score: 1, rel: s.Share}}
		o.score = s.Share
		return o
	}
	moments := momentsOf(lines, s.Terms)
	for i, m := range moments {
		o.statements = append(o.statements, stated(m, i, about))
	}
	slices.SortStableFunc(o.statements, func(a, b settled) int { return cmp.Compare(b.score, a.score) })
	best := 0.0
	if len(o.statements) > 0 {
		best = o.statements[0].score
	}
	o.score = s.Share * (0.6 + 0.4*min(best, 1.5))
	return o
}

func statementOf(l store.Line) string { return statement(l.Title, firstSentence(l.Text)) }

func stated(m moment, i int, about *store.About) settled {
	rel := about.Share(m.terms)
	st := settled{id: m.user.ID, at: m.user.At, rel: rel}
	if m.before != nil && answersQuestion(m.user.Text, m.before.Text) {
		q := asks(m.before.Text)
		st.text = fmt.Sprintf("asked %q, the user said %q", quote(q, 450), quote(m.user.Text, 120))
		st.raw = []string{q, m.user.Text}
		st.score = (0.8 + 0.4*min(settles(q), 2)) * (bars.base + bars.rel*max(rel, about.Share(m.said)))
		return st
	}
	text := worded(m.user.Text)
	st.text, st.raw = fmt.Sprintf("the user said %q", quote(text, 500)), []string{text}
	st.score = settles(text) * (bars.base + bars.rel*rel)
	if i == 0 {
		st.score *= 0.8
	}
	return st
}

// asks is the end of a message that asks something: the question and the options before it.
func asks(text string) string {
	if len(text) <= 450 {
		return text
	}
	at := strings.LastIndexByte(text, '?') + 1
	return beginningAtWord(text[max(0, at-400):min(len(text), at+60)])
}

func beginningAtWord(s string) string {
	if i := strings.IndexByte(s, ' '); i > 0 && i < 40 {
		return strings.ToValidUTF8(s[i+1:], "")
	}
	return strings.ToValidUTF8(s, "")
}

// worded is what of a message was typed: of a long one the sentences that settle most.
func worded(text string) string {
	if len(text) <= 500 {
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
	room := 450
	var kept []piece
	for _, p := range pieces {
		if len(p.text) < room {
			room -= len(p.text) + 3
			kept = append(kept, p)
		}
	}
	slices.SortFunc(kept, func(a, b piece) int { return cmp.Compare(a.at, b.at) })
	var out []string
	for _, p := range kept {
		out = append(out, p.text)
	}
	return strings.Join(out, " … ")
}

func sentences(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		rest := strings.TrimSpace(line)
		for rest != "" {
			end := len(rest)
			for i := 1; i+1 < len(rest); i++ {
				if strings.IndexByte(".!?", rest[i]) >= 0 && rest[i+1] == ' ' && i > 15 {
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

// tell writes a line about an outcome.
func (w *writer) tell(o outcome, agent string, room int) {
	var chosen []settled
	for _, st := range o.statements {
		if len(chosen) > 0 && (st.score < 0.45*o.statements[0].score || len(st.text) > room) {
			continue
		}
		if st.score <= 0 {
			continue
		}
		chosen = append(chosen, st)
		room -= len(st.text)
	}
	if len(chosen) == 0 {
		return
	}
	slices.SortFunc(chosen, func(a, b settled) int { return cmp.Compare(a.id, b.id) })
	var texts, raw []string
	var about []store.Injected
	for _, st := range chosen {
		texts = append(texts, st.text)
		raw = append(raw, st.raw...)
		about = append(about, store.Injected{ID: st.id, Type: o.kind, Score: st.score})
	}
	line := fmt.Sprintf("- %s %s: %s (%d)", day(time.UnixMilli(chosen[0].at)), agent, quote(strings.Join(texts, "; "), 1000), about[0].ID)
	w.add(entry{line, line, raw, about})
}
