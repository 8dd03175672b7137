package connect

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/tailscale/hujson"

	"keepmum/hooks"
	"keepmum/lazyregexp"
)

// Obstacle is an agent's own setting that keeps our hooks from running.
type Obstacle struct {
	What  string `json:"what"`
	Fix   string `json:"fix"`             // what the user can do about it
	Asked bool   `json:"asked,omitempty"` // the agent itself asks the user about it; nobody made a mistake
}

// Obstacles returns what keeps an agent from running our hooks. We do not change these settings.
func (o Options) Obstacles(agent string) ([]Obstacle, error) {
	switch agent {
	case hooks.Claude:
		return o.claudeObstacles()
	case hooks.Codex:
		return o.codexObstacles()
	}
	return nil, nil
}

// claudeSettings are the settings of Claude Code that can keep hooks from running.
type claudeSettings struct {
	file        string
	Disabled    bool      `json:"disableAllHooks"`
	ManagedOnly bool      `json:"allowManagedHooksOnly"`
	URLs        *[]string `json:"allowedHttpHookUrls"`
	Env         *[]string `json:"httpHookAllowedEnvVars"`
}

func (o Options) claudeObstacles() ([]Obstacle, error) {
	all, err := o.readClaudeSettings()
	if err != nil {
		return nil, err
	}
	var out []Obstacle
	for _, s := range all {
		if s.Disabled {
			out = append(out, Obstacle{What: "disableAllHooks in " + s.file + " switches every hook off",
				Fix: "remove disableAllHooks from " + s.file})
		}
		if s.ManagedOnly && s.file == o.Managed {
			out = append(out, Obstacle{
				What: "allowManagedHooksOnly in " + s.file + " lets only the hooks of your organisation run",
				Fix:  "ask who manages this machine"})
		}
	}
	posts, err := o.postsTo()
	if err != nil || posts == "" {
		return out, err
	}
	data, err := read(filepath.Join(o.Place.Home, "port"))
	if port := strings.TrimSpace(string(data)); err == nil && data != nil && !strings.Contains(posts, ":"+port+"/") {
		out = append(out, Obstacle{What: "it posts to " + posts + ", and the daemon listens on port " + port,
			Fix: "free the port and mum restart, or mum connect claude --transport exec"})
	}
	return append(out, httpObstacles(all, posts)...), nil
}

// readClaudeSettings reads every settings file that applies. It skips files that do not exist or that Claude Code
// cannot read either.
func (o Options) readClaudeSettings() ([]claudeSettings, error) {
	user := o
	user.Scope = User
	files := []string{filepath.Join(user.claudeDir(), "settings.json")}
	if o.Dir != "" {
		files = append(files, filepath.Join(o.Dir, ".claude", "settings.json"),
			filepath.Join(o.Dir, ".claude", "settings.local.json"))
	}
	if o.Managed != "" {
		files = append(files, o.Managed)
	}
	slices.Sort(files) // the project may be the home directory
	var all []claudeSettings
	for _, file := range slices.Compact(files) {
		data, err := read(file)
		if err != nil {
			return nil, err
		}
		v, err := parseJSON(data)
		s := claudeSettings{file: file}
		v.Standardize()
		if err == nil && decode(v, &s) == nil {
			all = append(all, s)
		}
	}
	return all, nil
}

// postsTo returns the URL to which Claude Code posts directly; "" = it runs commands.
func (o Options) postsTo() (string, error) {
	target, err := o.hookTarget(hooks.Claude)
	if err != nil {
		return "", err
	}
	ours, err := handlers(target.path)
	for _, h := range ours {
		if h.URL != "" {
			return h.URL, err
		}
	}
	return "", err
}

// httpObstacles checks the allowlists: if a list exists anywhere, it must contain our URL or our variable.
func httpObstacles(all []claudeSettings, url string) []Obstacle {
	var out []Obstacle
	urls, urlFile := lists(all, func(s claudeSettings) *[]string { return s.URLs })
	if urlFile != "" && !slices.ContainsFunc(urls, func(p string) bool { return wildcard(p, url) }) {
		out = append(out, Obstacle{What: "allowedHttpHookUrls in " + urlFile + " does not allow " + url,
			Fix: "add " + url + " there, or mum connect claude --transport exec"})
	}
	vars, varFile := lists(all, func(s claudeSettings) *[]string { return s.Env })
	if varFile != "" && !slices.Contains(vars, "MUM_TOKEN") {
		out = append(out, Obstacle{What: "httpHookAllowedEnvVars in " + varFile + " does not allow MUM_TOKEN",
			Fix: "add MUM_TOKEN there, or mum connect claude --transport exec"})
	}
	return out
}

