package memory

import (
	"slices"
	"strings"

	"keepmum/lazyregexp"
)

// reason matches the part of a sentence that says why.
var reason = lazyregexp.New(`(?i)(?:,?\s+(?:because|so that|weil|parce que|puisque|porque)|` +
	`,\s*(?:since|da|denn|damit))\s.*?(?:[.!?;]\s|$)`)

// withoutReasons returns a title without its reasons, which often mention what was true before.
func withoutReasons(title string) string {
	return strings.TrimSuffix(reason.ReplaceAllString(title, ". "), ". ")
}

// amount matches a number with what it counts.
const amount = `[$€£]?\d+(?:[.,:]\d+)*%?(?:\s+\pL+)?`

// withdrawal is a way to say in a title what the title does not state.
type withdrawal struct {
	words   []string           // one of them is in the text, in lower case: that is faster than the pattern
	pattern *lazyregexp.Regexp // the group is what is not stated
	was     bool               // it held before
}

// Only what says that something held before withdraws a whole statement (see [claim.endsWhat]). Of the others only
// numbers count: in "store it in UTC, not in local time" local time may be right for something else.
var withdrawals = []withdrawal{
	{[]string{"forget", "scratch", "drop", "ignore", "vergiss", "olvida", "oublie"},
		lazyregexp.New(`(?i)\b(?:forget|scratch|drop|ignore|vergiss|olvida|oublie),?\s+` +
			`(?:(?:what|everything|all)\s+(?:i|we)(?:['’]ve)?\s+(?:said|told\s+you|wrote)|the\s+rule|was\s+ich|` +
			`lo\s+que\s+dije|ce\s+que\s+j['’]ai\s+dit)\s+(?:about|on|regarding|über|zu|sobre|sur)\s+([^.;:,()]+)`), false},
	{[]string{"more", "longer"},
		lazyregexp.New(`(?i)(?:\bnot|n['’]t)\s+([^.;:,()]+?)\s+(?:any ?more|any longer)\b`), true},
	{[]string{"longer", "mehr", "länger", "ya no"},
		lazyregexp.New(`(?i)\b(?:no longer|nicht mehr|nicht länger|ya no)\s+([^.;:,()]+?)` +
			`(?:\s+(?:but|and|sondern|und|sino|y)\s|[.;:,()]|$)`), true},
	{[]string{"instead", "rather", "place", "statt", "lieu", "plutôt", "lugar", "vez"},
		lazyregexp.New(`(?i)(?:^|\s)(?:instead of|rather than|in place of|statt|anstatt|au lieu de|plutôt que|` +
			`en lugar de|en vez de)\s+(` + amount + `)`), false},
	{[]string{","}, lazyregexp.New(`(?i),\s*(?:and\s+|und\s+|y\s+|et\s+)?(?:not|nicht|pas)\s+(` + amount + `)[.!]?$`),
		false},
}

// restricting matches the beginning of what is not given up but limited: "not only", "not before".
var restricting = lazyregexp.New(`(?i)^(?:only|just|yet|before|after|until|when|if|unless|for|nur|vor|nach|bis|wenn|` +
	`solo|antes|después|avant|après)\b`)

// condition matches what begins a clause that does not say what holds: "when the branch is no longer needed".
var condition = lazyregexp.New(`(?i)\b(?:if|when|until|unless|whether|which|who|wenn|falls|sobald|si|cuando|quand)\b`)

// conditional reports whether a text ends within such a clause.
func conditional(text string) bool {
	return condition.MatchString(text[strings.LastIndexAny(text, ",.;:")+1:])
}

// insteadOf returns what a text, in lower case, says something is used instead of.
func insteadOf(text string) bag {
	out := bag{}
	for _, m := range givenUp.FindAllStringSubmatchIndex(text, -1) {
		if !strings.HasPrefix(text[m[0]:], "no longer") || !conditional(text[:m[0]]) {
			out.add(text[m[2]:m[3]], 1)
		}
	}
	return out
}

// withoutGivenUp returns what a title still states, and the clauses that it says no longer hold. cut reports whether
// anything was left out.
func withoutGivenUp(title string) (stated string, ended []string, cut bool) {
	lower := strings.ToLower(title)
	for _, w := range withdrawals {
		if !slices.ContainsFunc(w.words, func(s string) bool { return strings.Contains(lower, s) }) {
			continue
		}
		var kept strings.Builder
		at := 0
		for _, m := range w.pattern.FindAllStringSubmatchIndex(title, -1) {
			from, to := m[2], m[3]
			if restricting.MatchString(title[from:to]) || w.was && conditional(title[:m[0]]) {
				continue
			}
			if w.was {
				begin := strings.LastIndexAny(title[:m[0]], ",.;:") + 1
				ended = append(ended, title[begin:m[0]]+" "+title[from:to])
			}
			kept.WriteString(title[at:m[0]] + " ")
			at, cut = m[1], true
		}
		title = kept.String() + title[at:]
	}
	return strings.Trim(title, " ,;"), ended, cut
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

// bareTerms returns the terms of a text in the form of [bare].
func bareTerms(text string) bag {
	out := bag{}
	terms(plainNumbers(text), func(t term) {
		if !isSmallElsewhere(t.text) {
			w := bare(t.text)
			out[w] = max(out[w], t.kind.weight())
		}
	})
	return out
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

// endsWhat reports whether c says that just what d states no longer holds. What c says of something more special, or of
// another thing, ends nothing: that debug logs are no longer kept says nothing about other logs.
func (c *claim) endsWhat(d *claim) bool {
	if len(c.ended) == 0 || len(d.ended) > 0 || limited.MatchString(d.text) {
		return false
	}
	stated := bareTerms(d.text)
	return slices.ContainsFunc(c.ended, func(clause string) bool {
		ended := bareTerms(clause)
		return len(without(ended, stated))+len(without(stated, ended)) == 0
	})
}
