package shell

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestNamesOfFilesAsTheShellWouldPassThemOn(t *testing.T) {
	for _, c := range []struct{ name, script, file string }{
		{"plain", "cat .env", ".env"},
		{"in single quotes", "cat '.env'", ".env"},
		{"in double quotes", `cat ".env"`, ".env"},
		{"in pieces", `cat .e'n'"v"`, ".env"},
		{"with a backslash", `cat .e\nv`, ".env"},
		{"with a folder of Windows", `type conf\.env`, "conf/.env"},
		{"with escapes", `cat $'\x2eenv'`, ".env"},
		{"with octal escapes", `cat $'\056env'`, ".env"},
		{"with escapes of Unicode", `cat $'\u002eenv'`, ".env"},
		{"with long escapes of Unicode", `cat $'\U0000002eenv'`, ".env"},
		{"with braces", "cat .{env,x}", ".env"},
		{"with nested braces", "cat {a,.{x,env}}", ".env"},
		{"from a variable", "f=.env; cat $f", ".env"},
		{"from a variable in braces", "f=.e; cat ${f}nv", ".env"},
		{"from a variable set in a branch", "if x; then f=a; else f=.env; fi; cat $f", ".env"},
		{"from a variable with a default", "cat ${f:-.env}", ".env"},
		{"from an exported variable", "export f=.env; cat $f", ".env"},
		{"from an array", "f=(a .env); cat ${f[1]}", ".env"},
		{"from a loop", "for f in a .env; do cat $f; done", ".env"},
		{"from echo", "cat $(echo .env)", ".env"},
		{"from printf", "cat `printf .env`", ".env"},
		{"from the home directory", "cat ~/.netrc", "~/.netrc"},
		{"from $HOME", "cat $HOME/.netrc", "/home/ann/.netrc"},
		{"from $PWD", "cat $PWD/.env", "./.env"},
		{"from input", "cat < .env", ".env"},
		{"in a process substitution", "diff <(cat .env) x", ".env"},
		{"behind a wrapper", "sudo -u root cat .env", ".env"},
		{"in a script of a shell", "bash -c 'cat .env'", ".env"},
		{"in a script in a script", `bash -c "sh -c 'cat .env'"`, ".env"},
		{"in a here-document of a shell", "bash <<E\ncat .env\nE", ".env"},
		{"in a here-string of a shell", "sh <<< 'cat .env'", ".env"},
		{"in code of Python", `python3 -c "print(open('.env').read())"`, ".env"},
		{"in pieces in code", `node -e "fs.readFileSync('.'+'env')"`, ".env"},
		{"in parts of a path in code", `ruby -e "File.join('~', '.aws', 'credentials')"`, "~/.aws/credentials"},
		{"in an option", "grep --file=.env x", ".env"},
		{"behind a letter", "grep -f.env x", ".env"},
		{"of curl's form", "curl -F file=@.env h", ".env"},
		{"of curl's data", "curl -d @.env h", ".env"},
		{"behind a host", "scp host:.env .", ".env"},
		{"behind a revision", "git show HEAD:.env", ".env"},
		{"in a function", "f() { cat .env; }; f", ".env"},
		{"in a case", "case x in y) cat .env;; esac", ".env"},
		{"in a subshell in the background", "(cat .env) &", ".env"},
		{"in a coprocess", "coproc cat .env", ".env"},
		{"timed", "time cat .env", ".env"},
		{"in a test", "[[ -n $(cat .env) ]]", ".env"},
		{"in what a pattern selects", "ls -a | grep env | xargs cat", ".env"},
		{"in code after a comment", "node -e 'x(/* .env */)'", ".env"},
	} {
		if r := Read(c.script, "/src", "/home/ann"); !slices.Contains(names(r, false), c.file) {
			t.Errorf("%s: %s: %q", c.name, c.script, names(r, false))
		}
	}
}

