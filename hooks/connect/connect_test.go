package connect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"keepmum/hooks"
)

// machine is a user's home directory with agents in it.
func machine(t testing.TB) Options {
	t.Helper()
	dir := t.TempDir()
	return Options{
		Place:    hooks.Place{Home: filepath.Join(dir, ".mum"), Bin: "/opt/bin/mum"},
		UserHome: dir,
		Now:      time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
	}
}

func (o Options) claudeFile() string { return filepath.Join(o.UserHome, ".claude", "settings.json") }

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// get returns "none" for a file that is not there.
func get(t testing.TB, path string) string {
	t.Helper()
	data, err := read(path)
	if err != nil {
		t.Fatal(err)
	}
	if data == nil {
		return "none"
	}
	return string(data)
}

func mustConnect(t testing.TB, o Options, agents ...string) Plan {
	t.Helper()
	p, err := o.Connect(agents...)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Apply(); err != nil {
		t.Fatal(err)
	}
	return p
}

func mustDisconnect(t testing.TB, o Options, agents ...string) {
	t.Helper()
	p, err := o.Disconnect(agents...)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Apply(); err != nil {
		t.Fatal(err)
	}
}

// originals are settings files as people have them.
var originals = map[string]string{
	"none":         "",
	"empty":        " ",
	"empty object": "{}",
	"no last line": `{"model": "opus"}`,
	"two spaces":   "{\n  \"model\": \"opus\",\n  \"env\": {\"A\": \"b\"}\n}\n",
	"tabs":         "{\n\t\"model\": \"opus\"\n}\n",
	"windows":      "{\r\n  \"model\": \"opus\"\r\n}\r\n",
	"comments": "// mine\n{\n  // the big one\n  \"model\": \"opus\" /* why */, // yes\n  \"a\": 1 // last\n" +
		"  // end\n}\n// bye\n",
	"trailing comma": "{\n  \"model\": \"opus\",\n}\n",
	"empty hooks":    "{\"hooks\": {}}\n",
	"other hooks": "{\n  \"hooks\": {\n    \"Stop\": [\n" +
		"      {\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}\n    ]\n  }\n}\n",
	"empty list": "{\"hooks\": {\"Stop\": []}}\n",
	"shared group": "{\"hooks\":{\"Stop\":[{\"matcher\":\"\",\"hooks\":[{\"type\":\"command\",\"command\":\"maximum " +
		"hook\"}]}]}}",
}

