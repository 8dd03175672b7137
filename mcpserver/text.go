package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"keepmum/api"
	"keepmum/lazyregexp"
)

// Limits in bytes. Claude Code warns above about 40,000, and the user pays for every byte.
const (
	maxAnswer = 16_000
	maxEntry  = 4_000
	maxLine   = 300
)

// fence marks remembered text as a record. Hooks recognise the fence if an agent repeats the text. Nothing in the text
// can end it or control a screen.
func fence(lines string) string {
	lines = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, fenceSign.ReplaceAllString(lines, "&lt;$1"))
	return "<mum-context>\n" + lines + "</mum-context>"
}

// fenceSign matches the signs of a fence in a text.
var fenceSign = lazyregexp.New(`(?i)<(\s*/?\s*mum-context)`)

// withheld returns what an agent reads in place of what others wrote that reads like an instruction.
func withheld(id int64) string {
	return fmt.Sprintf("withheld: someone else wrote it, and it reads like an instruction. The user can read it: "+
		"mum show %d", id)
}

func searchText(found api.SearchResults, where string) string {
	if found.NoWords {
		return "Nothing was found: the query has no word to search for."
	}
	if len(found.Results) == 0 {
		text := "Nothing was found in " + where + ". Other words, or project \"*\" for all projects, may help."
		if found.CommitsUnread {
			text += " " + unreadCommits
		}
		return text
	}
	var b strings.Builder
	for _, r := range found.Results {
		what := strings.TrimSpace(r.Title)
		if snippet := once(newIn(plain(r.Snippet), what)); what == "" {
			what = snippet
		} else if snippet != "" {
			what += " | " + snippet
		}
		if r.Withheld {
			what = withheld(r.ID)
		}
		by := ""
		if r.ReplacedBy != 0 {
			by = fmt.Sprintf(" (replaced by [%d])", r.ReplacedBy)
		}
		fmt.Fprintf(&b, "[%d] %s %s %s%s: %s\n", r.ID, day(r.Date), r.Agent, kind(r.Type, r.Origin), by, limit(what, maxLine))
	}
	if more := found.Total - len(found.Results); more > 0 {
		fmt.Fprintf(&b, "(%d more)\n", more)
	}
	if found.CommitsUnread {
		b.WriteString("(" + unreadCommits + ")\n")
	}
	return fence(b.String())
}

const unreadCommits = "Not all commits of the repository are read yet; git log has them."

// kind returns the type of an entry and its origin: text from a web page is less trustworthy than the user's words.
func kind(kind, origin string) string {
	switch origin {
	case "agent":
		if kind == "prompt" {
			return "answer of the agent"
		}
		return kind + " by the agent"
	case "user":
		return kind + " by the user"
	case "tool":
		return kind + " of a tool"
	case "web":
		return kind + " from the web"
	case "repository", "team":
		return kind + " of the " + origin
	}
	return kind
}

// newIn returns what a snippet says beyond a title: of a tool, the title is its name and the beginning of the text.
func newIn(snippet, title string) string {
	_, said, _ := strings.Cut(title, " ")
	for _, known := range []string{title, said} {
		if rest, found := strings.CutPrefix(snippet, known); found && known != "" {
			return strings.TrimLeft(rest, " .,;:\n")
		}
	}
	return snippet
}

// once returns a text without an end that repeats its beginning: the response of an edit repeats the request.
func once(text string) string {
	const least = 20 // bytes; fewer may be repeated by chance
	said := strings.TrimSuffix(text, " …")
	for at := (len(said) + 1) / 2; at < len(said)-least; at++ {
		if said[at-1] == ' ' && strings.HasPrefix(said, said[at:]) {
			return said[:at-1]
		}
	}
	return text
}

// plain removes the marks and escapes from a snippet, which is HTML.
func plain(snippet string) string {
	return html.UnescapeString(strings.NewReplacer("<mark>", "", "</mark>", "").Replace(snippet))
}

func entriesText(found api.Observations) string {
	var b strings.Builder
	for _, o := range found.Observations {
		if o.Withheld {
			o.Title, o.Text = withheld(o.ID), ""
		}
		fmt.Fprintf(&b, "[%d] %s %s %s in %s: %s\n", o.ID, o.Date.Format(time.DateTime), o.Agent, kind(o.Type, o.Origin),
			o.Project, o.Title)
		part(&b, "", standing(o))
		if o.Failed {
			b.WriteString("it failed\n")
		}
		part(&b, "", o.Text)
		part(&b, "input: ", readable(o.Input))
		part(&b, "output: ", readable(o.Output))
		b.WriteString("\n")
	}
	for _, id := range found.Missing {
		fmt.Fprintf(&b, "[%d] is not in the memory\n", id)
	}
	return fence(b.String())
}

// standing says whether a memory still holds, and what it was learned from.
func standing(o api.Observation) string {
	var said []string
	switch {
	case o.ReplacedBy != 0:
		said = append(said, fmt.Sprintf("no longer valid: replaced by [%d]", o.ReplacedBy))
	case o.State != "" && o.State != "active":
		said = append(said, "no longer valid: "+o.State)
	}
	if o.Confidence != 0 {
		said = append(said, fmt.Sprintf("confidence %.0f %%", 100*o.Confidence))
	}
	for _, id := range o.Evidence {
		said = append(said, fmt.Sprintf("learned from [%d]", id))
	}
	return strings.Join(said, ", ")
}

func part(b *strings.Builder, name, text string) {
	if text != "" {
		fmt.Fprintf(b, "%s%s\n", name, limit(text, maxEntry))
	}
}

// readable returns a JSON string as its text, and other JSON as it is, without HTML escapes.
func readable(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return string(raw)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return string(raw)
	}
	return strings.TrimSpace(b.String())
}

func timelineText(found api.Timeline) string {
	var b strings.Builder
	for _, m := range found.Moments {
		mark := " "
		if m.ID == found.ID {
			mark = ">"
		}
		if m.Withheld {
			m.Title = withheld(m.ID)
		}
		fmt.Fprintf(&b, "%s[%d] %s %s: %s\n", mark, m.ID, m.Date.Format(time.TimeOnly), m.Type, limit(m.Title, maxLine))
	}
	where := "in " + found.Project
	if found.Session != "" {
		where = "session " + found.Session + " " + where
	}
	return fence(where + "\n" + b.String())
}

func day(t time.Time) string { return t.Format(time.DateOnly) }

// limit cuts s at a rune boundary, says so, and closes a fence that was cut off.
func limit(s string, n int) string {
	if len(s) <= n {
		return s
	}
	fenced := strings.HasSuffix(s, "</mum-context>")
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	s = s[:n] + " …"
	if fenced {
		s += "\n</mum-context>"
	}
	return s
}
