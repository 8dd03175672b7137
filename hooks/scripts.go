package hooks

import (
	_ "embed"
	"encoding/json"
	"strings"
)

//go:embed mum-hook.sh
var hookScript string

//go:embed opencode-plugin.js
var openCodePlugin string

//go:embed remember-skill.md
var rememberSkill string

// RememberSkill returns the skill that tells an agent what to keep for later sessions. All agents read this format. The
// plugin contains the same file.
func RememberSkill() []byte { return []byte(rememberSkill) }

// RememberLine is shown at the start of each session. It stays below 40 tokens because every session pays for it.
const RememberLine = "To keep a lasting rule of the user, a decision with its reason, or a hard-won root cause for " +
	"later sessions, call memory_remember (mum)."

// Place says where this installation is. The paths are written into the scripts, because an agent may run them with a
// different PATH and HOME.
type Place struct {
	Home string // data directory
	Bin  string // absolute path of the mum binary
	Hook string // the small program next to it that hooks run; "" = not installed, hooks run mum hook
}

// HookScript returns the shell script that hooks run as their command.
func (p Place) HookScript() []byte { return fill(hookScript, "'", shellQuote, p) }

// OpenCodePlugin returns the plugin file for OpenCode 1.x.
func (p Place) OpenCodePlugin() []byte { return fill(openCodePlugin, `"`, jsonQuote, p) }

// fill writes the paths of an installation into a script, in place of the marks between quotation marks.
func fill(script, mark string, quote func(string) string, p Place) []byte {
	return []byte(strings.NewReplacer(
		mark+"@MUM_HOME@"+mark, quote(p.Home),
		mark+"@MUM_BIN@"+mark, quote(p.Bin),
	).Replace(script))
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func jsonQuote(s string) string {
	b, _ := json.Marshal(s) // encoding a string cannot fail; JSON is valid JavaScript
	return string(b)
}
