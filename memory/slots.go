package memory

import (
	"strings"

	"keepmum/lazyregexp"
)

// slot is a question and its answer, as a title states them.
type slot struct {
	subject, answer bag
	kind            slotKind
	means           string // how the answer is joined, if that says what is asked: "with", "in", "to"
}

// slotKind says how far an answer excludes others.
type slotKind int

const (
	choice  slotKind = iota // "use ANSWER for SUBJECT"
	naming                  // "SUBJECT is called ANSWER"
	weekday                 // "SUBJECT on ANSWER": days of the week
	address                 // "SUBJECT is sent from ANSWER"
	passage                 // "SUBJECT goes through ANSWER"
)

// exact reports whether another subject with a word more is another subject: the second server has another name.
func (k slotKind) exact() bool { return k == naming || k == weekday || k == address }

// sameQuestion reports whether the answers to two slots may exclude each other. Something may pass through several
// places, so a passage only excludes a choice.
func (s slot) sameQuestion(o slot) bool {
	low, high := min(s.kind, o.kind), max(s.kind, o.kind)
	switch {
	case s.means != "" && o.means != "" && s.means != o.means:
		return false
	case low == choice:
		return high == choice || high == naming || high == passage
	}
	return low == high && low != passage
}

var (
	usePattern = lazyregexp.New(
		`(?i)^(?:the\s+)?(.*?)\b(?:use|uses|using|choose|adopt|prefer|prefers|pick|switch(?:es)? to|moves? to|go(?:es)? with)\s+(.+?)(?:\s+(?:for|to|in|as|on|when|during|by|of|from|until|instead|rather|over)\b(.*))?$`)
	placePattern = lazyregexp.New(
		`(?i)^((?:store|host|keep|put|deploy|write|save|serve|publish|run|build|send|log|cache|expose|ship|release|tag)s?(?:\s+.+?)?)\s+(in|on|to|with|by|at|into|via|through)\s+(.+)$`)
	withPattern = lazyregexp.New(
		`(?i)^(.+?)\s+(?:with|by|via|through)\s+(.+?)(?:\s+(?:in|for|on|of|when|instead|rather|over)\b(.*))?$`)
	isPattern   = lazyregexp.New(`(?i)^(.+?)\s+(?:is|are|talks?|speaks?|runs? on|lives? in|becomes?)\s+(.+)$`)
	namePattern = lazyregexp.New(`(?i)^(.+?)\s+(?:(?:is|are)\s+(?:now\s+|again\s+)?(?:called|named)|` +
		`hei(?:ß|ss)t|hei(?:ß|ss)en|lautet|se\s+llaman?|s['’]appelle(?:nt)?)\s+(.+)$`)
	passPattern    = lazyregexp.New(`(?i)^(.+?)\s+(?:go|goes|run|runs)\s+(?:through|via)\s+(.+)$`)
	addressPattern = lazyregexp.New(`(?i)\b(to|for|cc|bcc|an|für|a|para|pour|à)?\s*\b([\w.+-]+@[\w-]+\.[\w.-]*\w)`)
)

// participle matches phrases like "are removed", which do not answer a question about a choice.
var participle = lazyregexp.New(
	`^(?i:not\s+|never\s+|only\s+)*(?:[a-z0-9][\w-]+(?:ed|en|ing)|(?i:read|kept|made|built|sent|set|run|put))\b`)

// slotsOf finds questions and answers in what a title states: "use ANSWER for SUBJECT", "store SUBJECT in ANSWER",
// "SUBJECT with ANSWER", "SUBJECT is ANSWER", and more specific ones.
func slotsOf(title string) []slot {
	var out slots
	title = leadIn.ReplaceAllString(title, "")
	if m := namePattern.FindStringSubmatch(title); m != nil && !circumstance.MatchString(m[2]) {
		out.add(naming, m[2], m[1])
		return out
	}
	out.addDays(title)
	out.addAddress(title)
	if m := usePattern.FindStringSubmatch(title); m != nil {
		out.add(choice, m[2], m[1], m[3])
		return out
	}
	if m := placePattern.FindStringSubmatch(title); m != nil && !isWeekday(strings.Fields(m[3])[0]) {
		out.add(choice, m[3], m[1])
		for i := range out {
			out[i].means = meansOf(m[2])
		}
		return out
	}
	if m := passPattern.FindStringSubmatch(title); m != nil {
		out.add(passage, m[2], m[1])
		return out
	}
	if m := withPattern.FindStringSubmatch(title); m != nil {
		out.add(choice, m[2], m[1], m[3])
	}
	if m := isPattern.FindStringSubmatch(title); m != nil && !participle.MatchString(m[2]) {
		out.add(choice, m[2], m[1])
	}
	return out
}

// circumstance matches how, when or by whom something is called, which is not a name.
var circumstance = lazyregexp.New(`(?i)^(?:by|from|on|in|at|for|to|with|when|if|after|before|once|twice|every|each|only|back)\b`)

