package memory

import (
	"slices"
	"strconv"
	"strings"

	"keepmum/lazyregexp"
)

// How similar two subjects must be for two answers to be about the same question, and how much two different answers
// may have in common.
const (
	sameSubject = 0.6
	sameAnswer  = 0.34
	mentioned   = 0.25 // share of a title that may be missing from a text that still mentions it
)

// Contradict reports whether two memories answer the same question differently: with another number, a negation, or
// another choice.
func Contradict(a, b Memory) bool {
	return claimOf(a).contradicts(claimOf(b))
}

// claim is the content of a memory in the form in which claims are compared.
type claim struct {
	subject  bag             // the title without numbers
	numbers  map[string]bool // in the title
	denied   bag             // what the title denies
	rejected bag             // what title and body reject
	replaced bag             // what the title rejects
	slots    []slot
	profile  *profile
}

// slot is a question and its answer, as a title states them.
type slot struct{ subject, answer bag }

func claimOf(m Memory) *claim {
	c := &claim{subject: bag{}, numbers: map[string]bool{}, denied: bag{}, rejected: bag{}, replaced: bag{},
		profile: profileOf(m)}
	title := strings.ToLower(m.Title)
	terms(plainNumbers(m.Title), func(t term) {
		if t.kind == number {
			c.numbers[t.text] = true
			return
		}
		if !isUnit(t.text) {
			c.subject[t.text] = max(c.subject[t.text], t.kind.weight())
		}
	})
	for _, at := range denial.FindAllStringSubmatch(title, -1) {
		c.denied.add(at[1], 1)
	}
	for _, at := range givenUp.FindAllStringSubmatch(strings.ToLower(m.Title+". "+m.Body), -1) {
		c.rejected.add(at[1], 1)
	}
	for _, at := range givenUp.FindAllStringSubmatch(title, -1) {
		c.replaced.add(at[1], 1)
	}
	c.slots = slotsOf(m.Title)
	return c
}

func (c *claim) contradicts(d *claim) bool {
	if c.profile.norm == d.profile.norm || c.profile.otherActor(d.profile) {
		return false
	}
	denied, gaveUp := c.denies(d) || d.denies(c), c.gaveUp(d) || d.gaveUp(c)
	return denied || gaveUp || c.otherNumber(d) || c.otherChoice(d)
}

// likeness says how similar two bags are.
func likeness(a, b bag) float64 {
	total := a.total() + b.total()
	if total == 0 {
		return 0
	}
	return 2 * a.shared(b) / total
}

// sameSubject reports whether two titles are similar, and not each about something that the other does not mention: a
// limit of the rate is not a limit of the payload.
func (c *claim) sameSubject(d *claim) bool {
	return likeness(c.subject, d.subject) >= sameSubject &&
		min(c.profile.missing(d.profile), d.profile.missing(c.profile)) == 0
}

func (c *claim) otherNumber(d *claim) bool {
	if len(c.numbers) == 0 || len(d.numbers) == 0 || !c.sameSubject(d) {
		return false
	}
	for n := range c.numbers {
		if d.numbers[n] {
			return false
		}
	}
	return true
}

// denies reports whether c denies what d states: most of what the two titles share follows a "not" in c, but not in d.
func (c *claim) denies(d *claim) bool {
	if len(c.denied) == 0 || !c.sameSubject(d) {
		return false
	}
	common := bag{}
	for t, w := range c.subject {
		if _, ok := d.subject[t]; ok {
			common[t] = w
		}
	}
	return common.shared(c.denied) >= common.total()/2 && common.shared(d.denied) < common.total()/4
}

// gaveUp reports whether c rejects what d's title is for.
func (c *claim) gaveUp(d *claim) bool {
	if len(c.rejected) == 0 ||
		c.profile.all.shared(d.profile.all) < sameAnswer*min(c.profile.allTotal, d.profile.allTotal) {
		return false
	}
	if c.replaced.shared(d.subject) > 0 && d.profile.missing(c.profile) <= mentioned {
		return true
	}
	if left := without(d.subject, c.subject); left.total() > 0 && c.rejected.shared(left) >= left.total()/2 &&
		likeness(c.subject, d.subject) >= sameSubject {
		return true
	}
	for _, s := range d.slots {
		if s.answer.total() > 0 && c.rejected.shared(s.answer) >= s.answer.total()/2 &&
			likeness(without(c.subject, s.answer), s.subject) >= sameAnswer {
			return true
		}
	}
	return false
}

