package memory

import (
	"strings"

	"keepmum/lazyregexp"
)

// slot is a question and its answer, as a title states them.
type slot struct {
	subject, answer bag
	parts           bag // of the answer
	kind            slotKind
	means           string // how the answer is joined, if that says what is asked: "with", "in", "to"; "" = unknown
}

// slotKind says how far an answer excludes others.
type slotKind int

const (
	choice  slotKind = iota // "use ANSWER for SUBJECT"
	naming                  // "SUBJECT is called ANSWER"
	weekday                 // "SUBJECT on ANSWER": days of the week
	address                 // "SUBJECT is sent from ANSWER"
	passage                 // "SUBJECT goes through ANSWER"
	manner                  // "always store SUBJECT in ANSWER": where, how, when; one does not exclude the other
)

// exact reports whether another subject with a word more is another subject: the second server has another name.
func (k slotKind) exact() bool { return k == naming || k == weekday || k == address }

// sameQuestion reports whether the answers to two slots may exclude each other.
func (s slot) sameQuestion(o slot) bool {
	if s.means != "" && o.means != "" && s.means != o.means {
		return false
	}
	if s.kind == manner || o.kind == manner {
		return false
	}
	return s.kind == o.kind || min(s.kind, o.kind) == choice && max(s.kind, o.kind) == passage
}

var (
	usePattern = lazyregexp.New(
		`(?i)^(?:the\s+)?(.*?)\b(?:use|uses|using|choose|adopt|prefer|prefers|pick|switch(?:es)? to|moves? to|go(?:es)? with)\s+(.+?)(?:\s+(?:for|to|in|as|on|when|during|by|of|from|until|instead|rather|over)\b(.*))?$`)
	placePattern = lazyregexp.New(
		`(?i)^((?:store|host|keep|put|deploy|write|save|serve|publish|run|build|send|log|cache|expose|ship|release|tag)s?(?:\s+.+?)?)\s+(in|on|to|with|by|at|into|via|through)\s+(.+)$`)
	withPattern = lazyregexp.New(
		`(?i)^(.+?)\s+(?:with|by|via|through)\s+(.+?)(?:\s+(?:in|for|on|of|when|instead|rather|over)\b(.*))?$`)
	isPattern = lazyregexp.New(`(?i)^(.+?)\s+(?:(is|are)|talks?|speaks?|runs? on|lives? in|becomes?)\s+(.+)$`)
	// several things may have a name each, so only one thing is asked for its name
	namePattern = lazyregexp.New(`(?i)^(.+?)\s+(?:is\s+(?:now\s+|again\s+)?(?:called|named)|` +
		`(?:hei(?:ß|ss)t|lautet)(?:\s+(?:jetzt|nun|wieder))?|se\s+llama(?:\s+ahora)?|s['’]appelle(?:\s+maintenant)?)` +
		`\s+([^\s,;]+)(?:\s+(?:now|again))?(?:[,;.]\s.*)?$`)
	passPattern    = lazyregexp.New(`(?i)^(.+?)\s+(?:go|goes|run|runs)\s+(?:through|via)\s+(.+)$`)
	addressPattern = lazyregexp.New(`(?i)\b(?:from|von|desde|depuis)\s+([\w.+-]+@[\w-]+\.[\w.-]*\w)`)
	// where matches an answer to where, when or how something is.
	where = lazyregexp.New(`(?i)^(?:in|on|at|by|for|from|to|with|without|under|behind)\s`)
	// sinceWhen matches words before an answer that are no part of it.
	sinceWhen = lazyregexp.New(`(?i)^(?:(?:now|currently|always|again|only|all|still|also|already)\s+)+`)
)

// participle matches phrases like "are removed", which do not answer a question about a choice.
var participle = lazyregexp.New(
	`(?i)^(?:not\s+|never\s+|only\s+)*(?:[\w-]+(?:ed|en|ing)|read|kept|made|built|sent|set|run|put)\b`)

// slotsOf finds questions and answers in what a title states: "use ANSWER for SUBJECT", "store SUBJECT in ANSWER",
// "SUBJECT with ANSWER", "SUBJECT is ANSWER", and more specific ones.
func slotsOf(title string) []slot {
	var out slots
	if m := namePattern.FindStringSubmatch(title); m != nil && !circumstance.MatchString(m[2]) {
		out.add(naming, m[2], "", m[1])
		return out
	}
	out.addDays(title)
	out.addAddress(title)
	if m := usePattern.FindStringSubmatch(title); m != nil {
		out.add(choice, m[2], "", m[1], m[3])
		return out
	}
	if m := placePattern.FindStringSubmatch(title); m != nil {
		out.add(choice, m[3], "", m[1])
		return out
	}
	if m := placePattern.FindStringSubmatch(leadIn.ReplaceAllString(title, "")); m != nil {
		out.add(manner, m[3], meansOf(m[2]), m[1])
	}
	if m := passPattern.FindStringSubmatch(title); m != nil {
		out.add(passage, m[2], "", m[1])
		return out
	}
	if m := withPattern.FindStringSubmatch(title); m != nil {
		out.add(choice, m[2], "", m[1], m[3])
	}
	out.addState(title)
	return out
}

// addState finds what something is, or where.
func (l *slots) addState(title string) {
	m := isPattern.FindStringSubmatch(title)
	if m == nil || participle.MatchString(m[3]) {
		return
	}
	answer := sinceWhen.ReplaceAllString(m[3], "")
	means := strings.ToLower(strings.TrimSpace(where.FindString(answer)))
	switch {
	case means == "" && m[2] != "":
		means = "is"
	case means == "on" || means == "at" || means == "under" || means == "from":
		means = "in"
	}
	l.add(choice, answer, means, m[1])
}

