package connect

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"keepmum/hooks"
)

// target is a file of an agent and the edit to make in it.
type target struct {
	agent string
	path  string
	edit  edit
}

// targets returns the files of an agent's hooks, its MCP servers and its skills.
func (o Options) targets(agent string) ([]target, error) {
	hook, err := o.hookTarget(agent)
	if err != nil || o.NoMCP {
		return []target{hook}, err
	}
	return []target{hook, o.mcpTarget(agent), o.skillTarget(agent)}, nil
}

// skillTarget returns where an agent looks for skills of the user or the project: the directory layout that Claude Code
// introduced and the others read too. It is added together with the MCP server, because the skill describes that
// server's tool.
func (o Options) skillTarget(agent string) target {
	dir := map[string]string{hooks.Claude: o.claudeDir(), hooks.Codex: o.codexDir(), hooks.Cursor: o.cursorDir(),
		hooks.OpenCode: o.openCodeDir()}[agent]
	return target{agent, filepath.Join(dir, "skills", "mum-remember", "SKILL.md"), wholeFile{hooks.RememberSkill()}}
}

func (o Options) hookTarget(agent string) (target, error) {
	switch agent {
	case hooks.Claude:
		return target{agent, filepath.Join(o.claudeDir(), "settings.json"), o.claudeHooks()}, nil
	case hooks.OpenCode:
		return target{agent, filepath.Join(o.openCodeDir(), "plugins", "mum.js"), wholeFile{o.Place.OpenCodePlugin()}}, nil
	case hooks.Codex:
		return target{agent, filepath.Join(o.codexDir(), "hooks.json"), o.codexHooks()}, nil
	case hooks.Cursor:
		return target{agent, filepath.Join(o.cursorDir(), "hooks.json"), o.cursorHooks()}, nil
	}
	return target{}, fmt.Errorf("%w: %.40q (known: %s)", hooks.ErrAgent, agent, strings.Join(hooks.Agents(), ", "))
}

// dir returns where an agent keeps its files: in the project, at the path in an environment variable, or at the usual
// place in the home directory.
func (o Options) dir(project, variable string, usual ...string) string {
	if o.Scope == Project {
		return filepath.Join(o.Dir, project)
	}
	if dir := o.env(variable); dir != "" {
		return dir
	}
	return filepath.Join(append([]string{o.UserHome}, usual...)...)
}

func (o Options) env(name string) string {
	if o.Getenv == nil || name == "" {
		return ""
	}
	return o.Getenv(name)
}

func (o Options) claudeDir() string { return o.dir(".claude", "CLAUDE_CONFIG_DIR", ".claude") }
func (o Options) codexDir() string  { return o.dir(".codex", "CODEX_HOME", ".codex") }
func (o Options) cursorDir() string { return o.dir(".cursor", "", ".cursor") }

func (o Options) openCodeDir() string {
	if xdg := o.env("XDG_CONFIG_HOME"); xdg != "" && o.env("OPENCODE_CONFIG_DIR") == "" && o.Scope != Project {
		return filepath.Join(xdg, "opencode")
	}
	return o.dir(".opencode", "OPENCODE_CONFIG_DIR", ".config", "opencode")
}

// found reports whether an agent is installed: its directory or its program exists.
func (o Options) found(agent string) bool {
	o.Scope = User
	dirs := map[string]string{
		hooks.Claude: o.claudeDir(), hooks.Codex: o.codexDir(),
		hooks.Cursor: o.cursorDir(), hooks.OpenCode: o.openCodeDir(),
	}
	if info, err := os.Stat(dirs[agent]); err == nil && info.IsDir() {
		return true
	}
	if o.LookPath == nil {
		return false
	}
	_, err := o.LookPath(agent)
	return err == nil
}

// argv returns the hook command. The script contains its data directory. A binary is told the data directory if that is
// not the default, because hooks do not see the environment in which `mum connect` ran.
func (o Options) argv(agent string) []string {
	if o.Transport == Shell {
		return []string{scriptPath(o.Place), agent}
	}
	argv := []string{o.Place.Bin, "hook", agent}
	if o.Place.Hook != "" {
		argv = []string{o.Place.Hook, agent}
	}
	switch {
	case o.Place.Home == filepath.Join(o.UserHome, ".mum"):
		return argv
	case o.Short != nil:
		return []string{o.Place.Hook, "--home=" + o.Place.Home, agent}
	}
	return append([]string{"/usr/bin/env", "MUM_HOME=" + o.Place.Home}, argv...)
}

// commandLine returns argv as one line, for agents that run it in a shell.
func (o Options) commandLine(agent string) string {
	argv := o.argv(agent)
	for i, arg := range argv {
		if o.Short != nil {
			argv[i] = unquoted(arg, o.Short)
		} else {
			argv[i] = quote(arg)
		}
	}
	return strings.Join(argv, " ")
}

