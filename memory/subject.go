package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"keepmum/lazyregexp"
)

// otherSubject reports whether two memories are about different things in similar words: each title names something
// that the other memory does not mention, or the titles are the same sentence but for one word.
func (p *profile) otherSubject(q *profile) bool {
	if p.otherActor(q) || len(without(p.names, q.all)) > 0 && len(without(q.names, p.all)) > 0 {
		return true
	}
	const frame = 3 // terms: a shorter sentence may be said with another word
	a, b := without(p.subject, q.all), without(q.subject, p.all)
	return len(a) == 1 && len(b) == 1 && len(p.title)-len(without(p.title, q.title)) >= frame
}

// namesOf returns what a title names: identifiers, words with a capital letter inside the sentence, and who does
// something in "Acme pays by invoice" (actor; "" = nobody).
func namesOf(title string) (names bag, actor string) {
	names = bag{}
	if m := acting.FindStringSubmatch(title); m != nil {
		terms(m[1], func(t term) {
			if actor == "" && t.kind != generic && t.kind != number && !isOrder(t.text) {
				actor = t.text
				names[t.text] = t.kind.weight()
			}
		})
	}
	words := strings.Fields(title)
	capitals := 0
	for _, w := range words {
		if first, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(first) {
			capitals++
		}
	}
	for i, w := range words {
		first, _ := utf8.DecodeRuneInString(strings.TrimLeft(w, "\"'`("))
		// a title in which most words have a capital, or a language that writes all nouns so, names nothing by it
		named := i > 0 && unicode.IsUpper(first) && 2*capitals < len(words)
		terms(w, func(t term) {
			if t.kind == ident || named && t.kind == word {
				names[t.text] = t.kind.weight()
			}
		})
	}
	return names, actor
}

// acting matches the beginning of a sentence that says who does something.
var acting = lazyregexp.New(`(?i)^(?:the\s+|our\s+)?([\p{L}\p{N}_.'’-]+)\s+` +
	`(?:[a-z]{2,}s|are|were|have|do|must|should|shall|can|cannot|could|may|might|` +
	`will|won't|don't|never|always|only|also)\b`)

// isOrder reports whether a stem may be the verb of an order: in "run tests first" nobody does something.
func isOrder(s string) bool {
	switch s {
	case "accept", "ask", "assert", "bind", "build", "bump", "cach", "clean", "clos", "commit", "compil", "configur",
		"config", "copy", "deploy", "document", "download", "enabl", "encrypt", "escap", "execut", "expos", "export", "fail",
		"fetch", "filter", "format", "generat", "group", "handl", "host", "ignor", "import", "indent", "inject", "install",
		"lint", "limit", "list", "load", "log", "map", "merg", "migrat", "mock", "nam", "open", "order", "pars", "pass",
		"pin", "print", "publish", "pull", "push", "quot", "rais", "rebas", "releas", "remov", "renam", "render", "reject",
		"restart", "retry", "return", "reus", "review", "rotat", "seed", "send", "serv", "ship", "sign", "skip", "sort",
		"split", "squash", "tag", "test", "throw", "trim", "trust", "validat", "verify", "vers", "warn", "wrap":
		return true
	}
	return false
}

// otherActor reports whether two titles say what different ones do.
func (p *profile) otherActor(q *profile) bool {
	if p.actor == "" || q.actor == "" || p.actor == q.actor {
		return false
	}
	_, inQ := q.title[p.actor]
	_, inP := p.title[q.actor]
	return !inQ && !inP
}
