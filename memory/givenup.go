package memory

import (
	"maps"
	"slices"
	"strings"

	"keepmum/lazyregexp"
)

// reason matches the part of a sentence that says why.
var reason = lazyregexp.New(`(?i)(?:,?\s+(?:because|so that|weil|parce que|puisque|porque)|` +
	`,\s*(?:since|as|da|denn|damit))\s.*?(?:[.!?;]\s|$)`)

// withoutReasons returns a title without its reasons, which often mention what was true before.
func withoutReasons(title string) string { return reason.ReplaceAllString(title, ". ") }

// amount matches a number with what it counts.
const amount = `[$€£]?\d+(?:[.,:]\d+)*%?(?:\s+\pL+)?`

// withdrawal is a way to say that something no longer holds.
type withdrawal struct {
	words   []string           // one of them is in the text, in lower case: that is faster than the pattern
	pattern *lazyregexp.Regexp // the first group that takes part is what no longer holds
}

var withdrawals = []withdrawal{
	{[]string{"forget", "scratch", "drop", "ignore", "vergiss", "olvida", "oublie"},
		lazyregexp.New(`(?i)\b(?:forget|scratch|drop|ignore|vergiss|olvida|oublie),?\s+` +
			`(?:(?:what|everything|all)\s+(?:i|we)(?:['’]ve)?\s+(?:said|told\s+you|wrote)|the\s+rule|was\s+ich|` +
			`lo\s+que\s+dije|ce\s+que\s+j['’]ai\s+dit)\s+(?:about|on|regarding|über|zu|sobre|sur)\s+([^.;:,()]+)`)},
	{[]string{"instead", "rather", "statt", "lieu", "lugar", "vez"},
		lazyregexp.New(`(?i)^(?:instead of|rather than|statt|anstatt|au lieu de|en lugar de|en vez de)\s+` +
			`(?:(` + amount + `)|([^.;:,()]+),|(\S+))`)},
	{[]string{"instead", "rather", "place", "statt", "lieu", "plutôt", "lugar", "vez"},
		lazyregexp.New(`(?i)\s(?:instead of|rather than|in place of|statt|anstatt|au lieu de|plutôt que|en lugar de|` +
			`en vez de)\s+(?:(` + amount + `)|([^.;:,()]+))`)},
	{[]string{"more", "longer"},
		lazyregexp.New(`(?i)(?:\bnot|n['’]t)\s+([^.;:,()]+?)\s+(?:any ?more|any longer)\b`)},
	{[]string{"longer", "mehr", "länger", "ya no"},
		lazyregexp.New(`(?i)\b(?:no longer|nicht mehr|nicht länger|ya no)\s+([^.;:,()]+?)` +
			`(?:\s+(?:but|and|sondern|und|sino|y)\s|[.;:,()]|$)`)},
	{[]string{"from"},
		lazyregexp.New(`(?i)\b(?:mov|switch|migrat|chang)\w*\s+from\s+([^.;:,()]+?)(?:\s+to\s|[.;:,()]|$)`)},
	{[]string{","},
		lazyregexp.New(`(?i),\s*(?:and\s+|und\s+|y\s+|et\s+)?(?:not|never|nicht|pas)\s+([^.;:,()]+)`)},
}

// restricting matches the beginning of what is not given up but limited: "not only", "not before".
var restricting = lazyregexp.New(`(?i)^(?:only|just|yet|before|after|until|when|if|unless|for|nur|vor|nach|bis|wenn|` +
	`solo|antes|después|avant|après)\b`)

// condition matches what begins a clause that does not say what holds: "when the branch is no longer needed".
var condition = lazyregexp.New(`(?i)\b(?:if|when|once|until|unless|whether|which|who|wenn|falls|sobald|si|cuando|quand)\b`)

// conditional reports whether a text ends within such a clause.
func conditional(text string) bool {
	return condition.MatchString(text[strings.LastIndexAny(text, ",.;:")+1:])
}

// insteadOf returns what a text, in lower case, says something is used instead of.
func insteadOf(text string) bag {
	out := bag{}
	for _, m := range givenUp.FindAllStringSubmatchIndex(text, -1) {
		if !conditional(text[:m[0]]) {
			out.add(text[m[2]:m[3]], 1)
		}
	}
	return out
}

// withoutGivenUp returns what a title still states, and what it says no longer holds.
func withoutGivenUp(title string) (stated string, dropped []string) {
	lower := strings.ToLower(title)
	for _, w := range withdrawals {
		if !slices.ContainsFunc(w.words, func(s string) bool { return strings.Contains(lower, s) }) {
			continue
		}
		var kept strings.Builder
		at := 0
		for _, m := range w.pattern.FindAllStringSubmatchIndex(title, -1) {
			from, to := firstGroup(m)
			if restricting.MatchString(title[from:to]) || conditional(title[:m[0]]) {
				continue
			}
			kept.WriteString(title[at:m[0]] + " ")
			dropped, at = append(dropped, title[from:to]), to
		}
		title = kept.String() + title[at:]
	}
	return stillThere.ReplaceAllString(title, " "), dropped
}

