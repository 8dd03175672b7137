package store

import (
	"html"
	"strings"
	"unicode/utf8"
)

const snippetBytes = 240

// snippet returns the part of a text with most of the terms, as HTML with those words in <mark>.
func (s *scorer) snippet(text string, body []lexeme) string {
	hits := s.find(text, body)
	start, end := window(text, hits)
	var b strings.Builder
	if start > 0 {
		b.WriteString("… ")
	}
	at := start
	for _, h := range hits {
		if h.start < start || h.end > end {
			continue
		}
		b.WriteString(html.EscapeString(text[at:h.start]) + "<mark>" + html.EscapeString(text[h.start:h.end]) + "</mark>")
		at = h.end
	}
	b.WriteString(html.EscapeString(text[at:end]))
	if end < len(text) {
		b.WriteString(" …")
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

type wordHit struct {
	start, end int
	weight     float64
}

// find returns the words of a text that are terms or contain one. body is the text as lexemes.
func (s *scorer) find(text string, body []lexeme) (hits []wordHit) {
	if body = s.uptoLast(body); len(body) == 0 {
		return nil
	}
	words(text, func(w string, start int) bool {
		n := 1
		for n < len(body) && body[n].part() {
			n++
		}
		if hasWide(w) {
			hits = s.findIn(hits, w, start, body[:n])
		} else if best := s.best(body[:n]); best > 0 {
			hits = append(hits, wordHit{start, start + len(w), best})
		}
		body = body[n:]
		return len(body) > 0
	})
	return hits
}

// best returns the weight of the heaviest term among the lexemes of a word; 0 = there is none.
func (s *scorer) best(of []lexeme) (best float64) {
	for _, l := range of {
		if i := s.term(l); i >= 0 {
			best = max(best, s.terms[i].idf, 0.1)
		}
	}
	return best
}

// findIn adds the parts of a word with wide characters that are terms, and joins those that touch.
func (s *scorer) findIn(hits []wordHit, w string, start int, of []lexeme) []wordHit {
	known := len(hits)
	add := func(part string, at int) {
		best := 0.0
		if len(of) > 0 {
			best, of = s.best(of[:1]), of[1:]
		}
		if best == 0 {
			return
		}
		h := wordHit{start + at, start + at + len(part), best}
		if last := len(hits) - 1; last >= known && h.start <= hits[last].end {
			hits[last].end, hits[last].weight = max(hits[last].end, h.end), max(hits[last].weight, best)
			return
		}
		hits = append(hits, h)
	}
	whole := s.best(of[:1])
	if of = of[1:]; whole > 0 {
		return append(hits, wordHit{start, start + len(w), whole})
	}
	splitWord(w, add)
	return hits
}

// uptoLast cuts off what follows the last term.
func (s *scorer) uptoLast(body []lexeme) []lexeme {
	for n := len(body); n > 0; n-- {
		if s.term(body[n-1]) >= 0 {
			return body[:n]
		}
	}
	return nil
}

// window chooses the passage with the heaviest words, cut at word boundaries.
func window(text string, hits []wordHit) (start, end int) {
	if len(text) <= snippetBytes {
		return 0, len(text)
	}
	best, sum, low := 0.0, 0.0, 0
	for _, h := range hits {
		sum += h.weight
		for h.end-hits[low].start > snippetBytes-40 && low < len(hits)-1 && hits[low].start < h.start {
			sum -= hits[low].weight
			low++
		}
		if sum > best {
			best, start = sum, hits[low].start
		}
	}
	start = max(0, start-30)
	end = min(len(text), start+snippetBytes)
	for start > 0 && !utf8.RuneStart(text[start]) {
		start--
	}
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	if i := strings.IndexAny(text[start:min(start+30, end)], " \n"); start > 0 && i >= 0 {
		start += i + 1
	}
	return start, end
}
