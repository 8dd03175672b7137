package main

import (
	"regexp"
	"strings"
)

// span is what was taken out of a text.
type span struct {
	From int    `json:"from"`
	To   int    `json:"to"`
	Rule string `json:"rule"`
}

// reminders are blocks of an agent's own that the gate strips without a mark.
var reminders = regexp.MustCompile(`(?s)<(system-reminder|mum-context)>.*?</(system-reminder|mum-context)>`)

// unaligned is the rule for a text from which something was removed without a mark.
const unaligned = "unaligned"

const mark = `\[(REDACTED:[^\]\s]{1,64}#[0-9a-f]{4}|WITHHELD:[^\]\n]{1,64}|EXCLUDED:[^\]\n]{1,400})\]`

// marks are the forms of a placeholder: the second has quotes of its own, in the place of a bare JSON value.
var marks = []*regexp.Regexp{regexp.MustCompile(mark), regexp.MustCompile(`"?` + mark + `"?`)}

// align finds which part of a text each placeholder replaces: it tries the lengths in the findings first, then the
// nearest place where the rest continues.
func align(text string, a answer) []span {
	if a.Text == text {
		return nil
	}
	sizes := map[string]map[int]bool{}
	for _, f := range a.Findings {
		if sizes[f.Rule] == nil {
			sizes[f.Rule] = map[int]bool{}
		}
		sizes[f.Rule][f.Bytes] = true
	}
	if reminders.MatchString(text) {
		return align(reminders.ReplaceAllString(text, ""), a)
	}
	for _, form := range marks {
		al := aligner{text: text, out: a.Text, sizes: sizes, dead: map[[2]int]bool{}}
		al.at = form.FindAllStringIndex(a.Text, -1)
		if al.from(0, 0, 0) {
			return al.spans
		}
	}
	return []span{{0, len(text), unaligned}}
}

type aligner struct {
	text, out string
	at        [][]int
	sizes     map[string]map[int]bool
	spans     []span
	dead      map[[2]int]bool // mark and offset from which no path leads to the end
}

// from matches the output from mark k on; what is before it matches up to t and o.
func (al *aligner) from(k, t, o int) bool {
	key := [2]int{k, t}
	if al.dead[key] {
		return false
	}
	if k == len(al.at) {
		return al.text[t:] == al.out[o:]
	}
	lit := al.out[o:al.at[k][0]]
	if !strings.HasPrefix(al.text[t:], lit) {
		al.dead[key] = true
		return false
	}
	t += len(lit)
	mark := al.out[al.at[k][0]:al.at[k][1]]
	if strings.HasPrefix(al.text[t:], mark) && al.from(k+1, t+len(mark), al.at[k][1]) {
		return true // it was there before
	}
	rule, _, _ := strings.Cut(strings.TrimPrefix(strings.Trim(mark, `"[]`), "REDACTED:"), "#")
	for _, n := range al.lengths(rule, k, t) {
		al.spans = append(al.spans, span{t, t + n, rule})
		if al.from(k+1, t+n, al.at[k][1]) {
			return true
		}
		al.spans = al.spans[:len(al.spans)-1]
	}
	al.dead[key] = true
	return false
}

// lengths returns the possible lengths of a span at t.
func (al *aligner) lengths(rule string, k, t int) (out []int) {
	end := len(al.out)
	if k+1 < len(al.at) {
		end = al.at[k+1][0]
	}
	next := al.out[al.at[k][1]:end]
	fits := func(n int) bool {
		return n > 0 && t+n <= len(al.text) && strings.HasPrefix(al.text[t+n:], next)
	}
	for n := range al.sizes[rule] {
		if fits(n) {
			out = append(out, n)
		}
	}
	if k+1 == len(al.at) {
		if n := len(al.text) - t - len(next); n > 0 {
			out = append(out, n)
		}
		return out
	}
	for at, tries := t+1, 0; tries < 20 && at <= len(al.text); tries++ {
		i := strings.Index(al.text[at:], next)
		if i < 0 {
			break
		}
		out = append(out, at+i-t)
		at += i + 1
	}
	return out
}
