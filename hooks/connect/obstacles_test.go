package connect

import (
	"path/filepath"
	"strings"
	"testing"

	"keepmum/hooks"
)

// obstacles joins what is found into one text.
func obstacles(t *testing.T, o Options, agent string) string {
	t.Helper()
	all, err := o.Obstacles(agent)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, ob := range all {
		if ob.Fix == "" {
			t.Errorf("no way out of: %s", ob.What)
		}
		b.WriteString(ob.What + "\n")
	}
	return b.String()
}

func TestSettingsThatHoldClaudesHooksBackAreSeen(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		via              Transport
		want             string // "" = nothing is in the way
	}{
		{"nothing", "user", `{}`, HTTP, ""},
		{"off for the user", "user", `{"disableAllHooks": true}`, Exec, "disableAllHooks"},
		{"off, said and meant no", "user", `{"disableAllHooks": false}`, Exec, ""},
		{"off in the project", "project", `{"disableAllHooks": true} // for now` + "\n", Exec, "settings.local.json"},
		{"off by the organisation", "managed", `{"disableAllHooks": true}`, Exec, "managed.json"},
		{"the organisation's alone", "managed", `{"allowManagedHooksOnly": true}`, Exec, "allowManagedHooksOnly"},
		{"that key elsewhere means nothing", "user", `{"allowManagedHooksOnly": true}`, Exec, ""},
		{"no address allowed", "user", `{"allowedHttpHookUrls": []}`, HTTP, "allowedHttpHookUrls"},
		{"another address allowed", "project", `{"allowedHttpHookUrls": ["https://hooks.example.com/*"]}`, HTTP,
			"allowedHttpHookUrls"},
		{"our address allowed", "user", `{"allowedHttpHookUrls": ["http://127.0.0.1:*/hooks/*"]}`, HTTP, ""},
		{"addresses do not matter for a command", "user", `{"allowedHttpHookUrls": []}`, Exec, ""},
		{"no variable allowed", "user", `{"httpHookAllowedEnvVars": ["OTHER"]}`, HTTP, "MUM_TOKEN"},
		{"our variable allowed", "user", `{"httpHookAllowedEnvVars": ["MUM_TOKEN"]}`, HTTP, ""},
		{"another port", "port", "40123\n", HTTP, "listens on port 40123"},
		{"the same port", "port", "38741\n", HTTP, ""},
		{"not JSON", "project", `{"disableAllHooks": tr`, Exec, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := machine(t)
			o.Transport, o.Port = c.via, 38741
			o.Dir, o.Managed = filepath.Join(o.UserHome, "shop"), filepath.Join(o.UserHome, "managed.json")
			put(t, map[string]string{
				"user": o.claudeFile(), "project": filepath.Join(o.Dir, ".claude", "settings.local.json"),
				"managed": o.Managed, "port": filepath.Join(o.Place.Home, "port"),
			}[c.file], c.text)
			mustConnect(t, o, hooks.Claude)
			got := obstacles(t, o, hooks.Claude)
			if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestCodexHooksThatAreNotTrustedAreCounted(t *testing.T) {
	o := machine(t)
	config := filepath.Join(o.UserHome, ".codex", "config.toml")
	if got := obstacles(t, o, hooks.Codex); got != "" {
		t.Errorf("without hooks: %s", got)
	}
	mustConnect(t, o, hooks.Codex)
	if got := obstacles(t, o, hooks.Codex); !strings.Contains(got, "trusted 7 of mum's 7 hooks") {
		t.Errorf("none trusted: %s", got)
	}
	var trust strings.Builder
	for _, event := range []string{"session_start", "user_prompt_submit", "post_tool_use", "stop", "subagent_stop",
		"post_compact"} {
		trust.WriteString("\n[hooks.state.\"" + filepath.Join(o.UserHome, ".codex", "hooks.json") + ":" + event +
			":0:0\"]\ntrusted_hash = \"sha256:00\"\n")
	}
	put(t, config, get(t, config)+trust.String())
	if got := obstacles(t, o, hooks.Codex); !strings.Contains(got, "trusted 1 of mum's 7 hooks") {
		t.Errorf("all but one trusted: %s", got)
	}
	put(t, config, get(t, config)+
		"\n[hooks.state.\"/h/.codex/hooks.json:session_end:0:0\"]\ntrusted_hash = \"sha256:00\"\n[features]\nhooks = true\n")
	if got := obstacles(t, o, hooks.Codex); got != "" {
		t.Errorf("all trusted: %s", got)
	}
	put(t, config, get(t, config)+"[features]\nweb = true\nhooks = false\n")
	if got := obstacles(t, o, hooks.Codex); !strings.Contains(got, "switches every hook off") {
		t.Errorf("switched off: %s", got)
	}
}

func TestTheProgramOfAHookIsFoundWhateverItsForm(t *testing.T) {
	for want, h := range map[string]handler{
		"/opt/bin/mum":             {Command: "/opt/bin/mum", Args: []string{"hook", "claude"}},
		"/a b/mum":                 {Command: "/usr/bin/env", Args: []string{"MUM_HOME=/data", "/a b/mum", "hook", "claude"}},
		"/usr/local/bin/mum":       {Command: "/usr/local/bin/mum hook codex"},
		"/home/u/.mum/mum-hook.sh": {Command: "'/home/u/.mum/mum-hook.sh' codex"},
		"":                         {URL: "http://127.0.0.1:1/hooks/claude"},
	} {
		if got := h.program(); got != want {
			t.Errorf("%+v: got %q", h, got)
		}
	}
}