// stillThere matches what is left of "not … any more".
var stillThere = lazyregexp.New(`(?i)\s+(?:any ?more|any longer)\b`)

// firstGroup returns where the first group that took part in a match begins and ends.
func firstGroup(m []int) (from, to int) {
	for i := 2; i < len(m); i += 2 {
		if m[i] >= 0 {
			return m[i], m[i+1]
		}
	}
	return m[0], m[1]
}

// bare removes more of a long word than stem does, so that German forms match: "gerundet", "runden".
func bare(w string) string {
	const long, short = 6, 4
	if len(w) < long || strings.ContainsAny(w, "./:@_") {
		return w
	}
	w = strings.TrimPrefix(w, "ge")
	for _, ending := range []string{"et", "en", "te", "t", "n", "e"} {
		if rest, ok := strings.CutSuffix(w, ending); ok && len(rest) >= short {
			return rest
		}
	}
	return w
}

// phrase is what a title says no longer holds.
type phrase struct {
	terms  bag
	values []string // numbers, names from the code, days: what says which one is meant
}

func phraseOf(text string) phrase {
	p := phrase{terms: bag{}}
	terms(plainNumbers(text), func(t term) {
		if isSmallElsewhere(t.text) {
			return
		}
		w := bare(t.text)
		p.terms[w] = max(p.terms[w], t.kind.weight())
		if t.kind == number || t.kind == ident || isWeekday(t.text) {
			p.values = append(p.values, w)
		}
	})
	return p
}

// isSmallElsewhere reports whether a word of another language than English says nothing about a subject.
func isSmallElsewhere(w string) bool {
	switch w {
	case "ab", "jetzt", "wir", "sondern", "werden", "wird", "wurden", "immer", "auf", "der", "die", "das", "den",
		"dem", "des", "ein", "eine", "einen", "und", "oder", "ist", "sind", "mit", "von", "für", "im", "am", "zu",
		"zum", "zur", "nur", "noch", "mehr", "nicht", "statt", "künftig", "wieder", "bei", "aus", "nach", "el", "la",
		"los", "las", "un", "una", "de", "del", "y", "en", "es", "son", "con", "por", "para", "ahora", "siempre",
		"le", "les", "du", "une", "et", "est", "sont", "avec", "pour", "dans", "maintenant", "toujours", "nous":
		return true
	}
	return false
}

// drops reports whether c says that what d states no longer holds.
func (c *claim) drops(d *claim) bool {
	return slices.ContainsFunc(c.dropped, func(p phrase) bool {
		return d.states(p) && !limited.MatchString(d.text) && c.covers(d, p)
	})
}

// states reports whether c states what a phrase says: each of its values, and most of its words.
func (c *claim) states(p phrase) bool {
	const most, few = 0.66, 2
	for _, v := range p.values {
		if _, ok := c.stated[v]; !ok {
			return false
		}
	}
	found := p.terms.total() - without(p.terms, c.stated).total()
	if len(p.terms) <= few {
		return found >= 1 && found == p.terms.total()
	}
	return found >= most*p.terms.total()
}

// said returns the terms of the title and the first paragraph.
func (c *claim) said() bag { return phraseOf(c.title + ". " + c.first).terms }

// covers reports whether c, which drops a phrase, is about the rest of what d states: it mentions all of that, or most
// of it and nothing else.
func (c *claim) covers(d *claim, p phrase) bool {
	const most = 0.6
	rest := bag{}
	for t, w := range without(d.stated, p.terms) {
		partOfIt := slices.ContainsFunc(slices.Collect(maps.Keys(p.terms)), func(s string) bool {
			return strings.ContainsAny(t, "./:@_-") && strings.Contains(t, s)
		})
		if w >= 1 && !isUnit(t) && !partOfIt {
			rest[t] = w
		}
	}
	said, saidByD := c.said(), d.said()
	missing, more := without(rest, said), 0
	for t, w := range without(c.stated, saidByD) {
		if w >= 1 && !isUnit(t) && !isNumber(t) {
			more++
		}
	}
	switch {
	case len(rest) == 0: // d says nothing else; one word alone may be said of anything
		return more == 0 || more == 1 && p.terms.total() > 1.5
	case len(missing) == 0:
		return true
	}
	found := d.stated.total() - without(d.stated, said).total()
	return more == 0 && found >= most*d.stated.total()
}
