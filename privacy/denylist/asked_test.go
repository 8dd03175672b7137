package denylist

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepmum/privacy/shell"
)

func inSession(session, tool string, input map[string]any, output any) Event {
	return Event{Tool: tool, Session: session, Dir: "/home/dev/shop", Input: input, Output: output}
}

func TestATerminalShowsWhatAWithheldCommandPrintedThere(t *testing.T) {
	for _, c := range []struct {
		name, typed, shown string
		want               shell.Policy
	}{
		{"the terminal of a withheld command", "tmux send-keys -t a 'cat .env' Enter", "tmux capture-pane -p",
			shell.DropOutput},
		{"that of another program", "screen -X stuff 'cat .env'", "tmux capture-pane -p", shell.Keep},
		{"that of an ordinary command", "tmux send-keys -t a 'go test' Enter", "tmux capture-pane -p", shell.Keep},
		{"only a list of terminals", "tmux send-keys -t a 'cat .env' Enter", "tmux ls", shell.Keep},
	} {
		d := ordinary(t)
		d.Inspect(inSession("s", "Bash", map[string]any{"command": c.typed}, nil))
		for session, want := range map[string]shell.Policy{"s": c.want, "another": shell.Keep} {
			got := d.Inspect(inSession(session, "Bash", map[string]any{"command": c.shown}, nil)).Verdict.Output
			if got != want {
				t.Errorf("%s, session %s: %v, want %v", c.name, session, got, want)
			}
		}
	}
}

func TestATaskIsKnownByEachIdThatItIsGiven(t *testing.T) {
	for name, c := range map[string]struct {
		output any
		id     any
		want   shell.Policy
	}{
		"a number":               {map[string]any{"pid": json.Number("4711")}, json.Number("4711"), shell.DropOutput},
		"in a list":              {[]any{map[string]any{"task_id": "b7"}}, "b7", shell.DropOutput},
		"in other letters":       {map[string]any{"shellId": " B7 "}, "b7", shell.DropOutput},
		"in a sentence":          {"Command running in background with ID: b7", "b7", shell.DropOutput},
		"in a member's sentence": {map[string]any{"stdout": "started process id `b7`"}, "b7", shell.DropOutput},
		"of another kind":        {map[string]any{"line": "b7"}, "b7", shell.Keep},
		"a long text":            {map[string]any{"task_id": strings.Repeat("b", 129)}, strings.Repeat("b", 129), shell.Keep},
		"no text":                {map[string]any{"task_id": true}, true, shell.Keep},
		"nothing":                {nil, "b7", shell.Keep},
	} {
		d := ordinary(t)
		d.Inspect(inSession("s", "Bash", map[string]any{"command": "cat .env"}, c.output))
		got := d.Inspect(inSession("s", "TaskOutput", map[string]any{"task_id": c.id}, nil)).Verdict.Output
		if got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestWhatWasTypedIntoAShellIsAskedForByItsId(t *testing.T) {
	for text, want := range map[string]shell.Policy{"cat .env\n": shell.DropOutput, "go test ./...\n": shell.Keep} {
		d := ordinary(t)
		d.Inspect(inSession("s", "write_stdin", map[string]any{"session_id": "7", "chars": text}, nil))
		got := d.Inspect(inSession("s", "write_stdin", map[string]any{"session_id": "7", "chars": ""}, nil)).Verdict.Output
		if got != want {
			t.Errorf("after %q: %v, want %v", text, got, want)
		}
	}
}

func TestTheFileOfAWithheldOutputIsDenied(t *testing.T) {
	d := ordinary(t)
	d.Inspect(inSession("s", "Bash", map[string]any{"command": "cat .env"},
		"Output is being written to: `/tmp/run/o.data`."))
	for path, want := range map[string]bool{"/tmp/run/o.data": true, "/tmp/run/p.data": false} {
		i := d.Inspect(inSession("s", "Read", map[string]any{"file_path": path}, nil))
		if got := i.Verdict.Denied != ""; got != want {
			t.Errorf("%s is denied: %v", path, got)
		}
		if got := i.Quotes(path); got != want {
			t.Errorf("%s is quoted: %v", path, got)
		}
	}
}

func TestAnAddressOfAFileMeansItsPath(t *testing.T) {
	for address, want := range map[string]string{
		"file:///srv/.env": "/srv/.env", "file:/srv/.env": "/srv/.env", "FILE:///srv/a%20b": "/srv/a b",
		"file://host/srv/.env": "/srv/.env", "file:///C:/a/.env": "C:/a/.env", "file://C:/a/.env": "C:/a/.env",
		"file:///srv/.env?raw=1": "/srv/.env", "file:///srv/.env#L3": "/srv/.env", "file:///srv/%zz": "/srv/%zz",
		"file:": "", "file://": "", "a:3": "a", "a.go:3:5": "a.go", "#a": "#a", "a#L3": "a", "a(3,5)": "a", "(3)": "(3)",
		`a\b`: "a/b", "'a'": "a", "a::$DATA": "a", "%2eenv": ".env", "fil": "fil",
	} {
		if got := plainName(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

func TestAFileIsHandedOverOnlyIfItCanBeReadAsAWhole(t *testing.T) {
	dir := t.TempDir()
	for name, size := range map[string]int{".env": 10, ".env.most": maxHanded, ".env.more": maxHanded + 1} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Repeat("x", size)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".env.folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	d, err := New(Options{Values: func(string) ([]string, []string, bool) { return nil, nil, true }})
	if err != nil {
		t.Fatal(err)
	}
	for name, denied := range map[string]bool{".env": false, ".env.most": false, ".env.more": true, ".env.folder": true,
		".env.missing": true, ".env.m*": true, ".env$x": true} {
		i := d.Inspect(Event{Tool: "Bash", Dir: dir, Input: map[string]any{"command": ". " + name + " && go test ./..."}})
		if got := i.Verdict.Denied != ""; got != denied {
			t.Errorf("%s: denied %v", name, got)
		}
	}
}

func TestAnEventTellsThePathsThatItIsAbout(t *testing.T) {
	long := strings.Repeat("a", 509) + ".go"
	for _, c := range []struct{ command, want string }{
		{"cat main.go ./x", "main.go ./x"}, {"cat a.go a.go", "a.go"}, {"go test -run x", ""}, {"cat /", ""},
		{"cat a.b a.class a.classes", "a.b a.class"}, {"cat a. .b", ".b"},
		{"cat " + strings.Repeat("a", 300) + ".go", ""}, {"cat main.go .env", ".env"},
	} {
		i := ordinary(t).Inspect(ran(c.command))
		if got := strings.Join(i.Verdict.Paths, " "); got != c.want {
			t.Errorf("%.80s: %q, want %q", c.command, got, c.want)
		}
	}
	i := ordinary(t).Inspect(Event{Tool: "Read", Dir: "/src", Input: map[string]any{"file_path": long + "x"}})
	if len(i.Verdict.Paths) != 0 {
		t.Errorf("a name of %d bytes is kept", len(long)+1)
	}
}
