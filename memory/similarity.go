package memory

import (
	"math"
	"strings"
	"unicode"
)

// profile is what a comparison looks at.
type profile struct {
	title, all           bag
	subject              bag // the title without numbers and parts of names
	core                 bag // title and first paragraph: what merging never changes
	titleTotal, allTotal float64
	norm                 string // the words in order, for what is said word for word
}

// How much a term counts where it stands.
const (
	inTitle = 1.5
	inBody  = 1
	inTags  = 0.5
)

func profileOf(m Memory) *profile {
	p := &profile{title: bag{}, all: bag{}, core: bag{}, subject: bag{}}
	p.title.add(m.Title, 1)
	terms(plainNumbers(m.Title), func(t term) {
		if t.kind != number && t.kind != part && !isUnit(t.text) {
			p.subject[t.text] = t.kind.weight()
		}
	})
	p.core.add(m.Title, 1)
	first, _, _ := strings.Cut(m.Body, "\n\n")
	p.core.add(first, 1)
	p.all.add(m.Title, inTitle)
	p.all.add(m.Body, inBody)
	for _, t := range m.Tags {
		p.all.add(t, inTags)
	}
	p.titleTotal, p.allTotal = p.title.total(), p.all.total()
	p.norm = normal(m.Title + "\n" + m.Body)
	return p
}

// Similarity says in [0,1] how far two memories say the same: 1 for the same words,
// [Threshold] or more where one can take the other's place. It is symmetric.
func Similarity(a, b Memory) float64 { return profileOf(a).similarity(profileOf(b)) }

func (p *profile) similarity(q *profile) float64 {
	if p.norm == q.norm {
		return 1
	}
	shared := p.all.shared(q.all)
	if shared == 0 {
		return 0
	}
	apart := min(p.missing(q), q.missing(p))
	return min(calibrated(p.mix(q, shared))*(1-aloof*apart), almost)
}

// almost is what other words for the same come to at most: a "not" may be among them.
const almost = 0.99

// longest is how many times longer a text may be than another that it holds. In a
// text of any length one finds everything: without this, a memory that has grown
// by merging swallows the rest.
const longest = 2.5

// aloof is what it costs when each title names something that the other memory does
// not: "the cache lives in Redis" is not "the login lives in Redis". Other words for
// one thing are named in the body of one of the two at least.
const aloof = 0.4

// missing is the share of the title that q does not mention.
func (p *profile) missing(q *profile) float64 {
	if len(p.subject) == 0 {
		return 0
	}
	return float64(len(without(p.subject, q.core))) / float64(len(p.subject))
}

// mix weighs what two texts share against the shorter of them, against both, and
// the titles against each other.
func (p *profile) mix(q *profile, shared float64) float64 {
	overlap := shared / max(min(p.allTotal, q.allTotal), max(p.allTotal, q.allTotal)/longest)
	dice := 2 * shared / (p.allTotal + q.allTotal)
	title := 0.0
	if t := p.titleTotal + q.titleTotal; t > 0 {
		title = 2 * p.title.shared(q.title) / t
	}
	return min(0.45*overlap+0.25*dice+0.3*title, 1)
}

// calibrated maps what is measured to what is promised: texts of people who say the
// same in other words share about half of what they say, and that must come to
// the threshold.
func calibrated(raw float64) float64 {
	const half = 0.5
	return math.Pow(raw, math.Log(Threshold)/math.Log(half))
}

// normal returns the words of a text without case and punctuation.
func normal(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && !strings.ContainsRune("+#%$", r)
	}), " ")
}