// leadIn matches words that lead to a statement.
var leadIn = lazyregexp.New(`(?i)^(?:(?:from (?:now|today) on|going forward|in future|` +
	`remember(?: that)?|please|always|now|` +
	`we(?: have)? (?:decided|agreed) (?:to|that)|we(?:['’]ll| will| should| must| have to)|let['’]s)[,:]?\s+)+`)

// meansOf returns one of the words that ask the same as a preposition: what is written in JSON may be sent to a server.
func meansOf(preposition string) string {
	switch strings.ToLower(preposition) {
	case "to":
		return "to"
	case "with", "by", "via", "through":
		return "with"
	}
	return "in"
}

type slots []slot

func (l *slots) add(kind slotKind, answer string, subject ...string) {
	s := slot{subject: bag{}, kind: kind}
	s.answer = answerOf(cutAlternative(answer))
	s.subject.add(cutAlternative(strings.Join(subject, " ")), 1)
	if len(s.subject) > 0 && len(s.answer) > 0 {
		*l = append(*l, s)
	}
}

// addDays finds the days of the week on which something happens. What happens on no day may still happen on another.
func (l *slots) addDays(title string) {
	var days, rest []string
	for _, w := range strings.Fields(title) {
		if isWeekday(w) {
			days = append(days, w)
		} else {
			rest = append(rest, w)
		}
	}
	s := slot{kind: weekday, subject: bag{}, answer: bag{}}
	s.answer.add(strings.Join(days, " "), 1)
	terms(strings.Join(rest, " "), func(t term) {
		if t.kind != number {
			s.subject[t.text] = t.kind.weight()
		}
	})
	if len(days) > 0 && len(s.subject) > 0 && !limited.MatchString(title) {
		*l = append(*l, s)
	}
}

func isWeekday(word string) bool {
	switch strings.TrimSuffix(strings.ToLower(strings.Trim(word, ".,;:!?()\"'")), "s") {
	case "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
		"montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonnabend", "sonntag",
		"lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche",
		"lune", "marte", "miércole", "jueve", "vierne", "sábado", "domingo":
		return true
	}
	return false
}

// addAddress finds the one mail address that something has or comes from; what is sent to one may be sent to others.
func (l *slots) addAddress(title string) {
	if !strings.Contains(title, "@") {
		return
	}
	all := addressPattern.FindAllStringSubmatchIndex(title, -1)
	if len(all) != 1 || all[0][2] >= 0 || limited.MatchString(title) {
		return
	}
	from, to := all[0][4], all[0][5]
	l.add(address, title[from:to], title[:from], title[to:])
}

var (
	// limited matches words with which a statement about one day or address says nothing about others.
	limited = lazyregexp.New(`(?i)\b(?:not|never|no|avoid|except|unless|without|nicht|nie|niemals|kein\w*|außer|ausser|` +
		`ohne|pas|jamais|sauf|nunca|excepto)\b|n['’]t\b`)
	// listed matches words with which a statement stands next to another one of the same form.
	listed = lazyregexp.New(`(?i)^(?:an?|eine?|une?|una)\s|\b(?:` +
		`(?:an)?other|additional(?:ly)?|further|one of|second|third|` +
		`auch|ebenfalls|zusätzlich|weitere\w*|zweite\w*|dritte\w*|noch ein\w*|también|otr[oa]s?|aussi|autres?)\b|` +
		`\S\s+(?:also|too|as well)\b`)
)

// otherChoice reports whether two titles give another answer to the same question.
func (c *claim) otherChoice(d *claim) bool {
	for _, s := range c.slots {
		for _, o := range d.slots {
			if s.sameQuestion(o) && c.sameSlot(d, s, o) && likeness(s.answer, o.answer) < sameAnswer {
				return true
			}
		}
	}
	return false
}

// sameSlot reports whether two slots ask the same.
func (c *claim) sameSlot(d *claim, s, o slot) bool {
	if s.kind.exact() || o.kind.exact() {
		return len(without(s.subject, o.subject))+len(without(o.subject, s.subject)) == 0 &&
			!listed.MatchString(c.text) && !listed.MatchString(d.text)
	}
	for _, p := range []struct {
		passes  bool
		through *claim
		other   slot
	}{{s.kind == passage, c, o}, {o.kind == passage, d, s}} {
		if p.passes && p.through.profile.all.shared(p.other.answer) == 0 {
			return false // it may well go through both
		}
	}
	apart := min(len(without(s.subject, d.profile.core)), len(without(o.subject, c.profile.core)))
	return apart == 0 && likeness(s.subject, o.subject) >= sameSubject
}

// answerOf returns the terms of an answer. If it is a name, only the whole name counts: two regions or versions have
// similar parts.
func answerOf(text string) bag {
	all, names := bag{}, bag{}
	terms(text, func(t term) {
		all[t.text] = t.kind.weight()
		if t.kind == ident {
			names[t.text] = t.kind.weight()
		}
	})
	if len(names) > 0 {
		return names
	}
	return all
}

// cutAlternative removes the rejected alternative of a choice.
func cutAlternative(s string) string {
	if at := alternative.FindStringIndex(s); at != nil {
		return s[:at[0]]
	}
	return s
}

var alternative = lazyregexp.New(`(?i)\b(?:instead of|rather than|in place of|over)\b`)
