package memory

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"keepmum/lazyregexp"
)

// covering is the share of a sentence that must already be there for the sentence to add nothing.
const covering = 0.8

// absorb adds what another memory has beyond this one: its sources, its tags, and the sentences that say more. Title
// and id stay.
func (m *Memory) absorb(from Memory) {
	for _, tag := range from.Tags {
		m.Tags = appendNew(m.Tags, tag)
	}
	for _, o := range from.Sources {
		if !slices.Contains(m.Sources, o) {
			m.Sources = append(m.Sources, o)
		}
	}
	for _, id := range from.Supersedes {
		if id != m.ID {
			m.Supersedes = appendNew(m.Supersedes, id)
		}
	}
	m.takeLinks(from)
	if m.Key == "" {
		m.Key = from.Key
	}
	m.saidBefore(from.ValidFrom)
	m.Confidence = max(m.Confidence, from.Confidence)
	m.Pinned = m.Pinned || from.Pinned
	if m.Outcome == "" {
		m.Outcome = from.Outcome.stated()
	}
	if m.Kind == "" && m.Primitive == Learning {
		m.Kind = from.Kind
	}
	said := bag{}
	said.add(m.Title, 1)
	if said.add(m.Body, 1); from.Body != "" || !saysAll(said, from.Title) {
		m.Body = mergeBodies(m.Body, from.statement())
	}
}

// statement returns what a memory says: a fact says it in the title.
func (m Memory) statement() string { return cmp.Or(withoutOrigin(m.Body), m.Title) }

// withoutOrigin returns a body without the lines that say where a memory comes from: they are no part of what it says.
func withoutOrigin(body string) string {
	return strings.TrimSpace(fromWhere.ReplaceAllString(body, ""))
}

var fromWhere = lazyregexp.New(`(?m)^(?:Came up while working on: |Said by the user in ).*$`)

// saidBefore makes a memory valid from the first time it was said, because sessions are not read in chronological
// order. A memory that replaced another one keeps its start, because the other was valid until then.
func (m *Memory) saidBefore(at time.Time) {
	if !at.IsZero() && at.Before(m.since()) && len(m.Supersedes)+len(m.Held) == 0 {
		m.ValidFrom = at
	}
}

// mergeBodies appends to a body what another one says beyond it.
func mergeBodies(body, other string) string {
	said := bag{}
	said.add(body, 1)
	var more []string
	for _, p := range pieces(other) {
		if !covers(said, p) {
			more = append(more, p)
			said.add(p, 1)
		}
	}
	if len(more) == 0 {
		return body
	}
	return strings.TrimSpace(body + "\n\n" + strings.Join(more, glue(more)))
}

// glue joins pieces: sentences follow each other; anything structured gets its own line.
func glue(pieces []string) string {
	if slices.ContainsFunc(pieces, structured) {
		return "\n"
	}
	return " "
}

// structured reports whether a piece is more than a sentence: a list item, a heading, a table, code.
func structured(piece string) bool {
	return strings.ContainsAny(piece, "\n|") || listItem.MatchString(piece) || strings.HasPrefix(piece, "#")
}

// covers reports whether a text with these terms already says a piece. A missing name or number is news, however much
// of the rest is known.
func covers(said bag, piece string) bool {
	words := bag{}
	news := false
	terms(piece, func(t term) {
		words[t.text] = max(words[t.text], t.kind.weight())
		if _, ok := said[t.text]; !ok && (t.kind == number || t.kind == ident) {
			news = true
		}
	})
	if news {
		return false
	}
	known := 0.0
	for t, w := range words {
		if _, ok := said[t]; ok {
			known += w
		}
	}
	return known >= covering*words.total()
}

// saysAll reports whether body contains everything in other.
func saysAll(body bag, other string) bool {
	return within(pieces(other), func(p string) bool { return covers(body, p) })
}

var (
	listItem    = lazyregexp.New(`^\s*([-*+]|\d+[.)])\s`)
	sentenceEnd = lazyregexp.New("[.!?][\"')`]*\\s+[\"'(`]*[\\p{Lu}\\p{Lo}`]|[。！？]")
)

// pieces splits a body into parts that can be taken over separately: sentences, list items, headings, code blocks.
func pieces(body string) []string {
	var out []string
	var prose, block []string
	flush := func() {
		out = append(out, sentences(strings.Join(prose, " "))...)
		prose = nil
	}
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, " \t\r\n")
		fenced := strings.HasPrefix(strings.TrimSpace(line), "```")
		switch {
		case block != nil:
			block = append(block, line)
			if fenced {
				out, block = append(out, strings.Join(block, "\n")), nil
			}
		case fenced:
			flush()
			block = []string{line}
		case line == "":
			flush()
		case structured(line):
			flush()
			out = append(out, line)
		default:
			prose = append(prose, strings.TrimSpace(line))
		}
	}
	flush()
	if block != nil {
		out = append(out, strings.Join(block, "\n"))
	}
	return out
}

// sentences splits prose after the marks that end a sentence.
func sentences(prose string) []string {
	var out []string
	for prose != "" {
		at := sentenceEnd.FindStringIndex(prose)
		if at == nil {
			break
		}
		end := at[0] + endMarks(prose[at[0]:at[1]])
		out = append(out, strings.TrimSpace(prose[:end]))
		prose = strings.TrimSpace(prose[end:])
	}
	if prose != "" {
		out = append(out, prose)
	}
	return out
}

// endMarks returns how much of a match belongs to the sentence it ends.
func endMarks(match string) int {
	if space := strings.IndexAny(match, " \t\n"); space > 0 {
		return space
	}
	return len(match)
}
