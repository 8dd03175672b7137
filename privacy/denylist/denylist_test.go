package denylist

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepmum/privacy/shell"
)

func TestFilesThatAreDeniedByConvention(t *testing.T) {
	d := ordinary(t)
	for want, paths := range map[bool][]string{
		true: {
			".env", ".env.production", "prod.env", "a/.env", "/srv/app/.env.local", ".ENV", `conf\.env`, ".envs/a/b", ".envrc",
			".dev.vars", "env.prod", "server.pem", "tls.key", "a.p12", "id_rsa", "id_ed25519_work", "x/id_ecdsa", "a.kdbx",
			"~/.netrc", ".npmrc", ".pypirc", ".pgpass", ".my.cnf", ".git-credentials", ".bash_history", "fish_history",
			"password.txt", "db_password.txt", "api-key.txt", "~/.aws/credentials", "~/.aws/sso/cache/x.json", "~/.kube/config",
			"kubeconfig-prod", "~/.docker/config.json", "~/.config/gh/hosts.yml", "~/.ssh/config", ".ssh/known_hosts",
			"credentials.json", "client_secret_12.json", "service-account-x.json", "secrets.yml", "secret.yaml",
			"k8s/db-secret.yaml",
			"wp-config.php", "terraform.tfstate", "prod.tfvars", "a.gpg", "/run/secrets/db", "/etc/shadow", "/proc/12/environ",
			"/proc/self/environ", "/etc/kubernetes/admin.conf", "~/.gnupg/x", ".env.bak", ".env~", "id_rsa.old", ".env.swp",
			"file:///srv/.env", "FILE:///srv/.env", ".env:3", ".env#L3", ".env:1-20", `".env"`, "@.env", ".env::$DATA", "%2eenv",
			"pgbouncer/userlist.txt", "/etc/openvpn/client/auth-hq.txt", "exim4/passwd.client", "x/auth-user-pass.txt",
			"/etc/dovecot/users", "/etc/ipsec.secrets", "~/.authinfo", "~/.vnc/passwd", "~/.gradle/gradle.properties",
			"file://host/srv/.env", ".env(3,5)", "x/../.env", "./.env", "a/b/../../.ssh/id",
		},
		false: {
			"main.go", "README.md", "env.go", "environment.ts", ".environment", ".env.example", ".env.sample", ".env.template",
			"keys.go", "id_rsa.pub", "id_work.pub", "public.pem", "fullchain.pem", "secrets.go", "secret-store.tsx",
			"config.json",
			"docker/config.json", "hosts.yml", "sealed-secret.yaml", "external-secret-x.yml", "templates/secret.yaml",
			"notes.txt", "app/userlist.txt", "docs/auth.txt", "gradle.properties", "users",
			"passwords.md", "password_reset.go", "token.go", "pem", "key", "ssh/config", "", ".", "..", "/", "~", "src/", "*.go",
		},
	} {
		for _, p := range paths {
			i := d.Inspect(Event{Tool: "Read", Dir: "/home/dev/shop", Input: map[string]any{"file_path": p}})
			if got := i.Verdict.Denied != ""; got != want {
				t.Errorf("%s: denied %v", p, got)
			}
		}
	}
}

// TestAQuickLookMissesNothing compares the answer for the name in an output with the full check of the path.
func TestAQuickLookMissesNothing(t *testing.T) {
	d, err := New(Options{Home: "/home/dev", User: []string{"private/**", "*mid*dle*", "[ab]c.txt", "/srv/x/**",
		"~/work", "!keep/a.pem"}})
	if err != nil {
		t.Fatal(err)
	}
	i := d.Inspect(Event{Dir: "/home/dev/shop"})
	for _, p := range manyPaths(d.rules) {
		full := shell.Path("/home/dev/shop", plainName(p), "/home/dev")
		if want := d.rules.match(strings.ToLower(full)); want && !i.Denies(p) {
			t.Errorf("%s is denied, and passes in an output", p)
		}
	}
}

