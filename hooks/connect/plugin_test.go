package connect

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"keepmum/hooks"
)

// registered is what a settings file says about hooks.
type registered struct {
	Hooks map[string][]struct {
		Hooks []struct {
			Type, Command string
			Args          []string
			Timeout       int
		}
	}
}

// commands takes the commands out of the hooks, which are the same for all events.
func (r registered) commands() map[string]bool {
	all := map[string]bool{}
	for _, groups := range r.Hooks {
		for _, g := range groups {
			for i := range g.Hooks {
				all[strings.Join(append([]string{g.Hooks[i].Command}, g.Hooks[i].Args...), " ")] = true
				g.Hooks[i].Command, g.Hooks[i].Args = "", nil
			}
		}
	}
	return all
}

func pluginHooks(t *testing.T) (r registered) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "plugin", "hooks", "hooks.json"))
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestThePluginRegistersTheSameHooksAsConnect(t *testing.T) {
	o := Options{Place: hooks.Place{Bin: "mum", Home: filepath.Join("home", ".mum")}, UserHome: "home"}
	connected, err := o.claudeHooks().add(nil)
	if err != nil {
		t.Fatal(err)
	}
	var want registered
	if err := json.Unmarshal(connected, &want); err != nil {
		t.Fatal(err)
	}
	plugin := pluginHooks(t)
	if len(want.commands()) != 1 || len(plugin.commands()) != 1 {
		t.Error("an event has a command of its own")
	}
	if diff := cmp.Diff(want, plugin); diff != "" {
		t.Error(diff)
	}
}

// The plugin runs mum-hook, or mum hook where there is none, and is silent and ends with 0
// whatever is there.
func TestThePluginRunsTheFastestHookThereIs(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("no shell")
	}
	var line string
	for line = range pluginHooks(t).commands() {
	}
	const says, fails = "#!/bin/sh\necho \"${0##*/} $*: $(cat)\"\necho error >&2\n", "#!/bin/sh\nexit 7\n"
	for name, c := range map[string]struct {
		programs map[string]string
		want     string
	}{
		"both":                   {map[string]string{"mum-hook": says, "mum": says}, "mum-hook claude: payload\n"},
		"mum alone":              {map[string]string{"mum": says}, "mum hook claude: payload\n"},
		"none":                   {nil, ""},
		"none that works":        {map[string]string{"mum-hook": fails, "mum": fails}, ""},
		"one that is no program": {map[string]string{"mum": "\x7fELF"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for program, text := range c.programs {
				if err := os.WriteFile(filepath.Join(dir, program), []byte(text), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command(sh, "-c", line)
			cmd.Env, cmd.Stdin = []string{"PATH=" + dir + ":/usr/bin:/bin"}, strings.NewReader("payload")
			out, err := cmd.CombinedOutput()
			if err != nil || string(out) != c.want {
				t.Errorf("it said %q and ended with %v, want %q", out, err, c.want)
			}
		})
	}
}
