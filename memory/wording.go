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
	words    []token
	content  bag     // of words
	first    []token // the words of the first clause, if that says something
	lead     bag     // the content of first
	rejected bag     // what the title rejects, and says what holds in its place
}

type token struct {
	text  string // in lower case
	key   string // the form in which words are compared
	small bool   // it says nothing about a subject
	vague bool   // it is a small word of some language
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
	mostPlace  = 3   // words in one place of a title
	fewestSame = 2   // words that two titles have in common apart from it
	longPlace  = 200 // bytes in which what is rejected is looked for
)

func wordingOf(title string) wording {
	w := wording{rejected: bag{}}
	rest := strings.TrimSpace(sinceNow.Get().ReplaceAllString(title, " "))
	var kept strings.Builder
	for at := rejection.FindStringIndex(rest); at != nil; at = rejection.FindStringIndex(rest) {
		kept.WriteString(rest[:at[0]] + " ")
		rest = rest[at[1]:]
		rest = rest[w.rejects(rest):]
	}
	title = kept.String() + rest
	w.words = tokensOf(title)
	w.content = contentOf(w.words)
	w.first, w.lead = w.words, w.content
	if at := clauseMark.FindStringIndex(title); at != nil {
		first := tokensOf(title[:at[0]])
		if lead := contentOf(first); lead.total() > fewestSame {
			w.first, w.lead = first, lead
		}
	}
	return w
}

// rejects notes what is named at the beginning of a text as rejected, and returns where that ends.
func (w *wording) rejects(text string) (end int) {
	text = text[:min(len(text), longPlace)]
	if at := strings.IndexAny(text, ",;()"); at >= 0 {
		text = text[:at]
	}
	seen := 0
	for _, t := range tokensOf(text) {
		little := t.small || t.vague
		if little && seen > 0 || seen == mostPlace {
			break
		}
		if end = t.end; !little {
			w.rejected[t.key] = 1
			seen++
		}
	}
	return end
}

func tokensOf(text string) (out []token) {
	for _, at := range spelling.Get().FindAllStringIndex(text, -1) {
		written := strings.Trim(text[at[0]:at[1]], "./:-_@#+'’%$")
		t := token{text: strings.ToLower(written), end: at[1]}
		if t.text == "" {
			continue
		}
		stemmed := canonical(stem(t.text))
		t.key, t.vague = bare(stemmed), language.IsStopWord(t.text)
		if t.small = !isCode(written) && isLittle(t.text, stemmed); t.small {
			t.key = t.text
		}
		out = append(out, t)
	}
	return out
}

// isLittle reports whether a word says nothing about a subject. It knows few languages, because in technical texts the
// small words of others are names: pod, bin, os.
func isLittle(w, stemmed string) bool {
	return isStop(w) || isStop(stemmed) || isSmallElsewhere(w) || isArticle(w)
}

// isCode reports whether a word may be the code of a country: US, IT, DE.
func isCode(written string) bool {
	return len(written) == 2 && strings.ToUpper(written) == written && strings.ToLower(written) != written
}

