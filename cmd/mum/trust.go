package main

import (
	"slices"

	"keepmum/config"
	"keepmum/hooks"
	"keepmum/hooks/connect"
)

// untrusted says that Codex does not run our hooks yet, and what the user has to type; "" after that, or if Codex is
// not connected.
func untrusted(o connect.Options, c config.Config) string {
	obstacles, err := o.Obstacles(hooks.Codex)
	if err != nil || !slices.ContainsFunc(obstacles, func(ob connect.Obstacle) bool { return ob.Asked }) {
		return ""
	}
	line := "codex captures nothing until you trust its hooks: " + connect.CodexTrust
	if c.Sync.Enabled && (len(c.Sync.Agents) == 0 || slices.Contains(c.Sync.Agents, hooks.Codex)) {
		line += "; until then sync reads codex's own files"
	}
	return line
}

// waits returns what waits for the user.
func (a *app) waits() []string {
	dir, c, err := a.load(nil)
	if err != nil {
		return nil
	}
	o, err := a.agentFiles(dir, c, connectFlags{scope: string(connect.User)})
	if err != nil {
		return nil
	}
	if line := untrusted(o, c.Config); line != "" {
		return []string{line}
	}
	return nil
}
