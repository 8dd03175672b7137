package page

import (
	"html/template"
	"testing"
)

// A stored text that looks like a mark is text, and a mark that was cut off ends with its snippet.
func TestOnlyTheStoreMarksWords(t *testing.T) {
	for snippet, want := range map[string]template.HTML{
		"&lt;mark&gt; <mark>a</mark> &amp; b": "&lt;mark&gt; <mark>a</mark> &amp; b",
		"a <mark>b":                           "a <mark>b</mark>",
		"a</mark> <b>":                        "a&lt;/mark&gt; &lt;b&gt;",
		"":                                    "",
		"a <mark>":                            "a <mark></mark>",
	} {
		if got := marks(snippet); got != want {
			t.Errorf("%q: %q, not %q", snippet, got, want)
		}
	}
}
