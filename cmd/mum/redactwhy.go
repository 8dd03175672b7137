package main

import (
	"fmt"
	"io"
	"strings"

	"keepmum/privacy"
)

// redactedText is the answer of `mum redact --json`.
type redactedText struct {
	Text     privacy.Clean     `json:"text"`
	Findings []privacy.Finding `json:"findings"`
	Why      *whyRedacted      `json:"why,omitempty"`
}

// whyRedacted says why something is removed, and what nearly was. Its words come from the gate's own lists, never from
// a secret.
type whyRedacted struct {
	Reasons []whyPlace `json:"reasons"`
	Nearest *whyPlace  `json:"nearest_kept,omitempty"`
}

// whyPlace is a span of the text.
type whyPlace struct {
	Line   int                `json:"line"`
	Column int                `json:"column"`
	Bytes  int                `json:"bytes"`
	Rule   string             `json:"rule,omitempty"`
	Word   string             `json:"word,omitempty"`
	Looks  string             `json:"looks,omitempty"`
	Again  bool               `json:"again,omitempty"`
	Judged *privacy.Judgement `json:"judged,omitempty"`
}

func placeIn(text string, from, to int) whyPlace {
	before := text[:from]
	line, column := 1+strings.Count(before, "\n"), from-strings.LastIndexByte(before, '\n')
	return whyPlace{Line: line, Column: column, Bytes: to - from}
}

func explained(gate *privacy.Gate, text string) (*whyRedacted, error) {
	e, err := gate.Why(text)
	if err != nil {
		return nil, err
	}
	out := &whyRedacted{Reasons: []whyPlace{}}
	for _, r := range e.Reasons {
		p := placeIn(text, r.From, r.To)
		p.Rule, p.Word, p.Looks, p.Again, p.Judged = r.Rule, r.Word, r.Looks, r.Again, r.Judged
		out.Reasons = append(out.Reasons, p)
	}
	if k := e.Nearest; k != nil {
		p := placeIn(text, k.From, k.To)
		p.Judged = &k.Judgement
		out.Nearest = &p
	}
	return out, nil
}

func (w *whyRedacted) print(talk io.Writer) {
	for _, p := range w.Reasons {
		fmt.Fprintf(talk, "%d:%d: %d bytes, %s, %s\n", p.Line, p.Column, p.Bytes, p.Rule, p.reason())
		printDecided(talk, p.Judged)
	}
	if p := w.Nearest; p != nil {
		fmt.Fprintf(talk, "kept, and closest to a redaction: %d:%d: %d bytes, %s\n", p.Line, p.Column, p.Bytes,
			keptBecause(p.Judged))
		printDecided(talk, p.Judged)
	}
}

// reason says what decided about a span.
func (p whyPlace) reason() string {
	by := "found by a scan of the whole text"
	switch {
	case p.Again:
		by = "also found in another place"
	case p.Judged != nil && p.Looks == "":
		return p.weight()
	case p.Word != "":
		by = fmt.Sprintf("set off by the word %q", p.Word)
	}
	if p.Looks != "" {
		by += ": the value is " + p.Looks
	}
	if p.Judged != nil {
		by += ", " + p.weight()
	}
	return by
}

func (p whyPlace) weight() string {
	return fmt.Sprintf("weight %.1f, threshold %.1f", p.Judged.Score, p.Judged.Threshold)
}

func keptBecause(j *privacy.Judgement) string {
	switch {
	case j.RuledOut:
		return "ruled out by the first check"
	case j.Score >= j.Threshold:
		return fmt.Sprintf("weight %.1f, above the threshold, but its form is public", j.Score)
	}
	return fmt.Sprintf("weight %.1f, threshold %.1f", j.Score, j.Threshold)
}

func printDecided(talk io.Writer, j *privacy.Judgement) {
	if j == nil {
		return
	}
	for _, d := range j.Decided {
		fmt.Fprintf(talk, "  %+.1f  %s\n", d.Weight, d.Says)
	}
}
