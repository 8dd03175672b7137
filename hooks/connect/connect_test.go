package connect

import (
	"encoding/json"
	"errors"
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

func TestAnEditOfTheUserInBetweenSurvivesDisconnect(t *testing.T) {
	for name, original := range originals {
		t.Run(name, func(t *testing.T) {
			if name == "none" || strings.HasPrefix(name, "empty") {
				t.Skip("empty things go together with our entries")
			}
			o := machine(t)
			put(t, o.claudeFile(), original)
			mustConnect(t, o, hooks.Claude)
			edit := func(s string) string {
				return strings.Replace(strings.Replace(s, "opus", "haiku", 1), "maximum", "minimum", 1)
			}
			put(t, o.claudeFile(), edit(get(t, o.claudeFile()))+"\n")
			mustDisconnect(t, o, hooks.Claude)
			var got, want any
			d1, err1 := parse([]byte(get(t, o.claudeFile())))
			d2, err2 := parse([]byte(edit(original)))
			if err := errors.Join(err1, err2, decode(d1.root, &got), decode(d2.root, &want)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if strings.Contains(get(t, o.claudeFile()), "/opt/bin/mum") {
				t.Error("our entries are still there")
			}
		})
	}
}

func TestAReconnectAfterAnEditRemembersTheEditedFile(t *testing.T) {
	o := machine(t)
	put(t, o.claudeFile(), originals["two spaces"])
	mustConnect(t, o, hooks.Claude)
	edited := strings.Replace(originals["two spaces"], "opus", "haiku", 1)
	put(t, o.claudeFile(), strings.Replace(get(t, o.claudeFile()), "opus", "haiku", 1))
	mustConnect(t, o, hooks.Claude)
	mustDisconnect(t, o, hooks.Claude)
	if diff := cmp.Diff(edited, get(t, o.claudeFile())); diff != "" {
		t.Error(diff)
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

func TestAFileThatCannotBeEditedSafelyIsAConflictAndStaysAsItIs(t *testing.T) {
	for name, text := range map[string]string{
		"broken":          `{"model": `,
		"array":           `[]`,
		"hooks is a list": `{"hooks": []}`,
		"event is a text": `{"hooks": {"Stop": "x"}}`,
		"byte order mark": "\xef\xbb\xbf{}",
	} {
		t.Run(name, func(t *testing.T) {
			o := machine(t)
			put(t, o.claudeFile(), text)
			_, err := o.Connect(hooks.OpenCode, hooks.Claude)
			if !errors.Is(err, ErrConflict) || !strings.Contains(err.Error(), "settings.json") {
				t.Errorf("got %v", err)
			}
			if get(t, o.claudeFile()) != text {
				t.Error("the file changed")
			}
			if _, err := os.Stat(o.Place.Home); err == nil {
				t.Error("something was written")
			}
		})
	}
}

func TestAFileThatChangesWhileThePlanIsShownIsAConflict(t *testing.T) {
	o := machine(t)
	put(t, o.claudeFile(), "{}")
	p, err := o.Connect(hooks.OpenCode, hooks.Claude)
	if err != nil {
		t.Fatal(err)
	}
	put(t, o.claudeFile(), `{"model": "opus"}`)
	if err := p.Apply(); !errors.Is(err, ErrConflict) {
		t.Errorf("got %v", err)
	}
	if s, _ := o.State(hooks.OpenCode); s.Connected {
		t.Error("the plan was carried out in part")
	}
}

func TestAForeignOrEditedPluginIsNeverOverwritten(t *testing.T) {
	o := machine(t)
	plugin := filepath.Join(o.UserHome, ".config", "opencode", "plugins", "mum.js")
	put(t, plugin, "// someone else's\n")
	if _, err := o.Connect(hooks.OpenCode); !errors.Is(err, ErrConflict) {
		t.Errorf("foreign: got %v", err)
	}
	if err := os.Remove(plugin); err != nil {
		t.Fatal(err)
	}
	mustConnect(t, o, hooks.OpenCode)
	put(t, plugin, get(t, plugin)+"// my change\n")
	_, errConnect := o.Connect(hooks.OpenCode)
	_, errDisconnect := o.Disconnect(hooks.OpenCode)
	if !errors.Is(errConnect, ErrConflict) || !errors.Is(errDisconnect, ErrConflict) {
		t.Errorf("edited: got %v, %v", errConnect, errDisconnect)
	}
}

func TestALinkStaysALinkAndAModeStays(t *testing.T) {
	o := machine(t)
	real := filepath.Join(o.UserHome, "dotfiles", "claude.json")
	put(t, real, "{}\n")
	if err := os.Chmod(real, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(o.claudeFile()), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, o.claudeFile()); err != nil {
		t.Fatal(err)
	}
	mustConnect(t, o, hooks.Claude)
	info, err := os.Lstat(o.claudeFile())
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Fatalf("no link any more: %v %v", info, err)
	}
	if info, _ := os.Stat(real); info.Mode().Perm() != 0o640 || !strings.Contains(get(t, real), "mum") {
		t.Errorf("mode %v", info.Mode())
	}
	mustDisconnect(t, o, hooks.Claude)
	if get(t, real) != "{}\n" {
		t.Errorf("got %s", get(t, real))
	}
}

func TestWhatIsWrittenIsPrivate(t *testing.T) {
	o := machine(t)
	put(t, o.claudeFile(), originals["two spaces"])
	mustConnect(t, o, hooks.Agents()...)
	err := filepath.WalkDir(o.Place.Home, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheAgentsOwnVariablesSayWhereTheirFilesAre(t *testing.T) {
	env := map[string]string{"CLAUDE_CONFIG_DIR": "/c", "CODEX_HOME": "/x", "XDG_CONFIG_HOME": "/g"}
	o := machine(t)
	o.Getenv = func(name string) string { return env[name] }
	got := func() (files []string) {
		for _, agent := range hooks.Agents() {
			s, err := o.State(agent)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range s.Files {
				files = append(files, strings.TrimPrefix(f, o.UserHome))
			}
		}
		return files
	}
	const skill = "/skills/mum-remember/SKILL.md"
	want := []string{
		"/c/settings.json", "/c/.claude.json", "/c" + skill, "/g/opencode/plugins/mum.js", "/g/opencode/opencode.json",
		"/g/opencode" + skill,
		"/x/hooks.json", "/x/config.toml", "/x" + skill, "/.cursor/hooks.json", "/.cursor/mcp.json", "/.cursor" + skill,
	}
	if diff := cmp.Diff(want, got()); diff != "" {
		t.Error(diff)
	}
	env["OPENCODE_CONFIG_DIR"] = "/o"
	want[3], want[4], want[5] = "/o/plugins/mum.js", "/o/opencode.json", "/o"+skill
	if diff := cmp.Diff(want, got()); diff != "" {
		t.Error(diff)
	}
	clear(env)
	want = []string{
		"/.claude/settings.json", "/.claude.json", "/.claude" + skill, "/.config/opencode/plugins/mum.js",
		"/.config/opencode/opencode.json", "/.config/opencode" + skill,
		"/.codex/hooks.json", "/.codex/config.toml", "/.codex" + skill, "/.cursor/hooks.json", "/.cursor/mcp.json",
		"/.cursor" + skill,
	}
	if diff := cmp.Diff(want, got()); diff != "" {
		t.Error(diff)
	}
	o.Scope, o.Dir = Project, "/p"
	want = []string{
		"/p/.claude/settings.json", "/p/.mcp.json", "/p/.claude" + skill, "/p/.opencode/plugins/mum.js", "/p/opencode.json",
		"/p/.opencode" + skill,
		"/p/.codex/hooks.json", "/p/.codex/config.toml", "/p/.codex" + skill, "/p/.cursor/hooks.json", "/p/.cursor/mcp.json",
		"/p/.cursor" + skill,
	}
	if diff := cmp.Diff(want, got()); diff != "" {
		t.Error(diff)
	}
}

func TestTheSkillComesAndGoesWithTheServerAndNothingElseChanges(t *testing.T) {
	for _, agent := range hooks.Agents() {
		o := machine(t)
		file := o.skillTarget(agent).path
		other := filepath.Join(filepath.Dir(filepath.Dir(file)), "mine", "SKILL.md")
		put(t, other, "---\nname: mine\n---\n")
		mustConnect(t, o, agent)
		if got := get(t, file); got != string(hooks.RememberSkill()) {
			t.Errorf("%s: %q", agent, got)
		}
		mustConnect(t, o, agent) // a second time changes nothing
		mustDisconnect(t, o, agent)
		if _, err := os.Stat(filepath.Dir(file)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: its directory is left: %v", agent, err)
		}
		if got := get(t, other); got != "---\nname: mine\n---\n" {
			t.Errorf("%s: another skill became %q", agent, got)
		}
		o.NoMCP = true
		mustConnect(t, o, agent)
		if got := get(t, file); got != "none" {
			t.Errorf("%s: a skill about tools that are not there", agent)
		}
		mustDisconnect(t, o, agent)
	}
}

func TestThePluginHasTheSameSkill(t *testing.T) {
	if got := get(t, filepath.Join("..", "..", "plugin", "skills", "remember",
		"SKILL.md")); got != string(hooks.RememberSkill()) {
		t.Error("plugin/skills/remember/SKILL.md is not hooks/remember-skill.md")
	}
}

func TestAHookKnowsADataDirectoryThatIsNotTheUsual(t *testing.T) {
	o := machine(t)
	o.Place.Home = filepath.Join(o.UserHome, "it's elsewhere")
	mustConnect(t, o, hooks.Claude, hooks.Codex)
	if got := get(t, o.claudeFile()); !strings.Contains(got, `"MUM_HOME=`+o.Place.Home+`"`) {
		t.Error(got)
	}
	want := `MUM_HOME=` + o.UserHome + `/it'\\''s elsewhere' /opt/bin/mum hook codex"`
	if got := get(t, filepath.Join(o.UserHome, ".codex", "hooks.json")); !strings.Contains(got, want) {
		t.Errorf("%s not in %s", want, got)
	}
	mustDisconnect(t, o, hooks.Claude, hooks.Codex)
	if got := get(t, o.claudeFile()); got != "none" {
		t.Error(got)
	}
}

// configs are the files in which the agents keep their MCP servers.
var configs = map[string]string{
	".claude.json": "{\"numStartups\": 3, \"mcpServers\": {\"docs\": {\"command\": \"docs\", " +
		"\"args\": [\"serve\"]}}}",
	".config/opencode/opencode.json": "{\n\t// theme\n\t\"theme\": \"dark\",\n}\n",
	".codex/config.toml": "# my settings\nmodel = \"gpt-5.5\"\n\n[mcp_servers.docs] # keep\n" +
		"command = \"docs\"\nargs = [\n  \"serve\",\n]",
	".cursor/mcp.json": "{\n  \"mcpServers\": {}\n}\n",
}

func TestTheMCPServerIsRegisteredAndTakenOutAgain(t *testing.T) {
	o := machine(t)
	for file, text := range configs {
		put(t, filepath.Join(o.UserHome, file), text)
	}
	mustConnect(t, o, hooks.Agents()...)
	for file, want := range map[string]string{
		".claude.json": `"docs": {"command": "docs", "args": ["serve"]},` + "\n    " +
			`"mum": {"command": "/opt/bin/mum", "args": ["mcp"]}`,
		".config/opencode/opencode.json": "\"theme\": \"dark\",\n\t\"mcp\": {\n\t\t" +
			`"mum": {"type": "local", "command": ["/opt/bin/mum", "mcp"], "enabled": true}`,
		".codex/config.toml": "]\n\n[mcp_servers.mum]\ncommand = \"/opt/bin/mum\"\nargs = [\"mcp\"]\n",
		".cursor/mcp.json":   `"mum": {"command": "/opt/bin/mum", "args": ["mcp"]}`,
	} {
		if got := get(t, filepath.Join(o.UserHome, file)); !strings.Contains(got, want) {
			t.Errorf("%s lacks\n%s\nin\n%s", file, want, got)
		}
	}
	// The agents themselves write these files too, so no backup fits any more.
	for file := range configs {
		path := filepath.Join(o.UserHome, file)
		put(t, path, strings.NewReplacer("numStartups", "numberOfStarts", "dark", "light", "gpt-5.5", "gpt-6", "{\n  \"m",
			"{ \"a\": 1,\n  \"m").Replace(get(t, path)))
	}
	mustDisconnect(t, o, hooks.Agents()...)
	for file, want := range map[string]string{
		".claude.json":                   strings.Replace(configs[".claude.json"], "numStartups", "numberOfStarts", 1),
		".config/opencode/opencode.json": strings.Replace(configs[".config/opencode/opencode.json"], "dark", "light", 1),
		".codex/config.toml":             strings.Replace(configs[".codex/config.toml"], "gpt-5.5", "gpt-6", 1) + "\n",
		".cursor/mcp.json":               "{ \"a\": 1\n}\n",
	} {
		got := strings.Join(strings.Fields(get(t, filepath.Join(o.UserHome, file))), "")
		if diff := cmp.Diff(strings.Join(strings.Fields(want), ""), got); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
}

func TestWithoutMCPOnlyTheHooksAreThereAndItIsRemembered(t *testing.T) {
	o := machine(t)
	mustConnect(t, o, hooks.Agents()...)
	o.NoMCP = true
	mustConnect(t, o, hooks.Agents()...)
	o.NoMCP = false
	if p := mustConnect(t, o, hooks.Agents()...); !p.Empty() {
		t.Error(p.Diff())
	}
	for file := range configs {
		if got := get(t, filepath.Join(o.UserHome, file)); got != "none" {
			t.Errorf("%s: %s", file, got)
		}
	}
	for _, agent := range hooks.Agents() {
		if s, err := o.State(agent); err != nil || !s.Connected {
			t.Errorf("%s is not connected any more", agent)
		}
	}
}

func TestAnotherServerOfOurNameIsAConflict(t *testing.T) {
	for file, text := range map[string]string{
		".claude.json":       `{"mcpServers": {"mum": {"command": "mothers", "args": ["day"]}}}`,
		".codex/config.toml": `mcp_servers = { docs = { command = "docs" } }`,
	} {
		o := machine(t)
		put(t, filepath.Join(o.UserHome, file), text)
		if _, err := o.Connect(hooks.Claude, hooks.Codex); !errors.Is(err, ErrConflict) {
			t.Errorf("%s: got %v", file, err)
		}
		o.NoMCP = true
		mustConnect(t, o, hooks.Claude, hooks.Codex)
		if got := get(t, filepath.Join(o.UserHome, file)); got != text {
			t.Errorf("%s: %s", file, got)
		}
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
		all["added"] = map[string]any{"by": "the agent", "at": 1767225600123}
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