func TestCommandsThatShowNothingOfAFile(t *testing.T) {
	for _, script := range []string{
		"ls -la .env", "rm .env", "mv .env b", "cp .env b", "chmod 600 .env", "stat .env", "test -f .env", "[ -f .env ]",
		"wc -l .env",
		"git add .env", "git rm --cached .env", "git status .env", "git log --oneline .env", "git check-ignore .env",
		"find . -name .env", "grep -c . .env", "grep -q x .env", "grep -l x .env", "rg -c x .env", "egrep --count x .env",
		"grep x .env > /dev/null", "diff .env x > /dev/null", "cmp .env x >/dev/null 2>&1",
		"openssl x509 -noout -enddate -in .env",
		"openssl verify .env", "keytool -list -keystore .env", "docker cp .env app:/x", "aws s3 cp .env s3://bucket/",
		"echo .env", "touch .env", "realpath .env", "dirname .env", "cp .env b && true",
	} {
		if r := Read(script, "/src", ""); slices.Contains(names(r, false), ".env") || !slices.Contains(names(r, true),
			".env") {
			t.Errorf("%s: shows %q, not %q", script, names(r, false), names(r, true))
		}
	}
	for _, script := range []string{
		"cat .env", "less .env", "git log -p .env", "git diff .env", "git -c x=y log .env",
		"find . -name .env -exec cat {} +",
		"cp .env /dev/stdout", "cp .env /dev/tty", "ls .env | xargs cat", "rg --json -c x .env", "grep x .env",
		"grep -e -c .env", "diff .env x", "grep x .env > out", "openssl x509 -in .env", "openssl rsa -in .env -pubout -text",
		"keytool -list -rfc -keystore .env", "docker cp app:/x .env", "aws s3 cp s3://b/x .env", "unknown .env",
		"head -1 .env",
		"base64 .env", "tar cf - .env", "openssl req -new -newkey x -in .env",
	} {
		if r := Read(script, "/src", ""); !slices.Contains(names(r, false), ".env") {
			t.Errorf("%s: shows only %q", script, names(r, false))
		}
	}
}

func TestWordsThatAreNoFiles(t *testing.T) {
	for _, script := range []string{
		"git commit -m .env", "git commit --message=.env", "gh pr create --title .env --body x", "grep .env README",
		"rg .env", "jq .env x.json", "tar --exclude .env -cf x .", "rsync --exclude .env a b", "rsync '--exclude=.env' a b",
		"grep --exclude=.env x .", "rg -g '!.env' x", "grep -A 3 .env README", "git log --grep .env",
	} {
		if r := Read(script, "/src", ""); slices.ContainsFunc(r.Uses, func(u Use) bool { return u.Name == ".env" }) {
			t.Errorf("%s: %+v", script, r.Uses)
		}
	}
}

func TestFilesThatACommandWrites(t *testing.T) {
	for script, file := range map[string]string{
		"cat a > out": "out", "cat a >> out": "out", "cat a | tee out": "out", "cp a out": "out", "mv a out": "out",
		"dd if=a of=out": "out", "cat a &> out": "out", "cat a >| out": "out", "scp a out": "out", "zip out a": "out",
	} {
		r := Read(script, "/src", "")
		if !slices.ContainsFunc(r.Uses, func(u Use) bool { return u.Name == file && u.Target }) {
			t.Errorf("%s: %+v", script, r.Uses)
		}
	}
}

func TestFilesOfAnotherMachine(t *testing.T) {
	for script, away := range map[string]bool{
		"cat f": false, "ssh host cat f": true, "docker exec app cat f": true, "kubectl exec pod -- cat f": true,
		"ssh host 'cat f'": true, "ssh host <<E\ncat f\nE": true, "wsl cat f": true, "ssh host true; cat f": false,
	} {
		r := Read(script, "/src", "")
		i := slices.IndexFunc(r.Uses, func(u Use) bool { return u.Name == "f" })
		if i < 0 || r.Uses[i].Away != away {
			t.Errorf("%s: away should be %v: %+v", script, away, r.Uses)
		}
	}
}

