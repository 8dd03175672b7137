package connect

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"keepmum/hooks"
)

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
