package memory_test

import (
	"slices"
	"strings"
	"testing"
)

// The ids that some agents give sessions look like tokens next to the word session; those in the frontmatter are no
// secrets. What is one is found on its line, wherever it is.
func TestTheIDsOfAFileAreNoSecrets(t *testing.T) {
	tree := newTree(t)
	const made = "---\nid: b\ntitle: Grüße\ncoding_agent: opencode\nsession_id: ses_dd4c0c45bffevHi7v862oWzHCm\n" +
		"sources: [{from: \"opencode/ses_2f8e1c9d4ffeQ7mKx3ZbTnRvLp\", ref: msg_2f8e1c9d4001aBcDeFgHiJkLmN}]\n"
	for _, c := range []struct {
		name, text string
		want       []int
	}{
		{"a summary", made + "---\n## What happened\nNothing.\n", nil},
		{"one with Windows line ends", strings.ReplaceAll(made+"---\nNothing.\n", "\n", "\r\n"), nil},
		{"a key in its text", made + "---\n## What happened\nThe key is " + key + ".\n", []int{9}},
		{"a key in its frontmatter", made + "description: " + key + "\n---\nNothing.\n", []int{7}},
		{"a key in the place of an id", made + "supersedes: " + key + "\n---\nNothing.\n", []int{7}},
		{"a frontmatter that cannot be parsed", made + "tags: [\n---\nNothing.\n", nil},
		{"an id that a text names", "---\nid: c\n---\nsession_id: ses_dd4c0c45bffevHi7v862oWzHCm\n", []int{4}},
	} {
		lines, rules := tree.Secrets(c.text)
		if !slices.Equal(lines, c.want) || (len(rules) > 0) != (len(c.want) > 0) {
			t.Errorf("%s: lines %v, rules %v", c.name, lines, rules)
		}
	}
}