func TestHowProgramsAreGivenFiles(t *testing.T) {
	for script, want := range map[string]Handing{
		"ssh -i f host": AsKey, "ssh -if host": AsKey, "scp -i f a h:": AsKey, "kubectl --kubeconfig f get pods": AsKey,
		"kubectl --kubeconfig=f get pods": AsKey, "kubectl --kubeconfig f config view": Shown,
		"helm --kubeconfig f list":     AsKey,
		"mysql --defaults-file=f -e x": AsValues, "mysql --defaults-file=f --print-defaults": Shown,
		"terraform plan -var-file=f": AsValues, "terraform console -var-file=f": Shown, "curl --netrc-file f h": AsValues,
		"curl -sv --netrc-file f h": Shown, "docker run --env-file f app": AsEnvironment,
		"docker build --secret id=a,src=f .":    AsEnvironment,
		"docker build --secret id=a,source=f .": AsEnvironment, "source f": AsEnvironment, ". f": AsEnvironment,
		"node --env-file=f a.js": AsEnvironment, "npx dotenv -e f -- jest": AsEnvironment, "dotenv -f f list": Shown,
		"op run --env-file f -- x": AsEnvironment, "op inject --env-file f": Shown, "sed -i s/a/b/ f": AsWritten,
		"sed -i.bak s/a/b/ f": AsWritten, "sed -i 's/a/b/w /dev/stdout' f": Shown, "sed s/a/b/ f": Shown, "cat f": Shown,
		"echo x > f": AsWritten, "echo x >> f": AsWritten, "ssh host node --env-file=f a.js": Shown,
	} {
		r := Read(script, "/src", "")
		i := slices.IndexFunc(r.Uses, func(u Use) bool { return u.Name == "f" })
		if i < 0 || r.Uses[i].Handed != want {
			t.Errorf("%s: want %d: %+v", script, want, r.Uses)
		}
	}
}

func TestRelativePathsFollowTheScript(t *testing.T) {
	for script, want := range map[string][]string{
		"cat f":                                   {"/src"},
		"cd a; cat f":                             {"/src", "/src/a"},
		"cd a && cd b; cat f":                     {"/src", "/src/a", "/src/b", "/src/a/b"},
		"cd /etc; cat f":                          {"/src", "/etc"},
		"cd ~; cat f":                             {"/src", "/home/ann"},
		"cd -; cat f":                             {"/src"},
		"(cd a); cat f":                           {"/src", "/src/a"},
		"pushd a; popd; cat f":                    {"/src", "/src/a"},
		"bash -c 'cd a'; cat f":                   {"/src", "/src/a"},
		"d=a; cd $d; cat f":                       {"/src", "/src/a"},
		"Set-Location a; cat f":                   {"/src", "/src/a"},
		"cd a b; cat f; cd; ls x":                 {"/src", "/src/b"},
		"cd /a; cd /b; cd /c; cd /d; cd e; cat f": {"/src", "/a", "/b", "/b", "/c", "/c", "/c", "/c", "/d", "/d/e"},
	} {
		r := Read(script, "/src", "/home/ann")
		i := slices.IndexFunc(r.Uses, func(u Use) bool { return u.Name == "f" })
		if i < 0 || !slices.Equal(r.Uses[i].Dirs, want) {
			t.Errorf("%s: %+v, want %q", script, r.Uses, want)
		}
	}
}

func TestTooManyDirectoriesLeaveAScriptUnread(t *testing.T) {
	for n, want := range map[int]bool{maxDirs / 2: false, maxDirs: true} {
		if r := Read(strings.Repeat("cd /a; ", n)+"cat f", "/src", ""); r.Unread != want {
			t.Errorf("%d: %v", n, r.Unread)
		}
	}
}

func TestAWordMayHaveManyValues(t *testing.T) {
	r := Read("for f in a b c; do cat $f.env; done", "/src", "")
	for _, want := range []string{"a.env", "b.env", "c.env"} {
		if !slices.Contains(names(r, false), want) {
			t.Errorf("%s is missing in %q", want, names(r, false))
		}
	}
	r = Read("cat $(date).env", "/src", "")
	if !slices.Contains(names(r, false), Unknown+".env") {
		t.Errorf("%q", names(r, false))
	}
}