func TestWhatAUserAndARepositoryMaySay(t *testing.T) {
	for _, c := range []struct {
		name       string
		user, repo []string
		path       string
		want       bool
	}{
		{"a user denies a name", []string{"*.csv"}, nil, "a/b.csv", true},
		{"a user denies a folder", []string{"clients/"}, nil, "x/clients/a.txt", true},
		{"a user denies below home", []string{"~/notes"}, nil, "/home/dev/notes/a.txt", true},
		{"a user allows a default", []string{"!.env.test"}, nil, ".env.test", false},
		{"allowing one file leaves the others", []string{"!.env.test"}, nil, ".env", true},
		{"a repository denies", nil, []string{"internal/**"}, "internal/a.go", true},
		{"a repository cannot allow", nil, []string{"!.env"}, ".env", true},
		{"nor with blanks before it", nil, []string{"  !.env"}, ".env", true},
		{"the last word is the repository's", []string{"!a.csv"}, []string{"*.csv"}, "a.csv", true},
		{"a glob is not case sensitive", []string{"Clients/**"}, nil, "clients/x", true},
		{"alternatives", []string{"*.{csv,tsv}"}, nil, "a.tsv", true},
		{"classes", []string{"[ab].txt"}, nil, "c.txt", false},
	} {
		d, err := New(Options{Home: "/home/dev", User: c.user, Repo: c.repo})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		i := d.Inspect(Event{Tool: "Read", Dir: "/home/dev/shop", Input: map[string]any{"path": c.path}})
		if got := i.Verdict.Denied != ""; got != c.want {
			t.Errorf("%s: %s denied %v", c.name, c.path, got)
		}
	}
	if _, err := New(Options{User: []string{"[a"}}); err == nil {
		t.Error("half a class is a glob")
	}
}

func TestWhatAnInputIsAbout(t *testing.T) {
	d := ordinary(t)
	for _, c := range []struct {
		name, tool, input string
		denied            bool
	}{
		{"a path", "Read", `{"file_path":".env"}`, true},
		{"a key that nobody knows", "Read", `{"xy":".env"}`, true},
		{"a list of paths", "ReadMany", `{"paths":["a.go",".env"]}`, true},
		{"paths with commas", "Read", `{"files":"a.go, .env"}`, true},
		{"names as keys", "Write", `{"files":{".env":"A=b"}}`, true},
		{"contents are no path", "Write", `{"path":"a.go","content":".env"}`, false},
		{"a prompt is no path", "Task", `{"prompt":".env"}`, false},
		{"a command", "Bash", `{"command":"cat .env"}`, true},
		{"a command as words", "Exec", `{"argv":["cat",".env"]}`, true},
		{"words that are no strings", "Exec", `{"argv":["cat",3]}`, false},
		{"code", "python", `{"code":"open('.env').read()"}`, true},
		{"an input without a key", "bash", `"cat .env"`, true},
		{"an input called input", "shell", `{"input":"cat .env"}`, true},
		{"a text without a key", "Note", `"cat .env"`, false},
		{"a regular expression", "Grep", `{"pattern":".env"}`, false},
		{"a pattern of files", "Glob", `{"pattern":"**/.env"}`, true},
		{"JSON in a string", "mcp", `{"args":"{\"path\":\".env\"}"}`, true},
		{"JSON in JSON in a string", "mcp", `{"x":"[{\"y\":\"{\\\"file\\\":\\\".env\\\"}\"}]"}`, true},
		{"a patch", "apply_patch", `{"command":"*** Begin Patch\n*** Update File: .env\n@@\n+A=b"}`, true},
		{"a patch of another file", "apply_patch", `{"command":"*** Begin Patch\n*** Update File: a.go\n@@\n+cat .env"}`,
			false},
		{"a diff", "edit", `{"patch":"diff --git a/.env b/.env\n--- a/.env\n+++ b/.env\n+A=b"}`, true},
		{"a diff of another file", "edit", `{"patch":"--- a/x.go\n+++ b/x.go\n+A=b"}`, false},
		{"a URL of a file", "fetch", `{"url":"file:///srv/.env"}`, true},
		{"a URL of a host", "fetch", `{"url":"https://host/x"}`, false},
		{"text typed into a terminal", "write_stdin", `{"chars":"cat .env\n"}`, true},
		{"text that was excluded before", "Write", `{"content":"[EXCLUDED:path]"}`, true},
		{"nothing", "Read", `null`, false},
		{"numbers", "Read", `{"path":3,"a":[1,true,null]}`, false},
	} {
		var input any
		if err := json.Unmarshal([]byte(c.input), &input); err != nil {
			t.Fatal(c.name, err)
		}
		i := d.Inspect(Event{Tool: c.tool, Dir: "/home/dev/shop", Input: input})
		if got := i.Verdict.Denied != ""; got != c.denied {
			t.Errorf("%s: denied %q", c.name, i.Verdict.Denied)
		}
	}
}