// unquoted returns an argument in a form that both cmd and PowerShell read. Codex passes a command line with quotes to
// cmd in a form that cmd cannot read, so a path that needs quotes is replaced by its short name.
func unquoted(arg string, short func(string) string) string {
	const special = " &()^%!;,'`$@{}"
	if !strings.ContainsAny(arg, special) {
		return arg
	}
	flag, path, isFlag := strings.Cut(arg, "=")
	if !isFlag {
		flag, path = "", arg
	} else {
		flag += "="
	}
	if path = short(path); strings.ContainsAny(path, special) {
		return `"` + flag + path + `"`
	}
	return flag + path
}

// quote returns an argument as a POSIX shell reads it.
func quote(path string) string {
	if strings.IndexFunc(path, needsQuotes) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

func needsQuotes(r rune) bool {
	return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@:=", r)
}

// command is a handler of type command. Its fields are in the order in which people usually write them.
type command struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args,omitempty"`
	Timeout int      `json:"timeout"` // seconds
}

// post is a handler of type http, with which Claude Code posts the event directly.
type post struct {
	Type    string            `json:"type"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Allowed []string          `json:"allowedEnvVars"`
	Timeout int               `json:"timeout"`
}

// Seconds after which an agent stops waiting for a hook. They matter only on a machine in trouble: a hook takes
// milliseconds and limits itself earlier.
const (
	hookSeconds = 5
	endSeconds  = 3 // Codex warns above 3; Claude Code's default is 1.5
)

func (o Options) claudeHooks() edit {
	var h hookEntries
	for _, event := range []string{
		"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure",
		"Stop", "SubagentStop", "PreCompact", "PostCompact", "SessionEnd",
	} {
		h.entries = append(h.entries, entry{event, o.claudeHandler(event)})
	}
	return h
}

// claudeHandler returns a handler in the exec form, which needs no quoting. Claude Code does not run http hooks at the
// start of a session. No handler is async: `claude -p` kills async hooks at the end.
func (o Options) claudeHandler(event string) any {
	seconds := timeout(event)
	if o.Transport == HTTP && event != "SessionStart" {
		return post{
			Type: "http", URL: fmt.Sprintf("http://127.0.0.1:%d/hooks/claude", o.Port),
			Headers: map[string]string{"Authorization": "Bearer $MUM_TOKEN"}, Allowed: []string{"MUM_TOKEN"}, Timeout: seconds,
		}
	}
	argv := o.argv(hooks.Claude)
	return command{Type: "command", Command: argv[0], Args: argv[1:], Timeout: seconds}
}

// timeout returns after how many seconds an agent stops waiting for the hook of an event.
func timeout(event string) int {
	if strings.EqualFold(event, "SessionEnd") {
		return endSeconds
	}
	return hookSeconds
}

// codexHooks returns the hooks for Codex, all of type command: any other type would invalidate the whole file.
func (o Options) codexHooks() edit {
	var h hookEntries
	for _, event := range []string{
		"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SubagentStop", "PostCompact", "SessionEnd",
	} {
		h.entries = append(h.entries, entry{event, command{
			Type: "command", Command: o.commandLine(hooks.Codex), Timeout: timeout(event),
		}})
	}
	return h
}

func (o Options) cursorHooks() edit {
	h := hookEntries{flat: true, header: map[string]any{"version": 1}}
	for _, event := range []string{
		"sessionStart", "beforeSubmitPrompt", "postToolUse", "postToolUseFailure", "afterAgentResponse", "sessionEnd",
	} {
		h.entries = append(h.entries, entry{event, command{
			Command: o.commandLine(hooks.Cursor), Timeout: timeout(event),
		}})
	}
	return h
}

// notes returns what mum connect cannot or will not do for the user.
func (o Options) notes(agent string) []string {
	var notes []string
	if !o.found(agent) {
		notes = append(notes, agent+" was not found on this machine; the connection works once it is installed")
	}
	switch {
	case agent == hooks.Codex:
		notes = append(notes, "codex runs a hook only after you have trusted it: "+CodexTrust)
	case agent == hooks.Claude && o.Transport == HTTP:
		notes = append(notes,
			"claude reads the token from the environment: put MUM_TOKEN=$(cat "+quote(filepath.Join(o.Place.Home, "token"))+
				") where your shell starts",
			"while the daemon is down, claude shows a hook error at each event; the transports shell and exec are silent then",
			"and it sends the token and your prompts to whoever listens on the port then: "+
				"use http only where nobody else has an account")
	case agent == hooks.Cursor:
		notes = append(notes, "cursor accepts context only at the start of a session, not for a prompt")
	}
	return notes
}
