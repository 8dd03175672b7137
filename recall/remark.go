package recall

import (
	"regexp"
	"strings"
	"sync"
	"unicode"

	"keepmum/language"
)

// remark is what a message says that consists of phrases that ask for nothing specific.
type remark int

const (
	specific remark = iota // it says more than that
	filling                // "ok"
	thanking               // "looks good, thanks"
	goingOn                // "yes, go on"
	ending                 // "commit, see you tomorrow"
)

// maxRemark is the maximum number of bytes of such a message.
const maxRemark = 160

// remarks are the kinds of phrases in the tables, in the order of remark. They are searched in all languages that have
// them: a few words do not show theirs, and people thank in several.
var remarks = []string{"fills", "thanks", "goes on", "ends"}

// phrase matches one phrase at the beginning of a text; its groups are the kinds.
var phrase = sync.OnceValue(func() *regexp.Regexp {
	kinds := make([]string, len(remarks))
	for _, name := range append(language.Names(), language.English) {
		says := readCues(name)
		for i, kind := range remarks {
			if says[kind] != "" {
				kinds[i] += "|" + says[kind]
			}
		}
	}
	for i := range kinds {
		kinds[i] = "(" + strings.TrimPrefix(kinds[i], "|") + ")"
	}
	re := regexp.MustCompile("^(?:" + strings.Join(kinds, "|") + ")(?:[ ,]+|$)")
	re.Longest() // "go on" and not "go"
	return re
})

// remarkOf returns what a message says: the phrase that counts most. A question is specific.
func remarkOf(text string) remark {
	if len(text) > maxRemark || strings.ContainsAny(text, "?？¿") {
		return specific
	}
	said := specific
	rest := strings.Trim(spoken(text), " ,")
	for rest != "" {
		groups := phrase().FindStringSubmatchIndex(rest)
		if groups == nil {
			return specific
		}
		for i := range remarks {
			if groups[2*(i+1)] >= 0 {
				said = max(said, remark(i+1))
			}
		}
		rest = rest[groups[1]:]
	}
	return said
}

// spoken returns a text in lower case and without diacritics, with a comma for each sign between its words.
func spoken(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '\'':
			return r
		case r == '’':
			return '\''
		case unicode.IsSpace(r), r == '-':
			return ' '
		}
		return ','
	}, strings.ToLower(language.Plain(strings.Join(strings.Fields(text), " "))))
}
