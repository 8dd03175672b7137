package page

import (
	"fmt"
	"html"
	"html/template"
	"strings"
	"time"
	"unicode/utf8"

	"keepmum/lazyregexp"
)

// How much a list and an entry show of one text; the rest is cut, with a note.
const (
	lineLength = 600
	textLength = 40_000
)

func funcs() template.FuncMap {
	return template.FuncMap{
		"line": func(s string) template.HTML { return shown(oneLine(s), lineLength) },
		"text": func(s string) template.HTML { return shown(s, textLength) }, "marks": marks, "when": when, "clock": clock,
		"size": size, "number": number, "numbered": numbered, "plural": plural, "percent": percent, "span": span,
		"join": strings.Join, "columns": columns, "timeline": timeline, "curve": curve,
		"part": part, "dict": dict, "sub": func(a, b int64) int64 { return a - b }, "short": short,
		"fates": fates, "said": said, "fate": fateClass, "linkname": linkName, "graph": graph, "diff": shownDiff,
		"menu": menu, "place": place, "kind": kind, "list": listOf, "has": hasList, "title": titled,
		"event": func(f frame, e any) map[string]any { return map[string]any{"F": f, "E": e} },
	}
}

// kind returns what an entry is called: an answer is stored beside the prompts.
func kind(stored, origin string) string {
	if stored == "prompt" && origin == "agent" {
		return "answer"
	}
	return stored
}

// hasList reports whether a page is about one thing of a list.
func hasList(room string) bool { return room == "entry" || room == "memory" || room == "session" }

// listOf returns the room of the list that a page belongs to.
func listOf(room string) string {
	if to := menu(room); rooms()[to] != nil {
		return to
	}
	return "today"
}

func titled(room string) string { return strings.ToUpper(room[:1]) + room[1:] }

// dict returns a map from pairs, for nested templates.
func dict(pairs ...any) map[string]any {
	out := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		out[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return out
}

var placeholder = lazyregexp.New(`\[(REDACTED|EXCLUDED|WITHHELD|CUT):([^\]\s]{1,200})\]`)

// shown returns third-party text as text: escaped, cut, with redactions marked.
func shown(s string, most int) template.HTML {
	s, cut := cutText(s, most)
	s = html.EscapeString(s)
	s = placeholder.ReplaceAllStringFunc(s, func(m string) string {
		rule, _, _ := strings.Cut(placeholder.FindStringSubmatch(m)[2], "#")
		return `<mark class="gone" title="removed: ` + rule + `">` + m + `</mark>`
	})
	if cut > 0 && most == lineLength { // a list gets only the start of a text: its length is unknown
		s += ` <span class="cut">… more</span>`
	} else if cut > 0 {
		s += fmt.Sprintf(` <span class="cut">… %s more</span>`, size(int64(cut)))
	}
	return template.HTML(s)
}

// cutText returns the beginning of a text, and how many bytes are missing.
func cutText(s string, most int) (head string, cut int) {
	if len(s) <= most {
		return s, 0
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most], len(s) - most
}

// marks returns the snippet of a search: of its HTML only <mark> is kept. Texts outside and inside of it alternate.
func marks(snippet string) template.HTML {
	var b strings.Builder
	inside := false
	for more := true; more || inside; inside = !inside && more {
		tag := "<mark>"
		if inside {
			tag = "</mark>"
		}
		var text string
		text, snippet, more = strings.Cut(snippet, tag)
		b.WriteString(html.EscapeString(html.UnescapeString(text)))
		if more || inside {
			b.WriteString(tag)
		}
	}
	return template.HTML(b.String())
}

// oneLine returns a text without line breaks, as far as a list shows it; the rest is only there to be counted as cut.
func oneLine(s string) string {
	head, _ := cutText(s, 4*lineLength)
	rest := s[len(head):]
	return strings.Join(strings.Fields(head), " ") + rest
}

// when returns a time; the script converts it to the reader's time zone.
func when(t time.Time) template.HTML {
	if t.IsZero() {
		return "never"
	}
	return template.HTML(fmt.Sprintf(`<time datetime="%s">%s</time>`,
		t.UTC().Format(time.RFC3339), t.Local().Format("2006-01-02 15:04")))
}

// clock returns a time without the date.
func clock(t time.Time) template.HTML {
	return template.HTML(fmt.Sprintf(`<time class="clock" datetime="%s">%s</time>`,
		t.UTC().Format(time.RFC3339), t.Local().Format("15:04:05")))
}

// size returns a number of bytes in the largest fitting unit.
func size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	default:
		return fmt.Sprintf("%.2f GiB", float64(n)/(1<<30))
	}
}

// number returns a number with thousands separators.
func number(v any) string {
	s := fmt.Sprint(v)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// plural returns a number with the word for what is counted.
func plural(v any, one, many string) string {
	if s := fmt.Sprint(v); s == "1" {
		return "1 " + one
	}
	return number(v) + " " + many
}

func percent(f float64) string { return fmt.Sprintf("%.0f %%", 100*f) }

// span returns how long something lasted.
func span(from, to time.Time) string {
	d := to.Sub(from)
	switch {
	case d < time.Second:
		return "under 1 s"
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%.1f h", d.Hours())
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// short returns the start of an id.
func short(s string) string {
	if len(s) > 8 && utf8.ValidString(s[:8]) {
		return s[:8]
	}
	return s
}
