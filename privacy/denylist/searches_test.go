package denylist

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
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

// TestAStarSaysNothingOfNames asks for all visible files of folders that can be listed, and of such that cannot: a
// shell's * matches no hidden file.
func TestAStarSaysNothingOfNames(t *testing.T) {
	here := t.TempDir()
	for _, name := range []string{".env", "src/main.go", "src/.env", "conf/id_ed25519", "a/README.md",
		"a/credentials.json"} {
		file := filepath.Join(here, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("MODE=blue\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d, err := New(Options{Home: "/home/dev", User: []string{"*.ledger", "clients/"}})
	if err != nil {
		t.Fatal(err)
	}
	own := ordinary(t)
	for _, c := range []struct {
		d       *List
		dir     string
		command string
		want    bool
	}{
		{own, here, "cat *", false}, {own, here, "cat src/*", false}, {own, here, "cat conf/*", true},
		{own, here, "head -2 a/*", true}, {own, here, "cat .*", true}, {own, here, "cat gone/*", false},
		{own, "/gone/shop", "cat *", false}, {own, "/gone/shop", "sha1sum build/*", false},
		{own, "/gone/shop", "grep -n FIXME *", false}, {own, "/gone/shop", "tail -n 3 /gone/log/*", false},
		{own, "/gone/shop", "cat .*", true}, {own, "/gone/shop", "cat **/*", true}, {own, "/gone/shop", "cat c*", true},
		{own, "/gone/shop", "cat certs/*", true}, {own, "/gone/shop", "cat ~/.aws/*", true},
		{own, "/gone/shop", "cat ~/.ssh/*", true}, {own, "/gone/shop", "cat .kube/*", true},
		{own, "/gone/.ssh", "cat *", true}, {own, "/gone/shop", "cd ~/.docker; cat *", true},
		{own, "/gone/shop", "grep -rh MODE .", true}, {own, "/gone/shop", "cat */*", true},
		{own, here, "ssh h 'cat /srv/log/*'", true}, {own, here, "ssh h 'cat ~/.ssh/*'", true},
		{own, here, "docker exec app cat /run/secrets/*", true},
		{d, "/gone/shop", "cat *", true}, {d, "/gone/shop", "cat clients/*", true},
	} {
		i := c.d.Inspect(Event{Tool: "Bash", Dir: c.dir, Input: map[string]any{"command": c.command}})
		if got := i.Verdict.Denied != ""; got != c.want {
			t.Errorf("%s in %s: withheld %v", c.command, c.dir, got)
		}
	}
	var many strings.Builder
	for n := range 2 * maxResolved {
		fmt.Fprintf(&many, "cat /gone/%d; ", n)
	}
	if own.Inspect(Event{Tool: "Bash", Dir: "/gone/shop", Input: map[string]any{"command": many.String() + "cat *"}}).
		Verdict.Denied == "" {
		t.Error("a star that is not looked up is not withheld")
	}
}

// TestCommandsThatOnlyMentionAFile names denied files through variables, and loads one.
func TestCommandsThatOnlyMentionAFile(t *testing.T) {
	for _, command := range []string{"echo $KUBECONFIG", "kubectl --kubeconfig $KUBECONFIG get pods", "ls -l $NETRC",
		"test -f $AWS_CONFIG_FILE", "KUBECONFIG=x.yaml; cat $KUBECONFIG", "cat $(printf '%s.md' README)",
		"printf '%s\n' env", "node -e \"require('dotenv').config(); require('./src/seed').run()\"", "make print-version",
		"make environment", "echo 100%s"} {
		i := ordinary(t).Inspect(ran(command))
		if i.Verdict.Denied != "" || i.Verdict.Output != shell.Keep {
			t.Errorf("%s: withheld, for %q, %v", command, i.Verdict.Denied, i.Verdict.Output)
		}
	}
}
