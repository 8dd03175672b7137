package shell

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// source returns the code of this package.
func source(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range files {
		if !strings.HasSuffix(f, "_test.go") {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(text)
		}
	}
	return b.String()
}

// TestTheCodeAsksForListsThatExist fails if a name in the code is not one in programs.txt, or the other way round: a
// question about a missing list would always be answered with no.
func TestTheCodeAsksForListsThatExist(t *testing.T) {
	asked := map[string]bool{}
	for _, m := range regexp.MustCompile(`\b(?:in|anyIn|rows?)\("([a-z-]+)"`).FindAllStringSubmatch(source(t), -1) {
		asked[m[1]] = true
		if known().lists[m[1]] == nil && known().tables[m[1]] == nil {
			t.Errorf("programs.txt has nothing called %q", m[1])
		}
	}
	for name := range known().lists {
		if !asked[name] {
			t.Errorf("nobody asks for the list %q", name)
		}
	}
	for name := range known().tables {
		if !asked[name] {
			t.Errorf("nobody asks for the table %q", name)
		}
	}
}

func TestListsAreSortedAndNameAWordOnce(t *testing.T) {
	var name string
	var words []string
	check := func() {
		if !slices.IsSorted(words) {
			t.Errorf("the list %q is not sorted", name)
		}
		if len(slices.Compact(slices.Clone(words))) != len(words) {
			t.Errorf("the list %q has a word twice", name)
		}
	}
	for line := range strings.Lines(programsText) {
		head, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case head == "=" || head == "==":
			check()
			name, words = rest, nil
		case head != "" && head != "#" && known().tables[name] == nil:
			words = append(words, strings.Fields(line)...)
		}
	}
	check()
}

func TestHandedFilesHaveAUse(t *testing.T) {
	for name := range known().tables["handed"] {
		if o, ok := handedOptionOf(name); !ok || o.flags == "" {
			t.Errorf("%s: %+v", name, o)
		}
	}
	if o, ok := handedOptionOf("cat"); ok {
		t.Errorf("cat takes a file with %+v", o)
	}
}

func TestAWordWithStarsMatchesAnything(t *testing.T) {
	for _, c := range []struct {
		alternatives, word string
		want               bool
	}{
		{"a|b", "b", true},
		{"a|b", "ab", false},
		{"a|b", "", false},
		{"-o*", "-o", true},
		{"-o*", "-ojson", true},
		{"-o*", "--output", false},
		{"*auth*", "//registry/:_authToken", true},
		{"*auth*", "token", false},
		{"secret/*", "secret/db", true},
		{"secret/*", "secrets/db", false},
		{"a*b*c", "a-b-b-c", true},
		{"a*b*c", "a-c-b", false},
		{"*", "", true},
	} {
		if got := oneOf(c.alternatives, c.word); got != c.want {
			t.Errorf("%q in %q: %v", c.word, c.alternatives, got)
		}
	}
}

func TestWordsOfACommandComeInOrder(t *testing.T) {
	for _, c := range []struct {
		want, words string
		ok          bool
	}{
		{"kv get", "kv get secret/db", true},
		{"kv get", "kv -mount=x get db", true},
		{"kv get", "get kv", false},
		{"kv get", "kv", false},
		{"^env", "env app", true},
		{"^env", "push env", false},
		{"", "", true},
		{"show * private-key", "show wg0 private-key", true},
		{"show * private-key", "show private-key", false},
	} {
		if got := inOrder(strings.Fields(c.want), strings.Fields(c.words)); got != c.ok {
			t.Errorf("%q in %q: %v", c.want, c.words, got)
		}
	}
}
