package memory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepmum/sorting"
)

// section is a part of the hot memory with its limit in tokens. What one section does not use is not given to the next,
// so that a section does not change when another one does.
type section struct {
	title  string
	tokens int
	lines  []string
}

// hotText is what an agent should know first: up to about 2,000 tokens, and the same bytes for the same memories.
func (r ranking) hotText(l Listing) string {
	active := r.sorted(Visible(l.Active, "")) // the reader, and so the branch, is unknown
	lines := func(keep func(Memory) bool) (out []string) {
		for _, m := range active {
			if keep(m) {
				out = append(out, hotLine(m))
			}
		}
		return out
	}
	var b strings.Builder
	b.WriteString("# Hot memory\n\n" + generated)
	for _, s := range []section{
		{"Active decisions", 600, lines(func(m Memory) bool { return m.Primitive == Decision })},
		{"Key learnings", 500, lines(func(m Memory) bool { return m.Primitive == Learning && !m.warns() })},
		{"Recent context", 300, recent(l.Summaries)},
		{"Watch out", 350, lines(Memory.warns)},
		{"Across agents", 150, lines(func(m Memory) bool { return len(m.agents()) > 1 })},
	} {
		s.write(&b)
	}
	return b.String()
}

// write writes a section if it has any content.
func (s section) write(b *strings.Builder) {
	left, begun := s.tokens-tokens(s.title), false
	for _, line := range s.lines {
		need := tokens(line)
		if need > left {
			continue // a shorter one may fit
		}
		if left -= need; !begun {
			fmt.Fprintf(b, "\n## %s\n\n", s.title)
			begun = true
		}
		b.WriteString(line)
	}
}

// tokens estimates how many tokens a text has: about one for four letters, or for one character of a script with
// thousands of them.
func tokens(s string) int {
	ascii, wide := 0, 0
	for _, r := range s {
		if r < 0x80 {
			ascii++
		} else {
			wide++
		}
	}
	return ascii/4 + wide + 1
}

// longTitle is how many characters of a title are shown: the first sentence of a memory may be a paragraph.
const longTitle = 200

func hotLine(m Memory) string {
	text := "- " + shorten(strings.Join(strings.Fields(m.Title), " "), longTitle)
	if g := gist(m.Body); g != "" {
		text += ": " + g
	}
	if at := cmp.Or(dayOf(m.ValidFrom), dayOf(m.Created)); at != "" {
		text += " (" + at + ")"
	}
	return text + " `" + m.ID + "`\n"
}

func dayOf(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.DateOnly)
}

// warns reports whether a memory is about something that went wrong.
func (m Memory) warns() bool {
	return m.Primitive == Learning && (m.Kind == Pitfall || m.Kind == Friction || m.Outcome == Failed)
}

// agents returns the agents whose sessions a memory comes from.
func (m Memory) agents() []string {
	var out []string
	for _, o := range m.Sources {
		if agent, _, ok := strings.Cut(o.Session, "/"); ok {
			out = appendNew(out, agent)
		}
	}
	return out
}

// recentSummaries is how many sessions the hot memory lists.
const recentSummaries = 8

func recent(summaries []Summary) []string {
	latest := sorting.Sorted(slices.Values(summaries), func(a, b Summary) int {
		return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.Path, b.Path))
	})
	var out []string
	for _, s := range latest[:min(len(latest), recentSummaries)] {
		text := "- " + dayOf(s.Created) + " " + strings.Join(strings.Fields(s.Title), " ")
		if d := strings.Join(strings.Fields(s.Description), " "); d != "" && !strings.HasSuffix(normal(d), normal(s.Title)) {
			text += ": " + shorten(d, linkedLine)
		}
		if s.Agent != "" {
			text += " (" + s.Agent + ")"
		}
		out = append(out, text+"\n")
	}
	return out
}
