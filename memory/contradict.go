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
// another choice, or because one says that the other no longer holds.
func Contradict(a, b Memory) bool {
	return claimOf(a).contradicts(claimOf(b))
}

// claim is the content of a memory in the form in which claims are compared. It is for one goroutine.
type claim struct {
	profile *profile
	of      Memory
	isRead  bool // see read

	subject  bag      // the title without numbers and reasons
	own      bag      // the same without parts of names
	numbers  []string // what the title states
	whole    bag      // the title without numbers
	denied   bag      // what the title denies
	rejected bag      // what title and body reject
	replaced bag      // what the title rejects
	ended    []string // the clauses of the title that say that something no longer holds
	cut      bool     // the title also says what it does not state
	reasons  bool     // the title has reasons, which do not count
	text     string   // what the title states
	slots    []slot
	wording  wording
}

func claimOf(m Memory) *claim { return &claim{of: m, profile: profileOf(m)} }

// read finds what a claim says, if that is not done yet: most memories are not similar enough to be compared further.
func (c *claim) read() *claim {
	if c.isRead {
		return c
	}
	m := c.of
	c.isRead, c.denied = true, bag{}
	whole := cutTitle(m.Title)
	title, lower := withoutReasons(whole), strings.ToLower(whole)
	c.subject, c.own = contents(title)
	if c.whole, c.reasons = c.subject, title != whole; c.reasons {
		c.whole, _ = contents(whole)
	}
	c.text, c.ended, c.cut = withoutGivenUp(title)
	c.wording = wordingOf(title)
	c.numbers = numbersIn(c.text)
	for _, at := range denial.FindAllStringSubmatch(lower, -1) {
		c.denied.add(at[1], 1)
	}
	c.rejected = insteadOf(lower + ". " + strings.ToLower(m.Body))
	c.replaced = insteadOf(strings.ToLower(title))
	c.slots = slotsOf(c.text)
	return c
}

// cutTitle returns a title without what is beyond [MaxTitle]: files may have longer ones.
func cutTitle(title string) string {
	seen := 0
	for at := range title {
		if seen == MaxTitle {
			return title[:at]
		}
		seen++
	}
	return title
}

// contents returns the terms of a title without numbers, with and without parts of names.
func contents(title string) (all, own bag) {
	all, own = bag{}, bag{}
	terms(plainNumbers(title), func(t term) {
		if t.kind == number || isUnit(t.text) {
			return
		}
		if all[t.text] = max(all[t.text], t.kind.weight()); t.kind != part {
			own[t.text] = t.kind.weight()
		}
	})
	return all, own
}

func (c *claim) contradicts(d *claim) bool {
	if c.profile.norm == d.profile.norm {
		return false
	}
	c.read()
	d.read()
	if c.amends(d) || d.amends(c) {
		return true
	}
	if c.profile.otherActor(d.profile) {
		return false
	}
	return c.rejects(d) || d.rejects(c) || c.otherNumber(d) || c.otherChoice(d)
}

// rejects reports whether c says that what d states is not so.
func (c *claim) rejects(d *claim) bool { return c.denies(d) || c.gaveUp(d) || c.endsWhat(d) }

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
		min(c.missing(d), d.missing(c)) == 0
}

// missing returns the share of the title, without its reasons, that d does not mention.
func (c *claim) missing(d *claim) float64 {
	if len(c.own) == 0 {
		return 0
	}
	return float64(len(without(c.own, d.profile.core))) / float64(len(c.own))
}

func numbersIn(text string) (out []string) {
	terms(plainNumbers(text), func(t term) {
		if t.kind == number {
			out = append(out, t.text)
		}
	})
	return out
}

// otherNumber reports whether two titles have the same subject and other numbers. If they share a number, the others
// may say which one is meant: the weekly report and the monthly one are both sent at 8:00.
func (c *claim) otherNumber(d *claim) bool {
	if !c.onlyOtherNumbers(d) || !c.sameSubject(d) {
		return false
	}
	return c.changesNumber(d) && d.changesNumber(c)
}

