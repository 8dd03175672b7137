package denylist

import (
	"os"
	"path/filepath"
	"testing"

	"keepmum/privacy/shell"
)

// TestASearchIsWithheldOnlyIfItHidesItsFiles runs searches in a folder with a denied file and in one without.
func TestASearchIsWithheldOnlyIfItHidesItsFiles(t *testing.T) {
	shop := t.TempDir()
	for _, name := range []string{".env", "src/main.go", "src/.hidden/note.md", "docs/readme.md"} {
		file := filepath.Join(shop, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("MODE=blue\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d := ordinary(t)
	for command, want := range map[string]bool{
		"grep -rh MODE .": true, "grep -rh MODE src": false, "grep -rh MODE src/main.go docs": false,
		"grep -rh MODE src/*.go": false, "grep -rh --include='*.go' MODE .": false, "grep -rlh MODE .": false,
		"grep -rch MODE .": false, "grep -rh MODE . | wc -l": false, "grep -rh MODE . >/dev/null": false,
		"grep -r MODE .": false, "grep -rn MODE . | head": false,
		"grep -h MODE src/main.go docs/readme.md": false, "grep -h MODE *": false, "rg MODE": false, "rg -uu MODE": false,
		"rg -I MODE": false, "rg -uuI MODE": true, "rg -uuI -g '*.go' MODE": false, "rg -uuI -g '!*.md' MODE": true,
		"find . -type f -exec cat {} +": true, "find src -type f -exec cat {} +": false,
		"find src docs -exec cat {} +":       false,
		"find . -name '*.go' -exec cat {} +": false, "find . -type f -exec grep MODE {} +": false,
		"find . -type f -exec grep -H MODE {} \\;": false, "find . -type f -exec grep -l MODE {} \\;": false,
		"find . -type f -exec wc -l {} +": false, "find . -type f -exec sed -i s/a/b/ {} +": false,
		"find . -type d -exec chmod 755 {} +": false, "find . -type f": false, "find . -type f | xargs ls -l": false,
		"find . -type f | xargs grep MODE": false, "find . -type f | xargs grep -h MODE": true,
		"find . -type f | xargs":          false,
		"find . -name '*.go' | xargs cat": false, "echo $(find . -type f)": false, "wc -l $(find . -type f)": false,
		"n=$(find . -type f | wc -l); echo $n": false, "rm $(ls -a | grep env)": false, "ls $(ls -a | grep env)": false,
		"cat $(ls | grep main)": false, "n=$(ls -a | grep -c env); cat $n": false, "cat $(ls -a | grep -v env)": false,
		"cat $(ls -a)": true, "cat $(ls -A src)": false, "cat $(ls)": false, "ls -la $(ls -a)": false,
		"du -sh $(ls -A)":             false,
		"ls -A | head -3 | xargs cat": true, "ls -A | xargs du -sh": false, "for f in $(ls -a); do cat $f; done": true,
		"ls -A src | xargs cat": false, "cat $(git ls-files -o)": true, "cat $(git ls-files)": false,
		"cat $(git ls-files | head -1)": false, "cat $(git ls-files -o | grep env)": true,
		"cat $(git diff --name-only | grep main)": false, "cat $(rg --files --hidden)": true, "cat $(rg --files)": false,
		"f=a.go.bak; cat ${f%.bak}": false, "f=.env.example; cat ${f%.old}": false,
		"echo 'ls .env' > r.sh; sh r.sh": false, "echo 'cat .env' > r.sh; ls": false, "EDITOR=vim git commit": false,
		"docker build --secret id=x,env=MODE .": false,
	} {
		i := d.Inspect(Event{Tool: "Bash", Dir: shop, Input: map[string]any{"command": command}})
		if got := i.Verdict.Denied != "" || i.Verdict.Output != shell.Keep; got != want {
			t.Errorf("%s: withheld %v, for %q", command, got, i.Verdict.Denied)
		}
	}
}