// lists joins one allowlist over all files, and returns the last file that has it.
func lists(all []claudeSettings, of func(claudeSettings) *[]string) (joined []string, file string) {
	for _, s := range all {
		if l := of(s); l != nil {
			joined, file = append(joined, *l...), s.file
		}
	}
	return joined, file
}

// wildcard reports whether s matches a pattern in which * matches anything.
func wildcard(pattern, s string) bool {
	parts := strings.Split(pattern, "*")
	rest, ok := strings.CutPrefix(s, parts[0])
	if !ok || len(parts) == 1 {
		return ok && rest == ""
	}
	for _, p := range parts[1 : len(parts)-1] {
		if _, rest, ok = strings.Cut(rest, p); !ok {
			return false
		}
	}
	return strings.HasSuffix(rest, parts[len(parts)-1])
}

// CodexTrust tells the user what to type so that Codex runs our hooks (checked with 0.169.0).
const CodexTrust = "start codex; at \"Hooks need review\" choose 2 (Trust all and continue), or type /hooks, Enter, " +
	"then t (trust all)"

// hooksOff matches the setting that switches hooks off, in the [features] table of Codex's config.
var hooksOff = lazyregexp.New(`(?m)^\s*\[features\]\s*$[^\[]*^\s*hooks\s*=\s*false|^\s*features\.hooks\s*=\s*false`)

func (o Options) codexObstacles() ([]Obstacle, error) {
	file := filepath.Join(o.codexDir(), "hooks.json")
	ours, err := handlers(file)
	if err != nil || len(ours) == 0 {
		return nil, err
	}
	config := filepath.Join(o.codexDir(), "config.toml")
	settings, err := read(config)
	if err != nil {
		return nil, err
	}
	var out []Obstacle
	if hooksOff.Match(settings) {
		out = append(out, Obstacle{What: "hooks = false in " + config + " switches every hook off",
			Fix: "remove it from " + config})
	}
	untrusted := 0
	for _, h := range ours {
		// Codex stores what the user trusts as <file>:<event>:<group>:<index>.
		if !bytes.Contains(settings, fmt.Appendf(nil, "hooks.json:%s:%d:%d", snake(h.event), h.group, h.index)) {
			untrusted++
		}
	}
	if untrusted > 0 {
		out = append(out, Obstacle{
			What: fmt.Sprintf("Codex has not trusted %d of mum's %d hooks, so those do not run", untrusted,
				len(ours)),
			Fix:   CodexTrust + "   (only you can do that; it asks again when a hook has changed)",
			Asked: true,
		})
	}
	return out, nil
}

// snake converts SessionStart to session_start.
func snake(s string) string {
	var b strings.Builder
	for i, r := range s {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// handler is one of our hooks as it is in a file.
type handler struct {
	event        string
	group, index int
	Command      string   `json:"command"`
	Args         []string `json:"args"`
	URL          string   `json:"url"`
}

// handlers returns our hooks in a settings file, in file order; none if the file is missing or not JSON.
func handlers(file string) ([]handler, error) {
	data, err := read(file)
	if err != nil || data == nil {
		return nil, err
	}
	d, err := parse(data)
	if err != nil {
		return nil, nil
	}
	v := member(d.top(), "hooks")
	if v == nil {
		return nil, nil
	}
	events, _ := v.Value.(*hujson.Object)
	var out []handler
	if events != nil {
		for _, m := range events.Members {
			name, _ := m.Name.Value.(hujson.Literal)
			out = append(out, ofEvent(name.String(), m.Value)...)
		}
	}
	return out, nil
}

// ofEvent returns our hooks among those of an event.
func ofEvent(event string, list hujson.Value) []handler {
	groups, _ := list.Value.(*hujson.Array)
	if groups == nil {
		return nil
	}
	var out []handler
	for g := range groups.Elements {
		inner := groups.Elements[g : g+1] // Cursor has no groups
		if group, ok := groups.Elements[g].Value.(*hujson.Object); ok {
			if nested := member(group, "hooks"); nested != nil {
				of, _ := nested.Value.(*hujson.Array)
				inner = cmp.Or(of, &hujson.Array{}).Elements
			}
		}
		for i := range inner {
			h := handler{event: event, group: g, index: i}
			if isOurs(&inner[i]) && decode(inner[i], &h) == nil {
				out = append(out, h)
			}
		}
	}
	return out
}

// program returns the file that a hook runs; "" = it posts, or the file is unknown.
func (h handler) program() string {
	if file := ourProgram(h.words()); filepath.IsAbs(file) {
		return file
	}
	return ""
}