func TestToolsThatReturnSecrets(t *testing.T) {
	d := ordinary(t)
	for tool, want := range map[string]shell.Policy{
		"get_secret": shell.DropOutput, "mcp__vault__read_secret_value": shell.DropOutput, "getPassword": shell.DropOutput,
		"reveal-api-key": shell.DropOutput, "fetchCredentials": shell.DropOutput, "list_secrets": shell.Keep,
		"get_user":      shell.Keep,
		"get_secretary": shell.Keep, "": shell.Keep,
	} {
		if got := d.Inspect(Event{Tool: tool}).Verdict.Output; got != want {
			t.Errorf("%s: %v, want %v", tool, got, want)
		}
	}
}

func TestAnAnswerNamesItsFile(t *testing.T) {
	d := ordinary(t)
	for _, c := range []struct {
		name   string
		output any
		denied bool
	}{
		{"at the top", map[string]any{"filePath": ".env", "text": "x"}, true},
		{"one level down", map[string]any{"file": map[string]any{"path": ".env"}}, true},
		{"too deep",
			map[string]any{"a": map[string]any{"b": map[string]any{"c": map[string]any{"d": map[string]any{"path": ".env"}}}}},
			false},
		{"another file", map[string]any{"filePath": "a.go"}, false},
		{"in a list", []any{map[string]any{"path": ".env"}}, false}, // [Inspection.DeniedElement] is for these
		{"a long text", map[string]any{"path": strings.Repeat("x", 5000)}, false},
	} {
		if got := d.Inspect(Event{Dir: "/src", Output: c.output}).Verdict.Denied != ""; got != c.denied {
			t.Errorf("%s: denied %v", c.name, got)
		}
	}
	i := d.Inspect(Event{Dir: "/src"})
	for want, element := range map[bool]map[string]any{
		true:  {"resource": map[string]any{"uri": "file:///src/.env"}},
		false: {"path": "a.go", "text": ".env"},
	} {
		if got := i.DeniedElement(element); got != want {
			t.Errorf("%v: denied %v", element, got)
		}
	}
}

func TestPassagesOfDeniedFiles(t *testing.T) {
	d := ordinary(t)
	for _, c := range []struct {
		name, text string
		listing    bool
		want       string
	}{
		{"lines of a search", "a.go:1:x\n.env:2:A=b\nb.go:3:y\n", false, ".env:2:A=b\n"},
		{"lines of a search without numbers", "a.go:x\n.env:A=b\n", true, ".env:A=b\n"},
		{"they may be prose elsewhere", "a.go:x\n.env:A=b\n", false, ""},
		{"context of a search", ".env-3-A=b\n.env:4:C=d\n--\na.go:1:x\n", true, ".env-3-A=b\n.env:4:C=d\n"},
		{"names that end with NUL", ".env\x00A=b\na.go\x00x\n", true, ".env\x00A=b\n"},
		{"a section of a diff", "diff --git a/.env b/.env\n+A=b\ndiff --git a/x b/x\n+y\n", false, "+A=b\n"},
		{"a diff without its first line", "--- a/.env\n+++ b/.env\n+A=b\n", false, "--- a/.env\n+++ b/.env\n+A=b\n"},
		{"an index of Subversion", "Index: .env\n=====\n+A=b\n", false, "=====\n+A=b\n"},
		{"parts of tail", "==> .env <==\nA=b\n\n==> a.go <==\nx\n", false, "A=b\n\n"},
		{"a name above numbered lines", ".env\n1:A=b\n2:C=d\n\na.go\n1:x\n", false, "1:A=b\n2:C=d\n"},
		{"a name above lines as OpenCode numbers them", "Found 2 matches\n/a/.env:\n  Line 1: A=b\n  Line 2: C=d\n\n" +
			"/a/x.go:\n  Line 7: y\n", true, "  Line 1: A=b\n  Line 2: C=d\n"},
		{"a name before nothing", ".env:\na.go:x\n", true, ""},
		{"a drive", "C:\\a\\.env:3:A=b\nC:\\a\\x.go:1:y\n", true, "C:\\a\\.env:3:A=b\n"},
		{"ends of lines of Windows", ".env:1:A=b\r\na.go:1:x\r\n", false, ".env:1:A=b\r\n"},
		{"no end of the last line", "a.go:1:x\n.env:1:A=b", false, ".env:1:A=b"},
		{"a date is no line number", ".env-2026-01-02 x\n", true, ""},
		{"a heading of nothing", "==> <==\nx\n", false, ""},
		{"nothing", "", false, ""},
		{"empty lines", "\n\n\n", true, ""},
	} {
		i := d.Inspect(Event{Dir: "/src"})
		i.listing = c.listing
		var got strings.Builder
		last := 0
		for _, p := range i.Passages(c.text) {
			if p[0] < last || p[1] <= p[0] || p[1] > len(c.text) {
				t.Fatalf("%s: %v", c.name, p)
			}
			last = p[1]
			got.WriteString(c.text[p[0]:p[1]])
		}
		if got.String() != c.want {
			t.Errorf("%s: %q, want %q", c.name, got.String(), c.want)
		}
	}
}

