package page

import (
	"fmt"
	"html"
	"html/template"
	"strings"
	"time"

	"keepmum/api"
)

// linkName returns the name of a link, seen from the memory that is shown: of a link to another one or, with from, of a
// link that comes from another one.
func linkName(as string, from bool) string {
	names := map[string][2]string{
		"depends_on": {"depends on", "is needed by"},
		"see":        {"see also", "is mentioned by"},
		"replaces":   {"replaces", "is replaced by"},
	}
	two, ok := names[as]
	switch {
	case !ok:
		return strings.ReplaceAll(as, "_", " ")
	case from:
		return two[1]
	}
	return two[0]
}

// graph draws a memory in the middle, links to it on the left and links from it on the right. The list next to it has
// the same links, so nobody needs the picture.
func graph(base string, l api.MemoryLinks) template.HTML {
	const width, row, box, most = 880, 44, 210, 8
	from, to := l.From[:min(len(l.From), most)], l.To[:min(len(l.To), most)]
	rows := max(len(from), len(to), 1)
	height := rows*row + 8
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="graph" viewBox="0 0 %d %d" aria-hidden="true">`, width, height)
	node := func(x, y float64, title string, entry int64, class string) {
		fmt.Fprintf(&b, `<a href="%smemory/%d" tabindex="-1">`+
			`<rect class="node%s" x="%.0f" y="%.0f" width="%d" height="32" rx="6"/>`+
			`<text x="%.0f" y="%.0f">%s</text></a>`, base, entry, class, x, y-16, box, x+10, y+4,
			html.EscapeString(beginning(oneLine(title), 28)))
	}
	middle := float64(height) / 2
	side := func(all []api.MemoryLink, x, edge, end float64, left bool) {
		for i, link := range all {
			if link.Memory == nil {
				continue
			}
			y := float64(height) * (float64(i) + 0.5) / float64(len(all))
			fmt.Fprintf(&b, `<path class="edge" d="M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f"/>`+
				`<text class="as" x="%.0f" y="%.0f" text-anchor="middle">%s</text>`, edge, y, (edge+end)/2, y, (edge+end)/2, middle,
				end, middle, (edge+end)/2, (y+middle)/2-5, html.EscapeString(linkName(link.As, left)))
			node(x, y, link.Memory.Title, link.Memory.Entry, stale(link.Memory.State))
		}
	}
	side(from, 0, box, (width-box)/2, true)
	side(to, width-box, width-box, (width+box)/2, false)
	node((width-box)/2, middle, l.Memory.Title, l.Memory.Entry, " here")
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

// stale returns the class of a memory that is not in use.
func stale(state string) string {
	if state == "active" {
		return ""
	}
	return " stale"
}

// beginning returns the first characters of a text.
func beginning(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return strings.TrimSpace(string(r[:most-1])) + "…"
	}
	return s
}

// periodsOf returns when each value of a key was valid.
func periodsOf(all []api.HeldSpan, now time.Time) (out []period) {
	for _, s := range all {
		p := period{Title: s.Memory.Title, From: s.From, To: now, Class: "fill", Events: 1}
		if s.To != nil {
			p.To, p.Class = *s.To, "idle"
		}
		out = append(out, p)
	}
	return out
}
