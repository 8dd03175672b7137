package shell

import (
	"slices"
	"strings"
	"testing"
)

// folders returns the globs for all files of a folder among the names of files that a script shows.
func folders(script string) (globs []string) {
	for _, name := range names(Read(script, "/src", "/home/ann"), false) {
		if strings.HasSuffix(name, "/**/*") && !slices.Contains(globs, name) {
			globs = append(globs, name)
		}
	}
	slices.Sort(globs)
	return globs
}

func TestACommandThatPrintsAllFilesOfAFolderUsesThemAll(t *testing.T) {
	for script, want := range map[string]string{
		"grep -rh password":                               "./**/*",
		"grep -rh password conf deploy/":                  "conf/**/* deploy/**/*",
		"grep -Rhn -A 3 password conf":                    "conf/**/*",
		"grep --recursive --no-filename password conf":    "conf/**/*",
		"grep -rh -e password conf":                       "conf/**/*",
		"grep -rh -m 3 password conf":                     "conf/**/*",
		"ugrep -rh x /etc":                                "/etc/**/*",
		"rg -uuI x conf":                                  "conf/**/*",
		"rg --hidden -I x":                                "./**/*",
		"rg -u --no-filename x conf":                      "conf/**/*",
		"sudo grep -rh x /root":                           "/root/**/*",
		"cd conf && grep -rh x":                           "./**/*",
		"find . -type f -exec cat {} +":                   "./**/*",
		"find . -type l -exec cat {} +":                   "./**/*",
		"find -exec cat {} ;":                             "./**/*",
		`find conf -type f -exec cat {} \;`:               "conf/**/*",
		"find -L conf deploy -type f -exec head -5 {} +":  "conf/**/* deploy/**/*",
		`find conf ! -name '*.md' -exec cat {} \;`:        "conf/**/*",
		"find conf -name .git -prune -o -exec cat {} +":   "conf/**/*",
		"find conf -execdir cat {}":                       "conf/**/*",
		`find conf \( -type f -o -type l \) -ok cat {} +`: "conf/**/*",
		`find conf -exec sed -n 1,5p {} \;`:               "conf/**/*",
		`find conf -exec grep x {} \;`:                    "conf/**/*",
		"find conf -exec grep -h x {} +":                  "conf/**/*",
		"find conf | xargs cat":                           "conf/**/*",
		"find conf -type f -print0 | xargs -0 -n 1 cat":   "conf/**/*",
		"find conf | xargs -I {} cat {}":                  "conf/**/*",
		"find conf | xargs $tool":                         "conf/**/*",
		"find conf | parallel cat":                        "conf/**/*",
		"find conf | xargs -n 1 grep x":                   "conf/**/*",
		"find conf | xargs grep -h x":                     "conf/**/*",
		"find conf | sort | xargs cat":                    "conf/**/*",
		"ls -A | xargs cat":                               "./**/*",
		"ls -la conf | xargs cat":                         "conf/**/*",
		"rg --files --hidden | xargs cat":                 "./**/*",
		"git ls-files -o | xargs head":                    "./**/*",
		"cat $(find conf -type f)":                        "conf/**/*",
		"cat $(find conf | sort)":                         "conf/**/*",
		"cat $(ls -A conf)":                               "conf/**/*",
		"cat `ls -a`":                                     "./**/*",
		"for f in $(find conf -type f); do cat $f; done":  "conf/**/*",
		"head -3 $(rg --files --hidden)":                  "./**/*",
	} {
		if got := strings.Join(folders(script), " "); got != want {
			t.Errorf("%s: %q, want %q", script, got, want)
		}
	}
}

func TestACommandThatSaysWhichFileALineIsFromUsesNoWholeFolder(t *testing.T) {
	for _, script := range []string{
		"grep -r password", "grep -rn password conf", "grep -rhc password conf", "grep -rhl password conf", "grep -h x a b",
		"grep -rh --include '*.go' x", "rg -uI -g '*.go' x conf", "rg -I x conf", "rg -u x conf", "rg -uI -tgo x",
		"grep -rh x . > /dev/null", "grep -rh x . | wc -l", "cat -rh conf",
		"find conf", "find . -name '*.go' -exec cat {} +", `find conf -path '*/docs/*' -exec cat {} \;`,
		"find . -type d -exec ls {} +", "find conf -exec grep x {} +",
		`find conf -exec grep -H x {} \;`, `find conf -exec grep --with-filename x {} \;`, `find conf -exec rm {} \;`,
		`find conf -exec sed -i s/a/b/ {} +`, `find conf -exec sed --in-place s/a/b/ {} +`, "find conf -exec wc -l {} +",
		"find conf -name x -exec cat {} +", "find *.go -exec cat {} +", "find conf -exec",
		"find conf | xargs grep x", "find conf | xargs", "find conf | xargs -0", "find conf | xargs wc -l",
		"find conf | wc -l",
		"find conf | sort", "ls | xargs cat", "git ls-files | xargs cat", "rg --files | xargs cat",
		"find conf -name '*.go' | xargs cat", "ls -A | xargs ls", "$x | xargs cat", "( find conf ) | xargs rm",
		"cat $(ls)", "cat $(find . -name '*.go')", "cat $(find conf | wc -l)", "cat $(date)",
		"cat $(find conf | grep -c x)", "cat $(ls -A | grep go)", "cat $(ls -A | (sort))", "echo $(git status)",
	} {
		if got := folders(script); len(got) > 0 {
			t.Errorf("%s: %q", script, got)
		}
	}
}

func TestThePatternOfAListNamesTheFilesThatAreRead(t *testing.T) {
	for script, want := range map[string][]string{
		"cat $(ls -a | grep env)":                            {"env", ".env"},
		`cat $(ls -a | grep '^\.env$')`:                      {"env"},
		"cat $(find . | grep -F netrc)":                      {"netrc", ".netrc"},
		"ls -a | grep netrc | xargs cat":                     {"netrc", ".netrc"},
		"for f in $(ls -a | grep env); do cat $f; done":      {".env"},
		"ls -a | grep netrc | while read f; do cat $f; done": {".netrc"},
		"git ls-files | rg pgpass | parallel cat":            {"pgpass"},
	} {
		got := names(Read(script, "/src", ""), false)
		for _, name := range want {
			if !slices.Contains(got, name) {
				t.Errorf("%s: %q is missing in %q", script, name, got)
			}
		}
	}
	for _, script := range []string{"cat $(ls -a | grep -v env)", "ls -a | grep env", "ls -a | grep env | wc -l",
		"cat $(ls -a | grep '.*')", "cat $(ls -a | grep $x)", "ls -a | grep token | xargs cat"} {
		if got := names(Read(script, "/src", ""), false); slices.Contains(got, ".env") || slices.Contains(got, ".token") {
			t.Errorf("%s: %q", script, got)
		}
	}
}