// contentOf returns the keys of the words that say something about a subject. What may be a small word has no weight.
func contentOf(words []token) bag {
	out := bag{}
	for _, t := range words {
		switch {
		case t.small:
		case t.vague:
			out[t.key] = max(out[t.key], 0)
		default:
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

// reworded returns the places in which two titles differ, if that is one place in each, after the same word. What c
// says after its first clause is not looked at.
func (c *claim) reworded(d *claim) (mine, other difference, ok bool) {
	here, there := c.wording.lead, d.wording.content
	if mine, ok = differenceFrom(c.wording.first, there); !ok {
		return mine, other, false
	}
	other, ok = differenceFrom(d.wording.words, here)
	return mine, other, ok && mine.before == other.before
}

// amends reports whether c says that what d states was changed, in the words of d: it has another value in the place of
// d's, or "without" in that of "with". "Use bun instead of npm" and "use npm" need nothing else in common.
func (c *claim) amends(d *claim) bool {
	if c.opposes(d) || d.opposes(c) {
		return true
	}
	mine, other, ok := c.reworded(d)
	if !ok || listed.MatchString(c.text) || limited.MatchString(d.text) {
		return false
	}
	return other.isRejected(c.wording.rejected) ||
		c.hasMore(d) && changed.MatchString(c.of.Title) && c.newValue(mine, other)
}

// hasMore reports whether two titles have something in common besides one word.
func (c *claim) hasMore(d *claim) bool { return c.wording.lead.shared(d.wording.content) >= fewestSame }

// isRejected reports whether a place holds just what is rejected, or a name with that in it.
func (p difference) isRejected(rejected bag) bool {
	for _, t := range p.words {
		_, named := rejected[t.key]
		for _, part := range splitParts(t.text) {
			_, in := rejected[bare(canonical(stem(part)))]
			named = named || in
		}
		if !named {
			return false
		}
	}
	return true
}

func (p difference) isDay() bool { return len(p.words) == 1 && isWeekday(p.words[0].text) }

// newValue reports whether two places hold what is replaced by saying what holds now: the day, or who is responsible.
// What else is said may be true in addition: "the product is now sold in Austria", "prices are shown in bold now".
func (c *claim) newValue(mine, other difference) bool {
	return mine.isDay() && other.isDay() || mine.before == "" && inCharge.MatchString(c.of.Title)
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

// inCharge matches what says that somebody is responsible for something.
var inCharge = lazyregexp.New(`(?i)\b(?:reviews? (?:the|all|our|every|each|any|changes|code|pull|prs)|approves?|` +
	`owns?|maintains?|takes? care of|looks? after|` +
	`responsible for|in charge of|prüft|betreut|verantwortet|leitet|kümmert sich|zuständig|verantwortlich|` +
	`relit|valide|s['’]occupe|responsabl[ei]|revisa|aprueba|se encarga|cuida|si occupa)(?:\s|$)`)

// opposites are words of which a title with one says the contrary of a title with the other.
var opposites = [][2]string{{"with", "without"}, {"mit", "ohne"}, {"avec", "sans"}, {"con", "sin"}, {"con", "senza"},
	{"com", "sem"}, {"met", "zonder"}, {"z", "bez"}, {"s", "bez"}}

// opposes reports whether two titles have the same words, but c says "with" where d says "without".
func (c *claim) opposes(d *claim) bool {
	at := c.onlyOther(d)
	if at < 0 || !c.qualifies(at) {
		return false
	}
	return slices.Contains(opposites, [2]string{c.wording.words[at].text, d.wording.words[at].text})
}

// onlyOther returns the only place in which two titles of equally many words differ, in small words too; -1 = there is
// none.
func (c *claim) onlyOther(d *claim) (at int) {
	here, there := c.wording.words, d.wording.words
	if len(here) != len(there) {
		return -1
	}
	at = -1
	for i := range here {
		if here[i].key == there[i].key {
			continue
		}
		if at >= 0 {
			return -1
		}
		at = i
	}
	return at
}

func (c *claim) deniesOrOpposes(d *claim) bool { return c.denies(d) || c.opposes(d) }

// qualifies reports whether a title says with a word how something is done, and not of what it speaks: "customers
// without a contract" may be others than those with one.
func (c *claim) qualifies(at int) bool {
	before, after := c.wording.words[:at], c.wording.words[at:]
	if slices.ContainsFunc(before, func(t token) bool { return slices.Contains(auxiliaries, t.text) }) {
		return true
	}
	return len(contentOf(before)) >= fewestSame && len(contentOf(after)) <= fewestSame
}

var auxiliaries = strings.Fields(`is are be must should wird werden ist sind est sont son é são è sono wordt worden zijn`)

// saysOtherwise reports whether c and d differ in what must not be hidden in the other: one of them has something else
// in the same place, or they differ in a small word that makes another statement of the same words.
func (c *claim) saysOtherwise(d *claim) bool {
	if mine, other, ok := c.reworded(d); ok && c.hasMore(d) && mine.mayBeOther(other) {
		return true
	}
	if !c.sameContent(d) {
		return false
	}
	return negation.MatchString(c.of.Title) != negation.MatchString(d.of.Title) ||
		slices.ContainsFunc(sides, func(pair [2]string) bool {
			return c.hasOnly(pair[0], pair[1]) && d.hasOnly(pair[1], pair[0])
		})
}

// mayBeOther reports whether two places hold two things, and hardly one in other words, as verbs are.
func (p difference) mayBeOther(o difference) bool {
	return p.last && o.last || isMeans(p.before) || isWhere(p.before)
}

// sameContent reports whether two titles differ at most in small words and the order.
func (c *claim) sameContent(d *claim) bool {
	here, there := c.wording.content, d.wording.content
	return len(here) == len(there) && here.total() >= fewestSame && len(without(here, there)) == 0
}

// hasOnly reports whether a title has one word and not the other.
func (c *claim) hasOnly(this, other string) bool {
	has := func(w string) bool {
		return slices.ContainsFunc(c.wording.words, func(t token) bool { return t.text == w })
	}
	return has(this) && !has(other)
}

// negation matches small words that deny.
var negation = lazyregexp.New(`(?i)(?:^|[^\pL])(?:not|never|no|none|nor|cannot|without|avoid|stop|nicht|nie|niemals|` +
	`kein\pL*|ohne|pas|jamais|sans|nunca|sin|não|non|mai|senza|sem|niet|nooit|geen|zonder|nie|ne|bez|не|никогда|без)` +
	`(?:[^\pL]|$)|n['’]t(?:[^\pL]|$)`)

// sides are small words of which one makes another statement than the other.
var sides = [][2]string{{"before", "after"}, {"vor", "nach"}, {"avant", "après"}, {"antes", "después"},
	{"antes", "depois"}, {"prima", "dopo"}, {"przed", "po"}, {"před", "po"}, {"до", "после"}}