func TestDisconnectGivesBackEveryFileByteForByte(t *testing.T) {
	for name, original := range originals {
		t.Run(name, func(t *testing.T) {
			o := machine(t)
			if name != "none" {
				put(t, o.claudeFile(), original)
			}
			before := get(t, o.claudeFile())
			mustConnect(t, o, hooks.Agents()...)
			for _, agent := range hooks.Agents() {
				if s, err := o.State(agent); err != nil || !s.Connected {
					t.Fatalf("%s is not connected: %+v %v", agent, s, err)
				}
			}
			mustDisconnect(t, o, hooks.Agents()...)
			if diff := cmp.Diff(before, get(t, o.claudeFile())); diff != "" {
				t.Error(diff)
			}
			if left := others(t, o); name != "none" && !slices.Equal(left, []string{".claude"}) ||
				name == "none" && len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// others returns what is in the home directory beside our own.
func others(t *testing.T, o Options) []string {
	t.Helper()
	entries, err := os.ReadDir(o.UserHome)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.Name() != ".mum" {
			names = append(names, e.Name())
		}
	}
	return names
}

func TestConnectKeepsWhatIsThereAndAddsItsEntries(t *testing.T) {
	for name, original := range originals {
		t.Run(name, func(t *testing.T) {
			after, err := machine(t).claudeHooks().add([]byte(original))
			if err != nil {
				t.Fatal(err)
			}
			d, err := parse(after)
			if err != nil {
				t.Fatal(err)
			}
			var got struct {
				Model string
				Hooks map[string][]struct{ Hooks []command }
			}
			if err := decode(d.root, &got); err != nil {
				t.Fatal(err)
			}
			last := got.Hooks["Stop"][len(got.Hooks["Stop"])-1].Hooks
			want := []command{{Type: "command", Command: "/opt/bin/mum", Args: []string{"hook", "claude"}, Timeout: 5}}
			if diff := cmp.Diff(want, last); diff != "" {
				t.Error(diff)
			}
			for word := range strings.FieldsSeq(original) {
				if word := strings.Trim(word, "{}[],"); !strings.Contains(string(after), word) {
					t.Errorf("lost %q in\n%s", word, after)
				}
			}
		})
	}
}

func TestTheEditReadsAsIfAPersonHadMadeIt(t *testing.T) {
	h := hookEntries{entries: []entry{{"Stop",
		command{Type: "command", Command: "/opt/bin/mum", Args: []string{"hook", "claude"}, Timeout: 5}}}}
	after, err := h.add([]byte(originals["comments"]))
	if err != nil {
		t.Fatal(err)
	}
	want := `// mine
{
  // the big one
  "model": "opus" /* why */, // yes
  "a": 1, // last
  // end
  "hooks": {
    "Stop": [
      {"hooks": [{"type": "command", "command": "/opt/bin/mum", "args": ["hook", "claude"], "timeout": 5}]}
    ]
  }
}
// bye
`
	if diff := cmp.Diff(want, string(after)); diff != "" {
		t.Error(diff)
	}
}

func TestASecondConnectChangesNothing(t *testing.T) {
	o := machine(t)
	put(t, o.claudeFile(), originals["other hooks"])
	if p := mustConnect(t, o, hooks.Agents()...); p.Empty() || !strings.Contains(p.Diff(), "+") {
		t.Fatalf("the first connect changes nothing: %s", p.Diff())
	}
	if p := mustConnect(t, o, hooks.Agents()...); !p.Empty() || p.Diff() != "" {
		t.Errorf("the second connect changes something:\n%s", p.Diff())
	}
}

func TestAnotherTransportReplacesTheEntries(t *testing.T) {
	for _, transport := range []Transport{Shell, HTTP, Exec} {
		o := machine(t)
		o.Port = 38741
		put(t, o.claudeFile(), originals["two spaces"])
		mustConnect(t, o, hooks.Claude)
		o.Transport = transport
		mustConnect(t, o, hooks.Claude)
		var got struct{ Hooks map[string][]any }
		if err := json.Unmarshal([]byte(get(t, o.claudeFile())), &got); err != nil {
			t.Fatal(err)
		}
		o.Transport = ""
		if p := mustConnect(t, o, hooks.Claude); !p.Empty() {
			t.Errorf("%s was not remembered:\n%s", transport, p.Diff())
		}
		for event, groups := range got.Hooks {
			if len(groups) != 1 {
				t.Errorf("%s: %d entries for %s", transport, len(groups), event)
			}
		}
		mustDisconnect(t, o, hooks.Claude)
		if got := get(t, o.claudeFile()); got != originals["two spaces"] {
			t.Errorf("%s: %s", transport, got)
		}
	}
}

func TestWithoutAManifestDisconnectStillTakesOurEntriesOut(t *testing.T) {
	o := machine(t)
	put(t, o.claudeFile(), originals["other hooks"])
	mustConnect(t, o, hooks.Agents()...)
	if err := os.RemoveAll(o.Place.Home); err != nil {
		t.Fatal(err)
	}
	mustDisconnect(t, o, hooks.Agents()...)
	for _, agent := range hooks.Agents() {
		if s, err := o.State(agent); err != nil || s.Connected {
			t.Errorf("%+v %v", s, err)
		}
	}
	if !strings.Contains(get(t, o.claudeFile()), "say done") {
		t.Error("another program's hook is gone")
	}
}

// FuzzHookEntries: whatever JSON the file is, what we add can be removed
// again, twice added is once added, and nothing else in the file changes.
func FuzzHookEntries(f *testing.F) {
	for _, text := range originals {
		f.Add([]byte(text))
	}
	o := machine(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, h := range []edit{o.claudeHooks(), o.cursorHooks()} {
			base, err := h.remove(data)
			if err != nil {
				return
			}
			added, err := h.add(base)
			if err != nil {
				return
			}
			removed, err := h.remove(added)
			if err != nil {
				t.Fatal(err)
			}
			again, err := h.add(removed)
			if err != nil {
				t.Fatal(err)
			}
			third, err := h.remove(again)
			if err != nil || string(third) != string(removed) {
				t.Fatalf("not stable: %v\n%s\n%s", err, removed, third)
			}
			if diff := cmp.Diff(rest(t, base), rest(t, removed)); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

// rest returns everything in a document but its hooks and version.
func rest(t *testing.T, data []byte) map[string]any {
	t.Helper()
	d, err := parse(data)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := decode(d.root, &m); err != nil {
		t.Fatal(err)
	}
	delete(m, "hooks")
	delete(m, "version")
	return m
}

// TestWhatAnAgentWritesIntoItsOwnFilesIsNoOtherConnection: agents add keys, change the
// order and spread lines, and nothing of that is ours to fix.
func TestWhatAnAgentWritesIntoItsOwnFilesIsNoOtherConnection(t *testing.T) {
	o := machine(t)
	mustConnect(t, o, hooks.Claude, hooks.Codex, hooks.Cursor, hooks.OpenCode)
	rewritten := func(path string) { // as an agent does that parses and writes its whole file
		var all map[string]any
		if err := json.Unmarshal([]byte(get(t, path)), &all); err != nil {
			t.Fatal(err)
		}
		all["added"] = map[string]any{"by": "the agent", "at": int64(1767225600123)}
		data, err := json.MarshalIndent(all, "", "    ")
		if err != nil {
			t.Fatal(err)
		}
		put(t, path, string(data))
	}
	claude, server := o.claudeFile(), filepath.Join(o.UserHome, ".claude.json")
	rewritten(claude)
	rewritten(server)
	put(t, claude, strings.Replace(get(t, claude), `"SessionStart": [`,
		`"SessionStart": [{"hooks": [{"type": "command", "command": "date"}]}, `, 1))
	config := filepath.Join(o.UserHome, ".codex", "config.toml")
	put(t, config, "model = \"m\"\n"+get(t, config)+
		"\n\n[hooks.state.\"/h/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:00\"\n\n[tui]\nseen = true\n")
	rewritten(filepath.Join(o.UserHome, ".cursor", "mcp.json"))
	for _, agent := range hooks.Agents() {
		p, err := o.Connect(agent)
		if err != nil || !p.Empty() {
			t.Errorf("%s: %v\n%s", agent, err, p.Diff())
		}
	}
	put(t, claude, strings.Replace(get(t, claude), `"timeout": 5`, `"timeout": 50`, 1))
	if p, err := o.Connect(hooks.Claude); err != nil || p.Empty() {
		t.Errorf("another timeout is another connection: %v", err)
	}
	o.Place.Bin = "/usr/bin/mum"
	if p, err := o.Connect(hooks.Codex); err != nil || !p.About(hooks.Codex) ||
		!strings.Contains(p.Diff(), "config.toml") {
		t.Errorf("another program is another connection: %v", err)
	}
}
