package page

import (
	"fmt"
	"html"
	"html/template"
	"strings"
	"time"
)

// Charts are SVG generated here from numbers. Each says in words what it shows, and the page has the numbers next to
// it; text from elsewhere is always escaped.

// part draws the bar of one row, as wide as its share of the largest.
func part(value, most int64) template.HTML {
	share := 0.0
	if most > 0 {
		share = 100 * float64(value) / float64(most)
	}
	return template.HTML(fmt.Sprintf(`<svg class="part" aria-hidden="true" focusable="false">`+
		`<rect class="fill" width="%.1f%%" height="100%%" rx="2"/></svg>`, share))
}

// column is one time step, or one bucket.
type column struct {
	Name   string // text below it, "" = none
	Value  int64
	Other  int64  // drawn next to it in the second colour
	Title  string // its tooltip
	Marked bool   // over the promised limit
}

// columns draws values over time, or a histogram, with a name below each column. label says what it shows; one and many
// are the unit of the values ("B" = bytes). Bars are percentages of their boxes and names are text: both keep their
// size on any screen.
func columns(label, one, many string, all []column) template.HTML {
	var most int64 = 1
	two := false
	for _, c := range all {
		most, two = max(most, c.Value, c.Other), two || c.Other > 0
	}
	top := plural(most, one, many)
	if many == "B" {
		top = size(most)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<div class="cols" role="img" aria-label="%s"><span class="most">%s</span>`,
		html.EscapeString(label), html.EscapeString(top))
	for _, c := range all {
		fmt.Fprintf(&b, `<div class="col" title="%s"><svg aria-hidden="true">`, html.EscapeString(c.Title))
		class := "fill"
		if c.Marked {
			class = "bad"
		}
		if two {
			upright(&b, class, 10, 39, c.Value, most)
			upright(&b, "other", 51, 39, c.Other, most)
		} else {
			upright(&b, class, 12, 76, c.Value, most)
		}
		fmt.Fprintf(&b, `</svg><span>%s</span></div>`, html.EscapeString(c.Name))
	}
	b.WriteString(`</div>`)
	return template.HTML(b.String())
}

// upright draws one bar as a percentage of its box: anything above zero is visible.
func upright(b *strings.Builder, class string, x, width int, value, most int64) {
	if value <= 0 {
		return
	}
	height := max(100*float64(value)/float64(most), 2)
	fmt.Fprintf(b, `<rect class="%s" x="%d%%" width="%d%%" y="%.1f%%" height="%.1f%%" rx="2"/>`,
		class, x, width, 100-height, height)
}

// point is a value at a position from 0 to 1.
type point struct{ X, Y float64 }

// curve draws values between 0 and 1 over time, with a line at a threshold (0 = none).
func curve(label string, all []point, threshold float64) template.HTML {
	const w, h = 640, 120
	at := func(p point) (x, y float64) { return p.X * w, 6 + (h-12)*(1-p.Y) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="chart" viewBox="0 0 %d %d" preserveAspectRatio="none" role="img" aria-label="%s">`,
		w, h, html.EscapeString(label))
	if threshold > 0 {
		_, y := at(point{0, threshold})
		fmt.Fprintf(&b, `<line class="limit" x1="0" x2="%d" y1="%.1f" y2="%.1f"/>`, w, y, y)
	}
	path := ""
	for i, p := range all {
		x, y := at(p)
		path += fmt.Sprintf("%c%.1f %.1f", "ML"[min(i, 1)], x, y)
	}
	fmt.Fprintf(&b, `<path class="curve" d="%s"/></svg>`, path)
	return template.HTML(b.String())
}

// period is one session, or one value of a key, on a time line.
type period struct {
	Title    string
	From, To time.Time
	Class    string
	Events   int64
}

// timeline draws the start and end of each period, one below the other, thicker if more happened.
func timeline(label string, all []period) template.HTML {
	if len(all) == 0 {
		return ""
	}
	first, last := all[0].From, all[0].To
	var most int64 = 1
	for _, p := range all {
		first, last, most = earlier(first, p.From), later(last, p.To), max(most, p.Events)
	}
	whole := max(last.Sub(first).Seconds(), 1)
	const row, least = 16, 0.8 // pixels of a row, and percent of the width that anything gets
	var b strings.Builder
	fmt.Fprintf(&b, `<div class="timeline" role="img" aria-label="%s"><svg height="%d" aria-hidden="true">`,
		html.EscapeString(label), len(all)*row)
	for i, p := range all {
		width := max(100*p.To.Sub(p.From).Seconds()/whole, least)
		x := min(100*p.From.Sub(first).Seconds()/whole, 100-width)
		thick := 5 + 8*float64(p.Events)/float64(most)
		middle := i*row + row/2
		fmt.Fprintf(&b, `<g><title>%s</title><line class="axis" x1="0" x2="100%%" y1="%d" y2="%d"/>`,
			html.EscapeString(p.Title), middle, middle)
		fmt.Fprintf(&b, `<rect class="%s" x="%.2f%%" y="%.1f" width="%.2f%%" height="%.1f" rx="2"/></g>`,
			p.Class, x, float64(middle)-thick/2, width, thick)
	}
	fmt.Fprintf(&b, `</svg><p><span>%s</span><span>%s</span></p></div>`, when(first), when(last))
	return template.HTML(b.String())
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
