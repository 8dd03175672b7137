package page

import (
	"fmt"
	"html"
	"html/template"
	"strings"
	"time"
)

// Charts are SVG made here, of numbers. Each says in words what it shows, and the room has
// the numbers beside it; what is drawn has no text of anybody else but escaped.

// bar is one row of a chart of rows.
type bar struct {
	Name  string
	Value int64
	Note  string
	Link  string
}

// part is a bar of one row, as wide as its share of the largest.
func part(value, most int64) template.HTML {
	share := 0.0
	if most > 0 {
		share = 100 * float64(value) / float64(most)
	}
	return template.HTML(
		fmt.Sprintf(
			`<svg class="part" aria-hidden="true" focusable="false"><rect class="fill" width="%.1f%%" height="100%%" rx="2"/></svg>`,
			share,
		),
	)
}

// bars is the largest value of some rows.
func bars(all []bar) (most int64) {
	for _, b := range all {
		most = max(most, b.Value)
	}
	return most
}

// column is one step of time, or one bucket.
type column struct {
	Name   string // what stands below it, if anything
	Value  int64
	Other  int64  // drawn beside it in the second colour
	Title  string // said of it
	Marked bool   // beyond what was promised
}

const (
	chartWidth  = 640
	chartHeight = 140
	chartFoot   = 18
)

// columns draws values over time, or a histogram, each with its name below.
func columns(label string, all []column) template.HTML {
	var most int64 = 1
	for _, c := range all {
		most = max(most, c.Value, c.Other)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="chart" viewBox="0 0 %d %d" role="img" aria-label="%s">`,
		chartWidth, chartHeight, html.EscapeString(label))
	step := float64(chartWidth) / float64(max(1, len(all)))
	two := hasOther(all)
	fmt.Fprintf(&b, `<line class="axis" x1="0" x2="%d" y1="%d" y2="%d"/>`,
		chartWidth, chartHeight-chartFoot, chartHeight-chartFoot)
	for i, c := range all {
		width := min(step*0.7, 44)
		if two {
			width = min(step*0.36, 22)
		}
		x := float64(i)*step + (step-width)/2
		if two {
			x -= width / 2
		}
		fmt.Fprintf(&b, `<g><title>%s</title>`, html.EscapeString(c.Title))
		column := func(class string, at float64, value int64) {
			h := float64(chartHeight-chartFoot-14) * float64(value) / float64(most)
			if value > 0 {
				h = max(h, 1.5)
			}
			fmt.Fprintf(&b, `<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="1.5"/>`,
				class, at, chartHeight-chartFoot-h, width, h)
		}
		class := "fill"
		if c.Marked {
			class = "bad"
		}
		column(class, x, c.Value)
		if two {
			column("other", x+width, c.Other)
		}
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">%s</text></g>`,
			float64(i)*step+step/2, chartHeight-4, html.EscapeString(c.Name))
	}
	fmt.Fprintf(&b, `<text class="most" x="0" y="10">%s</text></svg>`, number(most))
	return template.HTML(b.String())
}

func hasOther(all []column) bool {
	for _, c := range all {
		if c.Other > 0 {
			return true
		}
	}
	return false
}

// point is a value at a place from 0 to 1.
type point struct{ X, Y float64 }

// curve draws values between 0 and 1 over time, with a line at a threshold (0 = none).
func curve(label string, all []point, threshold float64) template.HTML {
	const w, h = chartWidth, 120
	at := func(p point) (x, y float64) { return p.X * w, 6 + (h-12)*(1-p.Y) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="chart" viewBox="0 0 %d %d" role="img" aria-label="%s">`, w, h, html.EscapeString(label))
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

// lane is one session on a line of time.
type lane struct {
	Name, Title, Link string
	From, To          time.Time
	Class             string
	Events            int64
}

// lanes draws sessions over time, one below the other, thicker where more happened.
func lanes(label string, all []lane) template.HTML {
	if len(all) == 0 {
		return ""
	}
	first, last := all[0].From, all[0].To
	var most int64 = 1
	for _, l := range all {
		first, last, most = earlier(first, l.From), later(last, l.To), max(most, l.Events)
	}
	whole := max(last.Sub(first).Seconds(), 1)
	const row = 16
	var b strings.Builder
	fmt.Fprintf(
		&b,
		`<svg class="chart lanes" viewBox="0 0 %d %d" role="img" aria-label="%s">`,
		chartWidth,
		len(all)*row+chartFoot,
		html.EscapeString(label),
	)
	for i, l := range all {
		x := l.From.Sub(first).Seconds() / whole * (chartWidth - 8)
		width := max(l.To.Sub(l.From).Seconds()/whole*(chartWidth-8), 4)
		thick := 4 + 8*float64(l.Events)/float64(most)
		y := float64(i*row) + (row-thick)/2
		fmt.Fprintf(
			&b,
			`<line class="axis" x1="0" x2="%d" y1="%d" y2="%d"/><g><title>%s</title><rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="2"/></g>`,
			chartWidth,
			i*row+row/2,
			i*row+row/2,
			html.EscapeString(l.Title),
			l.Class,
			x,
			y,
			width,
			thick,
		)
	}
	y := len(all)*row + chartFoot - 4
	fmt.Fprintf(&b, `<text x="0" y="%d">%s</text><text x="%d" y="%d" text-anchor="end">%s</text></svg>`,
		y, first.Local().Format("2 Jan 15:04"), chartWidth, y, last.Local().Format("2 Jan 15:04"))
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
