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

// RememberSkill returns the file that tells an agent what to keep for later sessions, in
// the form that all of them read. The plugin has the same.
func RememberSkill() []byte { return []byte(rememberSkill) }

// RememberLine is said at the start of a session: up to 40 tokens, for they are paid each time.
const RememberLine = "To keep a lasting rule of the user, a decision with its reason, or a hard-won root cause for " +
	"later sessions, call memory_remember (mum)."

// Place says where this installation is; scripts get it written into them,
// because an agent may run them with another PATH and another HOME.
type Place struct {
	Home string // data directory
	Bin  string // the mum binary, absolute
	Hook string // the small program beside it that hooks run; "" = there is none, mum hook does it
}

// HookScript returns the shell script that command hooks run.
func (p Place) HookScript() []byte { return fill(hookScript, "'", shellQuote, p) }

// OpenCodePlugin returns the plugin file for OpenCode 1.x.
func (p Place) OpenCodePlugin() []byte { return fill(openCodePlugin, `"`, jsonQuote, p) }

func fill(script, mark string, quote func(string) string, p Place) []byte {
	return []byte(strings.NewReplacer(
		mark+"@MUM_HOME@"+mark, quote(p.Home),
		mark+"@MUM_BIN@"+mark, quote(p.Bin),
	).Replace(script))
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func jsonQuote(s string) string {
	b, _ := json.Marshal(s) // strings always encode; JSON is JavaScript
	return string(b)
}
