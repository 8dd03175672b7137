package store

import "testing"

func TestAnEntryKnowsHowManyWordsItHas(t *testing.T) {
	for _, text := range []string{"", "one", "parseURL(utf8) of 数据库 and naïve\ncafé", "a1b2 HTTPServer HTTPServer"} {
		for _, title := range []string{"", "Bash: go test", "readFile"} {
			d := docRow{Kind: KindObservation, Title: title, Who: "agent-7", Tool: "mcp__files__readFile", Body: &text}
			d.index()
			if want := int64(countTokens(d.indexed)); d.Tokens != want {
				t.Errorf("%q, %q: %d words, want %d", title, text, d.Tokens, want)
			}
			if d.indexed != indexText(&d) {
				t.Errorf("%q, %q: the entry differs from the one that removes it", title, text)
			}
		}
	}
}