func without(b, less bag) bag {
	out := bag{}
	for t, w := range b {
		if _, ok := less[t]; !ok {
			out[t] = w
		}
	}
	return out
}

func (c *claim) otherChoice(d *claim) bool {
	for _, s := range c.slots {
		for _, o := range d.slots {
			apart := min(len(without(s.subject, d.profile.core)), len(without(o.subject, c.profile.core)))
			if apart == 0 && likeness(s.subject, o.subject) >= sameSubject && likeness(s.answer, o.answer) < sameAnswer {
				return true
			}
		}
	}
	return false
}

var (
	// denial matches what follows a negation, to the end of the clause.
	denial = lazyregexp.New(
		`\b(?:not|never|no longer|don'?t|doesn'?t|avoid|stop|disable|without|forbid|refuse|no)\s+([^.;:,()]+)`)
	// givenUp matches what something is used instead of.
	givenUp = lazyregexp.New(
		`\b(?:instead of|rather than|in place of|no longer|(?:mov\w*|switch\w*|migrat\w*|away) from|replac(?:es|ing)|over)\s+(?:(?:use|using|an?|the|on|by|with)\s+)*([\w.+#/-]+)`)

	usePattern = lazyregexp.New(
		`(?i)^(?:the\s+)?(.*?)\b(?:use|uses|using|choose|adopt|prefer|prefers|pick|switch(?:es)? to|moves? to|go(?:es)? with)\s+(.+?)(?:\s+(?:for|to|in|as|on|when|during|by|of|from|until|instead|rather|over)\b(.*))?$`)
	placePattern = lazyregexp.New(
		`(?i)^((?:store|host|keep|put|deploy|write|save|serve|publish|run|build|send|log|cache|expose|ship|release|tag)s?(?:\s+.+?)?)\s+(?:in|on|to|with|by|at|into|via|through)\s+(.+)$`)
	withPattern = lazyregexp.New(
		`(?i)^(.+?)\s+(?:with|by|via|through)\s+(.+?)(?:\s+(?:in|for|on|of|when|instead|rather|over)\b(.*))?$`)
	isPattern = lazyregexp.New(`(?i)^(.+?)\s+(?:is|are|talks?|speaks?|runs? on|lives? in|becomes?)\s+(.+)$`)
)

// participle matches phrases like "are removed", which do not answer a question about a choice.
var participle = lazyregexp.New(
	`(?i)^(?:not\s+|never\s+|only\s+)*(?:[\w-]+(?:ed|en|ing)|read|kept|made|built|sent|set|run|put)\b`)

// slotsOf finds questions and answers in a title: "use ANSWER for SUBJECT", "store SUBJECT in ANSWER", "SUBJECT with
// ANSWER", "SUBJECT is ANSWER".
func slotsOf(title string) []slot {
	var out []slot
	add := func(answer string, subject ...string) {
		s := slot{subject: bag{}}
		s.answer = answerOf(cutAlternative(answer))
		s.subject.add(cutAlternative(strings.Join(subject, " ")), 1)
		if len(s.subject) > 0 && len(s.answer) > 0 {
			out = append(out, s)
		}
	}
	if m := usePattern.FindStringSubmatch(title); m != nil {
		add(m[2], m[1], m[3])
		return out
	}
	if m := placePattern.FindStringSubmatch(title); m != nil {
		add(m[2], m[1])
		return out
	}
	if m := withPattern.FindStringSubmatch(title); m != nil {
		add(m[2], m[1], m[3])
	}
	if m := isPattern.FindStringSubmatch(title); m != nil && !participle.MatchString(m[2]) {
		add(m[2], m[1])
	}
	return out
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

// plainNumbers writes small numbers with digits.
func plainNumbers(s string) string {
	return numberWord.ReplaceAllStringFunc(s, func(w string) string {
		names := strings.Fields("two three four five six seven eight nine ten eleven twelve")
		return strconv.Itoa(2 + slices.Index(names, strings.ToLower(w)))
	})
}

var numberWord = lazyregexp.New(`(?i)\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b`)
