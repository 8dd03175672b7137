package memory

import (
	"math"
	"strings"
	"unicode"
)

// profile is a memory in the form in which memories are compared.
type profile struct {
	title, all           bag
	subject              bag    // the title without numbers and parts of identifiers
	core                 bag    // title and first paragraph, which merging never changes
	names                bag    // what the title names
	actor                string // who does something in the title; "" = nobody
	titleTotal, allTotal float64
	norm                 string // the words in order, to recognise identical texts
}

// How much a term counts, by where it is.
const (
	inTitle = 1.5
	inBody  = 1
	inTags  = 0.5
)

func profileOf(m Memory) *profile {
	p := &profile{title: bag{}, all: bag{}, core: bag{}}
	p.title.add(m.Title, 1)
	_, p.subject = contents(m.Title)
	p.names, p.actor = namesOf(m.Title)
	p.core.add(m.Title, 1)
	first, _, _ := strings.Cut(m.Body, "\n\n")
	p.core.add(first, 1)
	p.all.add(m.Title, inTitle)
	p.all.add(withoutOrigin(m.Body), inBody)
	for _, t := range m.Tags {
		p.all.add(t, inTags)
	}
	p.titleTotal, p.allTotal = p.title.total(), p.all.total()
	p.norm = normal(m.Title + "\n" + m.Body)
	return p
}

// Similarity returns how far two memories say the same, from 0 to 1: 1 for the same words, [Threshold] or more if one
// can replace the other. It is symmetric.
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
	score := min(calibrated(p.mix(q, shared))*(1-unrelatedPenalty*apart), almost)
	if score >= Threshold && p.otherSubject(q) {
		return notSame
	}
	return score
}

// notSame is the maximum similarity of memories about different things: neither may replace the other.
const notSame = 0.71

// almost is the maximum similarity of texts with different words: one of the words may be a "not".
const almost = 0.99

// longest is the maximum ratio of lengths for comparing a text with a shorter one that it contains. A long enough text
// contains everything: without this limit, a memory that has grown by merging would absorb all others.
const longest = 2.5

// unrelatedPenalty is the penalty if each title names something that the other memory does not mention: "the cache
// lives in Redis" is not "the login lives in Redis". Two names for the same thing usually both occur in at least one of
// the bodies.
const unrelatedPenalty = 0.4

// missing returns the share of the title that q does not mention.
func (p *profile) missing(q *profile) float64 {
	if len(p.subject) == 0 {
		return 0
	}
	return float64(len(without(p.subject, q.core))) / float64(len(p.subject))
}

// mix combines what two texts share relative to the shorter one, relative to both, and the similarity of the titles.
func (p *profile) mix(q *profile, shared float64) float64 {
	overlap := shared / max(min(p.allTotal, q.allTotal), max(p.allTotal, q.allTotal)/longest)
	dice := 2 * shared / (p.allTotal + q.allTotal)
	title := 0.0
	if t := p.titleTotal + q.titleTotal; t > 0 {
		title = 2 * p.title.shared(q.title) / t
	}
	return min(0.45*overlap+0.25*dice+0.3*title, 1)
}

// calibrated maps the raw score to the promised scale: people who say the same in different words share about half of
// their words, and that must reach the threshold.
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
