package judge

import (
	"strings"

	"keepmum/privacy/value"
)

// The marks that may surround a word.
var (
	marksBefore = setOf("\"'`*([{<,;:=|-#>")
	marksBehind = setOf("\"'`*)]}>,;:.|")
)

// setOf returns the set of the bytes in a list.
func setOf(list string) (out [256]bool) {
	for i := range len(list) {
		out[list[i]] = true
	}
	return out
}

// scoreWord scores a word and the parts between its signs, and takes out the best one that reaches the threshold.
func (b *scorer) scoreWord(i int) {
	w := &b.words[i]
	if !b.mayBeSecret(i) {
		return
	}
	taken := b.isTaken(w.start, w.end)
	if taken && b.Watch == nil {
		return
	}
	if taken {
		defer func(l line) { b.line = l }(b.line) // it is scored only for the watcher
	}
	best := candidate{score: b.bar}
	found := b.score(&candidate{start: w.start, end: w.end, at: i, last: i}, &best)
	if v := b.Text[w.start:w.end]; w.n.signs > 0 && parting(v) >= 0 && !encodedRow(v) {
		found = b.scoreParts(i, w, &best) || found
	}
	if found && !taken && !value.AgentID(b.Text[best.start:best.end]) {
		b.redact(best)
	}
}

// mayBeSecret reports whether a word is worth a score: not too short or long, and not a common word of a language.
func (b *scorer) mayBeSecret(i int) bool {
	w := &b.words[i]
	if w.end-w.start < shortest || w.end-w.start > longest {
		return false
	}
	return !w.n.plain() || w.n.letters >= 4 && b.plainWordAllowed(i) && b.level(i) <= commonLevel
}

const (
	shortest = 3  // bytes of a candidate
	longest  = 96 // bytes of a word
)

// partingSigns join the name of an account to a password, and cells of rows.
const partingSigns = "/:=,|;>\"'("

var partsWords = setOf(partingSigns)

// parting returns the offset of the first sign that can split a word, -1 = there is none.
func parting(v string) int {
	for i := 1; i < len(v)-2; i++ {
		if partsWords[v[i]] {
			return i
		}
	}
	return -1
}

// scoreParts scores what is between the signs of a word.
func (b *scorer) scoreParts(i int, w *word, best *candidate) bool {
	const most = 8
	found, from := false, w.start
	for n := 0; from < w.end && n < most; n++ {
		to := from
		for to < w.end && !partsWords[b.Text[to]] {
			to++
		}
		end := to
		if to < w.end && b.Text[to] == '/' && strings.HasSuffix(b.Text[from:to], "<") {
			end-- // a closing tag
		}
		if end-from >= shortest && end-from < w.end-w.start {
			found = b.score(&candidate{start: from, end: end, at: i, last: i}, best) || found
		}
		from = to + 1
	}
	return found
}
