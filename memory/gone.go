package memory

import (
	"encoding/json"
	"regexp"
	"strings"
)

// Gone is a text that is wanted gone, and how it is found: with other white space,
// quoted as JSON and YAML quote it, and in the ids and names that were made of it.
type Gone struct {
	text *regexp.Regexp
	slug string
}

// forgottenMark stands where a text was that was wanted gone.
const forgottenMark = "[REDACTED:forgotten]"

// leastSlug is how short a name may be to be looked for in others.
const leastSlug = 6

// NewGone returns how a text is found.
func NewGone(text string) *Gone {
	forms := []string{text, strings.ReplaceAll(text, "'", "''")}
	if quoted, err := json.Marshal(text); err == nil {
		forms = append(forms, string(quoted[1:len(quoted)-1]))
	}
	var patterns []string
	for _, form := range forms {
		words := strings.Fields(form)
		for i := range words {
			words[i] = regexp.QuoteMeta(words[i])
		}
		pattern := strings.Join(words, `\s+`)
		if len(strings.Join(strings.Fields(form), "")) < leastSlug { // with other white space it would be in everything
			pattern = regexp.QuoteMeta(form)
		}
		if form != "" {
			patterns = appendNew(patterns, pattern)
		}
	}
	g := &Gone{slug: plainSlug(text)}
	if len(patterns) > 0 {
		g.text = regexp.MustCompile(strings.Join(patterns, "|"))
	}
	return g
}

// without is a text without what is wanted gone.
func (g *Gone) without(text string) string {
	if g.text == nil {
		return text
	}
	return g.text.ReplaceAllLiteralString(text, forgottenMark)
}

// outOfName takes the text out of a name that was made of it. Names are cut at a
// length: it may be at the end of one by its beginning alone.
func (g *Gone) outOfName(name string) (kept string, found bool) {
	if as := g.without(name); as != name { // somebody gave the name by hand
		return plainSlug(strings.ReplaceAll(as, forgottenMark, "-")), true
	}
	if len(g.slug) < leastSlug {
		return name, false
	}
	kept = strings.ReplaceAll(name, g.slug, "-")
	for n := len(g.slug) - 1; kept == name && len(name) > slugBytes/2 && n >= leastSlug; n-- {
		kept = strings.TrimSuffix(name, g.slug[:n])
	}
	if kept == name {
		return name, false
	}
	return plainSlug(kept), true
}
