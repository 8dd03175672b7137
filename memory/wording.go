package memory

import (
	"slices"
	"strings"

	"keepmum/language"
	"keepmum/lazyregexp"
)

// wording is what a title states, word by word, without words that say since when. Two titles with the same words but
// for those in one place may give two answers to one question, in any language.
type wording struct {
	words []token
	first []token // the words of the first clause, if that says something
	given bag     // what the title rejects, and says what holds in its place
}

type token struct {
	text  string // in lower case
	key   string // the form in which words are compared
	small bool   // it says nothing about a subject
	end   int
}

var (
	// sinceNow matches words that say since when something holds.
	sinceNow = lazyregexp.New(`(?i)\b(?:from (?:now|today) on|as of (?:now|today)|starting (?:now|today)|going forward|` +
		`ab (?:jetzt|sofort|heute)|von (?:jetzt|nun|heute) an|in zukunft|künftig|now|again|jetzt|nun|wieder|maintenant|` +
		`d[ée]sormais|dor[ée]navant|de ahora en adelante|ahora|d['’]ora in poi|adesso|agora|vanaf nu|od teď|od teraz)\b|` +
		`(?:^|\s)[àa] partir d(?:e maintenant|['’]aujourd['’]hui|e ahora|e hoy|e agora|e hoje)\b`)
	// rejection matches what leads to what is rejected: "instead of", ", no more".
	rejection = lazyregexp.New(`(?i)(?:^|\s)(?:instead of|rather than|in place of|statt|anstatt|anstelle (?:von|des|der)|` +
		`au lieu d(?:e|u|es)|plutôt que|à la place d(?:e|u|es)|en lugar de|en vez de|em vez de|invece d[ie]|al posto d\pL+|` +
		`in plaats van|zamiast|místo|вместо)\s|` +
		`,\s(?:and |und |et |y |e )?(?:no longer|no more|not any ?more|nicht(?: mehr| länger)?|pas|ya no|non più|` +
		`não mais|niet meer|plus (?:en|de|du|dans|par|sur|aux?|à|avec))\s`)
	// clauseMark matches the end of the first clause of a title.
	clauseMark = lazyregexp.New(`[,;:.!?]\s|\s[-–—]\s`)
	spelling   = lazyregexp.New(`[\pL\pN\pM_./:@#+'’%$-]+`)
)

const (
	mostPlace  = 3 // words in one place of a title
	fewestSame = 2 // words that two titles have in common apart from it
)

func wordingOf(title string) wording {
	w := wording{given: bag{}}
	title = strings.TrimSpace(sinceNow.Get().ReplaceAllString(title, " "))
	for at := rejection.FindStringIndex(title); at != nil; at = rejection.FindStringIndex(title) {
		title = title[:at[0]] + " " + title[at[1]+w.rejects(title[at[1]:]):]
	}
	w.words = tokensOf(title)
	w.first = w.words
	if at := clauseMark.FindStringIndex(title); at != nil {
		if first := tokensOf(title[:at[0]]); len(contentOf(first)) > fewestSame {
			w.first = first
		}
	}
	return w
}

// rejects notes what is named at the beginning of a text as rejected, and returns where that ends.
func (w *wording) rejects(text string) (end int) {
	if at := strings.IndexAny(text, ",;()"); at >= 0 {
		text = text[:at]
	}
	seen := 0
	for _, t := range tokensOf(text) {
		if t.small && seen > 0 || seen == mostPlace {
			break
		}
		if end = t.end; !t.small {
			w.given[t.key] = 1
			seen++
		}
	}
	return end
}

func tokensOf(text string) (out []token) {
	for _, at := range spelling.Get().FindAllStringIndex(text, -1) {
		t := token{text: strings.ToLower(strings.Trim(text[at[0]:at[1]], "./:-_@#+'’%$")), end: at[1]}
		if t.text == "" {
			continue
		}
		stemmed := canonical(stem(t.text))
		t.key, t.small = bare(stemmed), isStop(t.text) || isStop(stemmed) || language.IsStopWord(t.text)
		if t.small {
			t.key = t.text
		}
		out = append(out, t)
	}
	return out
}

// contentOf returns the keys of the words that say something about a subject.
func contentOf(words []token) bag {
	out := bag{}
	for _, t := range words {
		if !t.small {
			out[t.key] = 1
		}
	}
	return out
}

