package extract

import (
	"strings"

	"keepmum/privacy"
)

// behind returns what follows a sentence that ends with a colon: a line that was pasted there, or a list.
func (m said) behind(s sentence) privacy.Clean {
	const most = 600 // bytes
	rest := m.text.Slice(s.end, len(m.text.String()))
	text := strings.TrimLeft(rest.String(), " \t\r\n`")
	if text == "" {
		return privacy.Clean{}
	}
	rest = rest.Slice(len(rest.String())-len(text), len(rest.String()))
	return trimmed(rest.Slice(0, announced(text)).Cut(most))
}

// lists reports whether a sentence announces a list: "remember these rules:".
func (m said) lists(s sentence) bool {
	return strings.HasSuffix(s.text.String(), ":") && listItem.MatchString(m.behind(s).String())
}

// listed returns the index of the last item of the list that sentence i announces, as far as its finding has them, or
// of the sentence itself.
func (m said) listed(i int) int {
	if !m.lists(m.list[i]) {
		return i
	}
	list := m.behind(m.list[i]).String()
	for i+1 < len(m.list) && strings.Contains(list, trimmed(m.list[i+1].text).String()) {
		i++
	}
	return i
}

// announced returns the end of what a sentence with a colon announces: a line, or a list.
func announced(text string) (end int) {
	for line := range strings.Lines(text) {
		if end > 0 && !(listItem.MatchString(line) && listItem.MatchString(text)) {
			break
		}
		end += len(line)
	}
	return len(strings.TrimRight(text[:end], "\r\n"))
}
