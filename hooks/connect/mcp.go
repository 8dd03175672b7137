package connect

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/tailscale/hujson"

	"keepmum/hooks"
)

// serverName is the name of our MCP server in an agent's settings.
const serverName = "mum"

// mcpServer registers our MCP server as a member of an object, for example {"mcpServers": {"mum": {…}}}.
type mcpServer struct {
	list  string // name of the object
	value any
}

func (m mcpServer) kind() string { return "mcp:" + m.list }

// isMCP reports whether an edit of this kind registers the MCP server.
func isMCP(kind string) bool {
	return strings.HasPrefix(kind, "mcp:") || kind == (tomlTable{}).kind()
}

func (m mcpServer) add(base []byte) ([]byte, error) {
	d, err := parse(base)
	if err != nil {
		return nil, err
	}
	all, err := d.object(d.top(), m.list, 1)
	if err != nil {
		return nil, err
	}
	if member(all, serverName) != nil {
		return nil, fmt.Errorf("%w: %s has another server called %s", ErrConflict, m.list, serverName)
	}
	value, err := line(m.value)
	if err != nil {
		return nil, err
	}
	d.insert(all, serverName, value, 2)
	return d.bytes(), nil
}

func (m mcpServer) remove(cur []byte) ([]byte, error) {
	return removeFrom(cur, m.list, func(name string, v *hujson.Value) bool { return name == serverName && isOurServer(v) })
}

func (mcpServer) same(cur, want []byte) bool { return sameSettings(cur, want) }

func (m mcpServer) empty(rest []byte) bool { return hookEntries{}.empty(rest) }

// isOurServer reports whether an MCP server is ours. Another program may use the same name; ours has the argument mcp.
func isOurServer(v *hujson.Value) bool {
	var s struct {
		Command any      `json:"command"`
		Args    []string `json:"args"`
	}
	if decode(*v, &s) != nil {
		return false
	}
	words := append([]string{fmt.Sprint(s.Command)}, s.Args...)
	return strings.HasSuffix(strings.TrimRight(strings.Join(words, " "), "]"), " mcp")
}

// server is the entry of an MCP server in the format that most agents share.
type server struct {
	Type    string            `json:"type,omitempty"`
	Command any               `json:"command"`
	Args    []string          `json:"args,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
	OCEnv   map[string]string `json:"environment,omitempty"`
	Enabled bool              `json:"enabled,omitempty"`
}

// mcpEnv returns the environment that tells the server its data directory, if that is not the default.
func (o Options) mcpEnv() map[string]string {
	if o.Place.Home == filepath.Join(o.UserHome, ".mum") {
		return nil
	}
	return map[string]string{"MUM_HOME": o.Place.Home}
}

// mcpTarget returns the file in which an agent looks for MCP servers.
func (o Options) mcpTarget(agent string) target {
	common := mcpServer{"mcpServers", server{Command: o.Place.Bin, Args: []string{"mcp"}, Env: o.mcpEnv()}}
	switch agent {
	case hooks.OpenCode:
		own := server{Type: "local", Command: []string{o.Place.Bin, "mcp"}, OCEnv: o.mcpEnv(), Enabled: true}
		return target{agent, o.openCodeFile(), mcpServer{"mcp", own}}
	case hooks.Codex:
		return target{agent, filepath.Join(o.codexDir(), "config.toml"), tomlTable{o.tomlLines()}}
	case hooks.Cursor:
		return target{agent, filepath.Join(o.cursorDir(), "mcp.json"), common}
	}
	return target{agent, o.claudeServers(), common}
}

func (o Options) tomlLines() []string {
	lines := []string{"command = " + tomlString(o.Place.Bin), `args = ["mcp"]`}
	for name, value := range o.mcpEnv() {
		lines = append(lines, "env = { "+name+" = "+tomlString(value)+" }")
	}
	return lines
}

// tomlString quotes a string as JSON, which is also a valid TOML string.
func tomlString(s string) string { return string(hujson.String(s)) }

// claudeServers returns the path of .claude.json, which holds the user's MCP servers. It is next to Claude Code's
// default directory, but inside a custom one.
func (o Options) claudeServers() string {
	switch dir := o.env("CLAUDE_CONFIG_DIR"); {
	case o.Scope == Project:
		return filepath.Join(o.Dir, ".mcp.json")
	case dir != "":
		return filepath.Join(dir, ".claude.json")
	}
	return filepath.Join(o.UserHome, ".claude.json")
}

// openCodeFile returns the settings file that exists, otherwise opencode.json.
func (o Options) openCodeFile() string {
	dir := o.openCodeDir()
	if o.Scope == Project {
		dir = o.Dir
	}
	for _, name := range []string{"opencode.jsonc", "opencode.json"} {
		if data, err := read(filepath.Join(dir, name)); err == nil && data != nil {
			return filepath.Join(dir, name)
		}
	}
	return filepath.Join(dir, "opencode.json")
}