func TestCopiesAreDeniedToo(t *testing.T) {
	for _, c := range []struct {
		first, then string
		denied      bool
	}{
		{"cp .env /tmp/x", "cat /tmp/x", true},
		{"cat .env > /tmp/x", "head /tmp/x", true},
		{"cat .env | tee x", "cat x", true},
		{"cp -r ~/.ssh /tmp/k", "cat /tmp/k/config", true},
		{"cp a.go /tmp/x", "cat /tmp/x", false},
		{"cat .env > /dev/null", "cat /dev/null", false},
		{"cp .env /tmp/x", "cat /tmp/y", false},
		{"cp .env a; cp a b; cp b c", "cat c", true},
	} {
		d := ordinary(t)
		for _, command := range []string{c.first, c.then} {
			e := ran(command)
			e.Session = "s"
			i := d.Inspect(e)
			if got := i.Verdict.Denied != ""; command == c.then && got != c.denied {
				t.Errorf("%s, then %s: denied %v", c.first, c.then, got)
			}
		}
		other := ran(c.then)
		other.Session = "another"
		if got := d.Inspect(other).Verdict.Denied; got != "" {
			t.Errorf("%s: another session is denied %s", c.then, got)
		}
	}
}

func TestTheOutputOfATaskIsAskedForLater(t *testing.T) {
	d := ordinary(t)
	start := Event{Tool: "Bash", Session: "s", Dir: "/src", Input: map[string]any{"command": "env"},
		Output: map[string]any{"backgroundTaskId": "b7", "stdout": "Output is written to: /tmp/tasks/b7.out."}}
	if got := d.Inspect(start).Verdict.Output; got != shell.DropValues {
		t.Fatalf("env: %v", got)
	}
	for _, c := range []struct {
		name, session string
		input         map[string]any
		denied        bool
		output        shell.Policy
	}{
		{"by its id", "s", map[string]any{"task_id": "b7"}, true, shell.DropOutput},
		{"by another id", "s", map[string]any{"task_id": "b8"}, false, shell.Keep},
		{"in another session", "other", map[string]any{"task_id": "b7"}, false, shell.Keep},
		{"by its file", "s", map[string]any{"file_path": "/tmp/tasks/b7.out"}, true, shell.Keep},
		{"by another file", "s", map[string]any{"file_path": "/tmp/tasks/b9.out"}, false, shell.Keep},
	} {
		i := d.Inspect(Event{Tool: "TaskOutput", Session: c.session, Dir: "/src", Input: c.input})
		if i.Verdict.Output != c.output || (i.Verdict.Denied != "") != c.denied {
			t.Errorf("%s: %+v", c.name, i.Verdict)
		}
	}
}

