package memory

import (
	"encoding/json"
	"regexp"
	"strings"
)

// Gone finds a text that the user wants removed: also with other white space, quoted as JSON or YAML, and in ids and
// names that were derived from it.
type Gone struct {
	text *regexp.Regexp
	slug string
}

// forgottenMark replaces removed text.
const forgottenMark = "[REDACTED:forgotten]"

// minSlug is the minimum length of a name that is searched for inside other names.
const minSlug = 6

// NewGone prepares the search for a text.
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
		if len(strings.Join(strings.Fields(form), "")) < minSlug { // white space inside would match too much
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

// without returns a text without the removed one.
func (g *Gone) without(text string) string {
	if g.text == nil {
		return text
	}
	return g.text.ReplaceAllLiteralString(text, forgottenMark)
}

// outOfName removes the text from a name that was derived from it. Names are cut at a maximum length, so a name may end
// with only the beginning of the text.
func (g *Gone) outOfName(name string) (kept string, found bool) {
	if as := g.without(name); as != name { // someone chose the name by hand
		return plainSlug(strings.ReplaceAll(as, forgottenMark, "-")), true
	}
	if len(g.slug) < minSlug {
		return name, false
	}
	kept = strings.ReplaceAll(name, g.slug, "-")
	for n := len(g.slug) - 1; kept == name && len(name) > slugBytes/2 && n >= minSlug; n-- {
		kept = strings.TrimSuffix(name, g.slug[:n])
	}
	if kept == name {
		return name, false
	}
	return plainSlug(kept), true
}