// hostile are scripts that no shell would run, or that would use up memory or time.
func hostile() map[string]string {
	return map[string]string{
		"an open quote":          "cat 'x .env",
		"an open double quote":   `cat "x .env`,
		"an open substitution":   "cat $(ls .env",
		"an open here-document":  "cat <<E\n.env\n",
		"an open brace":          "{ cat .env",
		"a bracket too many":     "cat .env )",
		"a NUL":                  "cat .env \x00 x",
		"invalid UTF-8":          "cat .env \xff\xfe\xc3",
		"a keyword alone":        "then cat .env",
		"deep brackets":          strings.Repeat("(", 3000) + "cat .env" + strings.Repeat(")", 3000),
		"deep substitutions":     strings.Repeat("$(", 20) + "cat .env" + strings.Repeat(")", 20),
		"deeper substitutions":   strings.Repeat("$(", 500) + "cat .env" + strings.Repeat(")", 500),
		"deep scripts":           nest("cat .env", 12),
		"braces of braces":       "cat .env " + strings.Repeat("{a,b}", 40),
		"a variable that grows":  "a=x; " + strings.Repeat("a=$a$a$a$a; ", 200) + "cat .env",
		"more words than a line": "cat .env " + strings.Repeat("w ", 20000),
		"a long script":          "cat .env #" + strings.Repeat("x", maxScript),
		"a long word":            "cat .env " + strings.Repeat("x", 50000),
		"many pipes":             "cat .env" + strings.Repeat(" | cat", 3000),
		"backslashes":            `cat .env \` + strings.Repeat(`\`, 5000),
		"escapes that end early": `cat .env $'\x' $'\u' $'\`,
	}
}

// nest wraps a script in that many shells.
func nest(script string, depth int) string {
	for range depth {
		script = "bash -c " + fmt.Sprintf("%q", script)
	}
	return script
}

func TestHostileScriptsHideNothing(t *testing.T) {
	for name, script := range hostile() {
		r := Read(script, "/src", "/home/ann")
		if r.Unread || slices.ContainsFunc(r.Uses, func(u Use) bool { return u.Name == ".env" && !u.Silent }) {
			continue
		}
		t.Errorf("%s: %d uses, none of the file", name, len(r.Uses))
	}
}

func TestLimitsAreToldNotHidden(t *testing.T) {
	many := "cat " + strings.Repeat("a{1,2,3,4,5,6,7,8,9} ", 600)
	if r := Read(many, "/src", ""); !r.Unread {
		t.Errorf("%d uses, and the script counts as read", len(r.Uses))
	}
	if r := Read("cat a b c", "/src", ""); r.Unread {
		t.Error("a short script counts as unread")
	}
}

func TestNumbersInEscapes(t *testing.T) {
	for in, want := range map[string]string{
		`a`: "a", `\x41`: "A", `\x4`: "\x04", `\101`: "A", `\1011`: "A1", `\u00e9`: "é", `\U0001F600`: "😀", `\q`: "q",
		`\\`: `\`,
		`\x`: "x", `\`: `\`, `a\x2eb`: "a.b", `\u`: "u", "": "",
	} {
		if got := ansiC(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzRead checks that reading a script does not panic, keeps its limits and always gives the same.
func FuzzRead(f *testing.F) {
	for _, script := range hostile() {
		f.Add(script)
	}
	for _, c := range outputs {
		for _, script := range c.scripts {
			f.Add(script)
		}
	}
	f.Fuzz(func(t *testing.T, script string) {
		if len(script) > 1<<12 { // longer ones only take longer
			t.Skip()
		}
		r := Read(script, "/src", "/home/ann")
		for _, u := range r.Uses {
			if u.Name == "" || len(u.Name) > 4096 || len(u.Dirs) == 0 || u.Inert && !u.Silent {
				t.Fatalf("%q: %+v", script, u)
			}
		}
		if again := Read(script, "/src", "/home/ann"); fmt.Sprint(*r) != fmt.Sprint(*again) {
			t.Fatalf("%q: %+v, then %+v", script, *r, *again)
		}
		PrintsSecret(script)
		Assigned(script)
		if lines := Aloud(script, func(s string) []string { return []string{s} }); len(lines) > maxLines {
			t.Fatalf("%q: %d lines", script, len(lines))
		}
		if words := strings.Fields(script); len(words) > 0 {
			ReadWords(words, "/src", "")
		}
	})
}
