package memory

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

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

// claim is the content of a memory in the form in which claims are compared.
type claim struct {
	subject  bag        // the title without numbers and reasons
	own      bag        // the same without parts of names
	numbers  []quantity // what the title states
	stated   bag        // what the title states, with numbers, in the form of [bare]
	whole    bag        // the title without numbers
	denied   bag        // what the title denies
	rejected bag        // what title and body reject
	replaced bag        // what the title rejects
	dropped  []phrase   // what the title says no longer holds
	title    string
	text     string // what the title states
	first    string // the first paragraph
	slots    []slot
	profile  *profile
}

func claimOf(m Memory) *claim {
	c := &claim{denied: bag{}, profile: profileOf(m)}
	title := withoutReasons(m.Title)
	stated, dropped := withoutGivenUp(title)
	c.subject, c.own = contents(title)
	c.whole, _ = contents(m.Title)
	c.title = m.Title
	for _, text := range dropped {
		c.dropped = append(c.dropped, phraseOf(text))
	}
	c.text, c.numbers, c.stated = stated, quantities(stated), phraseOf(stated).terms
	c.first, _, _ = strings.Cut(m.Body, "\n\n")
	for _, at := range denial.FindAllStringSubmatch(strings.ToLower(m.Title), -1) {
		c.denied.add(at[1], 1)
	}
	c.rejected = insteadOf(strings.ToLower(m.Title + ". " + m.Body))
	c.replaced = insteadOf(strings.ToLower(title))
	c.slots = slotsOf(stated)
	return c
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
	if c.profile.norm == d.profile.norm || c.profile.otherActor(d.profile) {
		return false
	}
	return c.rejects(d) || d.rejects(c) || c.otherNumber(d) || c.otherChoice(d)
}

// rejects reports whether c says that what d states is not so.
func (c *claim) rejects(d *claim) bool { return c.denies(d) || c.gaveUp(d) || c.drops(d) }

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

// quantity is a number, and whether a unit follows it.
type quantity struct {
	value    string
	measured bool
}

func quantities(text string) (out []quantity) {
	after := false
	terms(plainNumbers(text), func(t term) {
		switch {
		case t.kind == number:
			out = append(out, quantity{t.text, strings.ContainsFunc(t.text, unicode.IsLetter)})
		case after && isUnit(t.text):
			out[len(out)-1].measured = true
		}
		after = t.kind == number
	})
	return out
}

// otherNumber reports whether two titles have the same subject and other numbers: none in common, or one quantity is
// another.
func (c *claim) otherNumber(d *claim) bool {
	if len(c.numbers) == 0 || len(d.numbers) == 0 || !c.sameSubject(d) {
		return false
	}
	if other := c.oneOther(d); other != nil {
		return other.measured || len(c.numbers) == 1
	}
	return !slices.ContainsFunc(c.numbers, func(n quantity) bool {
		return slices.ContainsFunc(d.numbers, func(o quantity) bool { return o.value == n.value })
	})
}

// oneOther returns the number that is the only one that differs between two titles with equally many; nil = there is no
// such number.
func (c *claim) oneOther(d *claim) (other *quantity) {
	if len(c.numbers) != len(d.numbers) {
		return nil
	}
	for i := range c.numbers {
		if c.numbers[i].value == d.numbers[i].value {
			continue
		}
		if other != nil {
			return nil
		}
		other = &quantity{c.numbers[i].value, c.numbers[i].measured || d.numbers[i].measured}
	}
	return other
}

// separate reports whether two titles that do not contradict each other are about two things: each says what something
// is called, or one is about number 3 and the other about number 4.
func (c *claim) separate(d *claim) bool {
	if other := c.oneOther(d); other != nil && !other.measured && len(c.numbers) > 1 {
		return true
	}
	for _, s := range c.slots {
		for _, o := range d.slots {
			if s.kind == naming && o.kind == naming && likeness(s.answer, o.answer) < sameAnswer {
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
	// givenUp matches what something is used instead of.
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
