package connect

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"keepmum/hooks"
)

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