// difference is where a title has other words than another one.
type difference struct {
	words  []token
	before string // the word before, that is no article; "" = it is at the beginning
	last   bool   // it is at the end
}

// differenceFrom returns the only place in which a text has words that another one does not have.
func differenceFrom(text []token, other bag) (p difference, ok bool) {
	from, to := -1, -1
	for i, t := range text {
		if _, known := other[t.key]; known || t.small {
			continue
		}
		if from < 0 {
			from = i
		} else if to != i {
			return difference{}, false
		}
		to = i + 1
	}
	if from < 0 || to-from > mostPlace {
		return difference{}, false
	}
	p = difference{words: text[from:to], last: to == len(text)}
	for from--; from >= 0 && isArticle(text[from].text); from-- {
	}
	if from >= 0 {
		p.before = text[from].text
	}
	return p, true
}

// reworded returns the places in which two titles differ, if that is one place in each, after the same word, and they
// have something in common besides. What c says after its first clause is not looked at.
func (c *claim) reworded(d *claim) (mine, other difference, ok bool) {
	here, there := contentOf(c.wording.first), contentOf(d.wording.words)
	mine, ok1 := differenceFrom(c.wording.first, there)
	other, ok2 := differenceFrom(d.wording.words, here)
	ok = ok1 && ok2 && mine.before == other.before && len(here)-len(without(here, there)) >= fewestSame
	return mine, other, ok
}

// amends reports whether c says that what d states was changed, in the words of d: it has another value in the place of
// d's, or it takes the rule back by its name.
func (c *claim) amends(d *claim) bool {
	if c.opposes(d) || d.opposes(c) || c.takesBack(d) {
		return true
	}
	mine, other, ok := c.reworded(d)
	if !ok || listed.MatchString(c.text) || limited.MatchString(d.text) {
		return false
	}
	if other.isRejected(c.wording.given) {
		return true
	}
	return changed.MatchString(c.of.Title) && !mine.hasNumber() && c.newValue(mine, other)
}

// isRejected reports whether a place holds just what is rejected, or a name with that in it.
func (p difference) isRejected(given bag) bool {
	for _, t := range p.words {
		_, named := given[t.key]
		for _, part := range splitParts(t.text) {
			_, in := given[bare(canonical(stem(part)))]
			named = named || in
		}
		if !named {
			return false
		}
	}
	return true
}

func (p difference) hasNumber() bool {
	return slices.ContainsFunc(p.words, func(t token) bool { return isNumber(t.text) })
}

func (p difference) isDay() bool { return len(p.words) == 1 && isWeekday(p.words[0].text) }

// newValue reports whether two places hold what may be replaced by saying what holds now: the day, the means or the
// place at the end, or who is responsible. What follows another word may be another subject: "we now use Redis for the queue".
func (c *claim) newValue(mine, other difference) bool {
	switch before := mine.before; {
	case mine.isDay() && other.isDay():
		return true
	case before == "":
		return inCharge.MatchString(c.of.Title)
	case !mine.last || !other.last: // "orders with vouchers are not checked" does not say how
		return false
	default:
		return isMeans(before) || isWhere(before) && stateOf.MatchString(c.text)
	}
}

func isArticle(w string) bool {
	switch w {
	case "the", "a", "an", "der", "die", "das", "den", "dem", "ein", "eine", "einen", "einem", "einer", "le", "la", "les",
		"un", "une", "el", "los", "las", "una", "il", "lo", "gli", "o", "os", "um", "uma", "het", "een":
		return true
	}
	return false
}

func isMeans(w string) bool {
	switch w {
	case "by", "per", "via", "with", "through", "mit", "mittels", "par", "avec", "con", "com", "met", "przez":
		return true
	}
	return false
}

func isWhere(w string) bool {
	switch w {
	case "in", "under", "im", "unter", "en", "dans", "sous", "em", "nel", "v":
		return true
	}
	return false
}

