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
	for _, m := range regexp.MustCompile(`\b(?:in|anyIn|says|rows?)\("([a-z-]+)"|[ !^:?.|]@([a-z-]+)(?m:[ |]|$)|(?m:^)@([a-z-]+)`).FindAllStringSubmatch(
		source(t)+withoutComments(programsText), -1) {
		name := m[1] + m[2] + m[3]
		asked[name] = true
		if known().lists[name] == nil && known().tables[name] == nil {
			t.Errorf("programs.txt has nothing called %q", name)
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

// withoutComments returns the lines of programs.txt that say something.
func withoutComments(text string) string {
	return regexp.MustCompile(`(?m)^#.*$`).ReplaceAllString(text, "")
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

func TestAPatternDescribesTheWordsOfACommand(t *testing.T) {
	for _, c := range []struct {
		pattern, words string
		want           bool
	}{
		{"kv get", "kv get secret/db", true},
		{"kv get", "kv -mount=x get db", true},
		{"kv get", "get kv", false},
		{"kv get", "kv", false},
		{"a|b c", "b x c", true},
		{"", "", true},
		{"", "anything", true},
		{"show * private-key", "show wg0 private-key", true},
		{"show * private-key", "show private-key", false},
		{"^env", "env app", true},
		{"^env", "push env", false},
		{"^env", "", false},
		{"^a ^b", "a b", true},
		{"^a ^b", "a x b", false},
		{"a ^b", "x a b", true},
		{"^!s3:* ^s3:*", "f s3://b", true},
		{"^!s3:* ^s3:*", "s3://b s3://c", false},
		{"^!s3:*", "", false},
		{"a !-p|--patch", "a -x", true},
		{"a !-p|--patch", "a --patch", false},
		{"!-p a", "a -p", false},
		{":log", "log x", true},
		{":log", "-1 log", true},
		{":log", "show log", false},
		{":log", "-1", false},
		{"?-a|-b", "-a x -b", true},
		{"?-a|-b", "-a -c", false},
		{"?", "x y", true},
		{"?", "-a", false},
		{".x|y", "x -a y", true},
		{".x|y", "x z", false},
		{".x", "", true},
		{"=2", "a -x b", true},
		{"=2", "a b c", false},
		{"=0", "-a", true},
		{"run >", "run go test", true},
		{"run >", "run --x go test", true},
		{"run >", "run go env", false},
		{"run >", "run", false},
		{"run >", "go test", false},
		{"@devices", "a /dev/tty", true},
		{"@devices", "a b", false},
		{"!@devices", "/proc/1/environ", false},
	} {
		if got := describes(strings.Fields(c.pattern), strings.Fields(c.words)); got != c.want {
			t.Errorf("%q describes %q: %v", c.pattern, c.words, got)
		}
	}
}

func TestARowIsAboutEachProgramAtItsHead(t *testing.T) {
	k := readKnowledge("# lists\n= few\nx y\n\n== rows\na|b one\n@few two\na three\n")
	for name, want := range map[string][]string{
		"a": {"one", "three"}, "b": {"one"}, "x": {"two"}, "y": {"two"}, "few": nil,
	} {
		if got := k.tables["rows"][name]; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestProgramsHaveOneName(t *testing.T) {
	for line, want := range map[string]string{
		"k get pods": "kubectl: get pods", "/usr/bin/tf show": "terraform: show",
		"docker compose up -d": "docker-compose: up -d",
		"podman compose ps":    "docker-compose: ps", "docker ps": "docker: ps", `C:\bin\GIT.exe log`: "git: log",
		"ls":          "ls: ",
		"oc get pods": "kubectl: get pods",
	} {
		name, rest := canonical(strings.Fields(line))
		if got := name + ": " + strings.Join(rest, " "); got != want {
			t.Errorf("%s is %s, want %s", line, got, want)
		}
	}
}