func TestLinksAndGlobsAreFollowed(t *testing.T) {
	dir := t.TempDir()
	write := func(name string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("A=b\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(".env")
	write("src/a.go")
	write("conf/prod.tfvars")
	for link, to := range map[string]string{"plain.txt": ".env", "settings": "conf", "deep/x": "../.env"} {
		_ = os.MkdirAll(filepath.Dir(filepath.Join(dir, link)), 0o700)
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip("no links here")
		}
	}
	d := ordinary(t)
	for command, want := range map[string]bool{
		"cat plain.txt": true, "cat settings/prod.tfvars": true, "cat deep/x": true, "cat src/a.go": false,
		"cat src/*":  false,
		"cat conf/*": true, "cat *": true, "cat **/*.go": false, "cat **/*": true, "cat .e*": true, "cat s*/*.go": false,
		"cat {src,conf}/*": true, "cat missing/*.go": false, "cat p*": true, "cat src/?.go": false,
	} {
		e := ran(command)
		e.Dir = dir
		if got := d.Inspect(e).Verdict.Denied != ""; got != want {
			t.Errorf("%s: denied %v", command, got)
		}
	}
}

func TestValuesOfHandedFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".env"), []byte("A=blue\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, command string
		all           bool // every value of the file is known
		denied        bool
	}{
		{"a test with the file", ". ./.env && go test ./...", true, false},
		{"not all values are known", ". ./.env && go test ./...", false, true},
		{"a command that prints the environment", ". ./.env && env", true, true},
		{"a missing file", ". ./.env.missing && go test ./...", true, true},
		{"a key", "ssh -i id_rsa host true", true, false},
		{"a secret of an image", "docker build --secret id=x,src=.env --progress=plain .", true, false},
		{"a secret of an image, not all known", "docker build --secret id=x,src=.env .", false, true},
	} {
		d, err := New(Options{Values: func(text string) (values, secrets []string, all bool) {
			return []string{strings.TrimSpace(text)}, nil, c.all
		}})
		if err != nil {
			t.Fatal(err)
		}
		i := d.Inspect(Event{Tool: "Bash", Dir: dir, Input: map[string]any{"command": c.command}})
		if got := i.Verdict.Denied != ""; got != c.denied {
			t.Errorf("%s: denied %q", c.name, i.Verdict.Denied)
		}
		if !c.denied && strings.Contains(c.command, ".env") && !slices.Contains(i.Taken, "A=blue") {
			t.Errorf("%s: took %q", c.name, i.Taken)
		}
	}
}

func TestHostileEventsAreDeniedNotRead(t *testing.T) {
	d := ordinary(t)
	var deep any = ".env"
	for range 2 * MaxDepth {
		deep = []any{deep}
	}
	many := make([]any, 2*maxInspected)
	for n := range many {
		many[n] = "a"
	}
	for name, c := range map[string]struct {
		input  any
		denied bool
	}{
		"many words":    {map[string]any{"paths": many}, true},
		"a deep value":  {deep, false}, // nobody reads it: the gate withholds it
		"invalid UTF-8": {map[string]any{"path": "\xff/.env"}, true},
		"NUL":           {map[string]any{"path": ".env\x00.txt"}, true},
		"a long name":   {map[string]any{"path": strings.Repeat("a", 1<<16)}, false},
		"half JSON":     {map[string]any{"path": `{"path":`}, false},
		"empty":         {map[string]any{"": ""}, false},
	} {
		if got := d.Inspect(Event{Dir: "/src", Tool: "Read", Input: c.input}).Verdict.Denied != ""; got != c.denied {
			t.Errorf("%s: denied %v", name, got)
		}
	}
}

func TestADeniedNameIsShownWithoutWhatMayBeASecret(t *testing.T) {
	for name, want := range map[string]string{
		".env": ".env", "/srv/.env": "/srv/.env", "A=b .env": "path", "x y/.env": ".env", "": "path", "a'b": "path",
		strings.Repeat("a", 300): "path", "cat *.pem": "path",
	} {
		if got := plainlyNamed(name); got != want {
			t.Errorf("%q is shown as %q, want %q", name, got, want)
		}
	}
}