var (
	// inCharge matches what says that somebody is responsible for something.
	inCharge = lazyregexp.New(`(?i)\b(?:reviews? (?:the|all|our|every|each|any|changes|code|pull|prs)|approves?|owns?|` +
		`maintains?|takes? care of|looks? after|` +
		`responsible for|in charge of|prüft|betreut|verantwortet|leitet|kümmert sich|zuständig|verantwortlich|` +
		`relit|valide|s['’]occupe|responsable|revisa|aprueba|se encarga|cuida|si occupa)(?:\s|$)`)
	// stateOf matches what says that something is somewhere.
	stateOf = lazyregexp.New(`(?i)\b(?:is|are|lives?|sits?|ist|sind|liegt|liegen|steht|stehen|est|sont|se trouven?t|` +
		`está|están|está|estão|sta|stanno)\s`)
)

// opposites are words of which a title with one says the contrary of a title with the other.
var opposites = [][2]string{{"with", "without"}, {"mit", "ohne"}, {"avec", "sans"}, {"con", "sin"}, {"con", "senza"},
	{"com", "sem"}, {"met", "zonder"}, {"z", "bez"}, {"s", "bez"}}

// opposes reports whether two titles have the same words, but one says "with" where the other says "without".
func (c *claim) opposes(d *claim) bool {
	return c.sameContent(d) && slices.ContainsFunc(opposites, func(pair [2]string) bool {
		return c.qualifies(pair[0]) && d.qualifies(pair[1]) && !c.has(pair[1]) && !d.has(pair[0])
	})
}

func (c *claim) deniesOrOpposes(d *claim) bool { return c.denies(d) || c.opposes(d) }

// qualifies reports whether a title says with a word how something is done, and not of what it speaks: "customers
// without a contract" may be others than those with one.
func (c *claim) qualifies(w string) bool {
	at := slices.IndexFunc(c.wording.words, func(t token) bool { return t.text == w })
	if at < 0 {
		return false
	}
	before, after := c.wording.words[:at], c.wording.words[at:]
	if slices.ContainsFunc(before, func(t token) bool { return slices.Contains(auxiliaries, t.text) }) {
		return true
	}
	return len(contentOf(before)) >= fewestSame && len(contentOf(after)) <= fewestSame
}

var auxiliaries = strings.Fields(`is are be must should wird werden ist sind est sont son é são è sono wordt worden zijn`)

// sameContent reports whether two titles differ at most in small words and the order.
func (c *claim) sameContent(d *claim) bool {
	here, there := contentOf(c.wording.words), contentOf(d.wording.words)
	return len(here) >= fewestSame && len(without(here, there))+len(without(there, here)) == 0
}

// has reports whether a title has a word.
func (c *claim) has(w string) bool {
	return slices.ContainsFunc(c.wording.words, func(t token) bool { return t.text == w })
}

// takesBack reports whether c takes back what d says by naming at least half of it: "forget the rule about X".
func (c *claim) takesBack(d *claim) bool {
	all := contentOf(d.wording.words)
	return len(d.forgets) == 0 && slices.ContainsFunc(c.forgets, func(subject string) bool {
		named := contentOf(tokensOf(subject))
		return len(named) > 0 && len(without(named, all)) == 0 && 2*len(named) >= len(all)
	})
}

// saysOtherwise reports whether c and d differ in what must not be hidden in the other: c says that something changed
// and has words that d does not have, one of them has something else in the same place, or they differ in a small word
// that makes another statement of the same words.
func (c *claim) saysOtherwise(d *claim) bool {
	says := len(c.wording.given)+len(c.forgets)+len(c.ended) > 0 || changed.MatchString(c.of.Title)
	if says && len(without(contentOf(c.wording.words), contentOf(tokensOf(d.of.Title+". "+d.of.Body)))) > 0 {
		return true
	}
	if _, _, ok := c.reworded(d); ok {
		return true
	}
	return c.sameContent(d) && (slices.ContainsFunc(negations, c.has) != slices.ContainsFunc(negations, d.has) ||
		slices.ContainsFunc(sides, func(w string) bool { return c.has(w) != d.has(w) }))
}

// Small words that make another statement of the same words.
var (
	negations = strings.Fields(`not never no don't nicht nie niemals kein keine keinen pas jamais nunca não non mai niet
		nooit geen nie ne не никогда`)
	sides = strings.Fields(`with without before after mit ohne vor nach avec sans avant après con sin antes después com sem
		depois senza prima dopo met zonder z bez przed po před до после`)
)