// circumstance matches how, when or by whom something is called, or what names have in common: these are no names.
var circumstance = lazyregexp.New(`(?i)^(?:\S+ly|async|by|from|on|in|at|for|to|with|without|through|via|as|like|per|` +
	`when|if|after|before|during|once|twice|every|each|only|first|last|back|so|not|never)\b`)

// leadIn matches words that lead to a rule.
var leadIn = lazyregexp.New(`(?i)^(?:(?:from (?:now|today) on|always|please|let['’]s|` +
	`we(?:['’]ll| will| should| must| have to))[,:]?\s+)+`)

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

func (l *slots) add(kind slotKind, answer, means string, subject ...string) {
	s := slot{subject: bag{}, kind: kind, means: means}
	s.answer = answerOf(cutAlternative(answer))
	if kind == naming {
		s.parts = bag{}
		s.parts.add(answer, 1)
	}
	s.subject.add(cutAlternative(strings.Join(subject, " ")), 1)
	if len(s.subject) > 0 && len(s.answer) > 0 {
		*l = append(*l, s)
	}
}

// ours matches how a statement about what we do, or shall do, begins: others may have a timetable with several days.
var ours = lazyregexp.New(`(?i)^(?:from (?:now|today) on,?\s+)?we\b|^(?:ab (?:jetzt|sofort)\s+)?(?:\pL+\s+)?wir\b`)

// events matches what says that there is something on a day; there may be more of it on another.
var events = lazyregexp.New(`(?i)\b(?:an?|eine?n?|have|haben)\b`)

// addDays finds the days of the week on which we do something, if that is all that is said: an hour or a circumstance
// may be that of one day of several.
func (l *slots) addDays(title string) {
	words := strings.Fields(title)
	if len(words) == 0 || !isWeekday(words[len(words)-1]) || limited.MatchString(title) {
		return
	}
	if events.MatchString(title) || !ours.MatchString(title) && !placePattern.MatchString(title) {
		return
	}
	s := slot{kind: weekday, subject: bag{}, answer: bag{}}
	numbers := false
	for _, w := range words {
		if isWeekday(w) {
			s.answer.add(w, 1)
			continue
		}
		terms(w, func(t term) {
			numbers = numbers || t.kind == number
			if !isSmallElsewhere(t.text) {
				s.subject[t.text] = t.kind.weight()
			}
		})
	}
	if len(s.subject) > 0 && !numbers {
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

// addAddress finds the mail address that something comes from; what is sent to one may be sent to others.
func (l *slots) addAddress(title string) {
	if strings.Count(title, "@") != 1 || limited.MatchString(title) {
		return
	}
	if at := addressPattern.FindStringSubmatchIndex(title); at != nil {
		l.add(address, title[at[2]:at[3]], "", title[:at[0]], title[at[1]:])
	}
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
			if s.sameQuestion(o) && c.sameSlot(d, s, o) && s.otherAnswer(o) {
				return true
			}
		}
	}
	return false
}

// otherAnswer reports whether two slots have different answers. A longer name of the same thing is no other name.
func (s slot) otherAnswer(o slot) bool {
	if s.kind == naming && min(len(without(s.answer, o.parts)), len(without(o.answer, s.parts))) == 0 {
		return false
	}
	return likeness(s.answer, o.answer) < sameAnswer
}

// sameSlot reports whether two slots ask the same.
func (c *claim) sameSlot(d *claim, s, o slot) bool {
	if s.kind != choice && (listed.MatchString(c.text) || listed.MatchString(d.text)) {
		return false
	}
	if s.kind.exact() {
		return s.sameSubject(o) && (s.kind == naming && single.MatchString(c.text) || c.changes(d))
	}
	if c.mayPassBoth(d, s, o) {
		return false
	}
	if (c.reasons || d.reasons) && !s.sameSubject(o) {
		return false
	}
	apart := min(len(without(s.subject, d.profile.core)), len(without(o.subject, c.profile.core)))
	return apart == 0 && likeness(s.subject, o.subject) >= sameSubject
}

func (s slot) sameSubject(o slot) bool {
	return len(without(s.subject, o.subject))+len(without(o.subject, s.subject)) == 0
}

// mayPassBoth reports whether a slot says only what something goes through, which may also go through what the other
// slot says: nothing says that it was otherwise before, nor does the title or body mention the other choice.
func (c *claim) mayPassBoth(d *claim, s, o slot) bool {
	switch {
	case s.kind == passage && o.kind == passage:
		return manySteps.MatchString(c.text) && !c.changes(d)
	case s.kind == passage:
		return c.profile.all.shared(o.answer) == 0
	}
	return o.kind == passage && d.profile.all.shared(s.answer) == 0
}

// changes reports whether one of two titles says that it was otherwise before.
func (c *claim) changes(d *claim) bool {
	return changed.MatchString(c.text) || changed.MatchString(d.text)
}

var (
	changed = lazyregexp.New(`(?i)\b(?:now|again|instead|no longer|renamed|switched|forget|scratch|` +
		`jetzt|ab sofort|nun|wieder|ahora|maintenant|désormais)\b`)
	// single matches the name of a thing of which there is one: of tables and scripts there are many.
	single = lazyregexp.New(`(?i)\b(?:branch|repo(?:sitory)?|project|\S*server|servidor|serveur|host|domain|hauptzweig|projekt)` +
		`\s+(?:[\pL' ]+\s)?(?:is|hei(?:ß|ss)t|se\s+llama|s['’]appelle)\s`)
	// manySteps matches what goes through several things, one after the other.
	manySteps = lazyregexp.New(`(?i)\b(?:requests?|traffic|packets?|calls?|logins?|jobs?|events?|messages?|uploads?|mails?)\s+(?:go|run)`)
)

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