// changesNumber reports whether what c leaves out (a reason, or what it says it is not) hides nothing that tells it
// from d: c has nothing that d does not mention, nor, if c does not say that it was so before, the other way round.
func (c *claim) changesNumber(d *claim) bool {
	return !c.cut && !c.reasons || c.missing(d) == 0 && (len(c.ended) > 0 || d.missing(c) == 0)
}

// onlyOtherNumbers reports whether two titles have numbers, and none of them in common.
func (c *claim) onlyOtherNumbers(d *claim) bool {
	return len(c.numbers) > 0 && len(d.numbers) > 0 &&
		!slices.ContainsFunc(c.numbers, func(n string) bool { return slices.Contains(d.numbers, n) })
}

// oneOther reports whether two titles have equally many numbers, of which just one differs.
func (c *claim) oneOther(d *claim) bool {
	if len(c.numbers) != len(d.numbers) {
		return false
	}
	others := 0
	for i := range c.numbers {
		if c.numbers[i] != d.numbers[i] {
			others++
		}
	}
	return others == 1
}

// separate reports whether two titles that do not contradict each other are two statements, of which neither may be
// hidden behind the other: they differ in one place, or each says what something is called, or how or where something
// is done, or one is about number 3 and the other about number 4.
func (c *claim) separate(d *claim) bool {
	c.read()
	d.read()
	if c.saysOtherwise(d) || d.saysOtherwise(c) {
		return true
	}
	if c.oneOther(d) || (c.cut || d.cut) && c.onlyOtherNumbers(d) {
		return true
	}
	for _, s := range c.slots {
		for _, o := range d.slots {
			if s.kind == o.kind && (s.kind == naming || s.kind == manner && c.sameSlot(d, s, o)) && s.otherAnswer(o) {
				return true
			}
		}
	}
	return false
}

// denies reports whether c denies what d states: most of what the two titles share follows a "not" in c, but not in d.
func (c *claim) denies(d *claim) bool {
	if len(c.denied) == 0 || likeness(c.whole, d.whole) < sameSubject ||
		min(c.profile.missing(d.profile), d.profile.missing(c.profile)) > 0 {
		return false
	}
	common := bag{}
	for t, w := range without(c.whole, d.replaced) { // what d rejects, too, it does not state
		if _, ok := d.whole[t]; ok {
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
	// what d rejects or denies itself is not what it is for
	kept := without(without(d.subject, d.replaced), d.denied)
	if c.replaced.shared(kept) > 0 && d.missing(c) <= mentioned {
		return true
	}
	if left := without(kept, c.subject); left.total() > 0 && c.rejected.shared(left) >= left.total()/2 &&
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

var (
	// denial matches what follows a negation, to the end of the clause.
	denial = lazyregexp.New(
		`\b(?:not|never|no longer|don'?t|doesn'?t|avoid|stop|disable|without|forbid|refuse|no)\s+([^.;:,()]+)`)
	// givenUp matches the choice that something is used instead of, in a title or a body. What a title does not state,
	// because of these and other words, is in [withdrawals].
	givenUp = lazyregexp.New(
		`\b(?:instead of|rather than|in place of|no longer|(?:mov\w*|switch\w*|migrat\w*|away) from|replac(?:es|ing)|over)\s+(?:(?:use|using|an?|the|on|by|with)\s+)*([\w.+#/-]+)`)
)

// plainNumbers writes small numbers with digits.
func plainNumbers(s string) string {
	return numberWord.ReplaceAllStringFunc(s, func(w string) string {
		names := strings.Fields("two three four five six seven eight nine ten eleven twelve")
		return strconv.Itoa(2 + slices.Index(names, strings.ToLower(w)))
	})
}

var numberWord = lazyregexp.New(`(?i)\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b`)
