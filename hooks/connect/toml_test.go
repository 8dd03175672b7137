package connect

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"keepmum/hooks"
)

// Codex keeps what the user decided about a server's tools in tables below the server's.
func TestTablesBelowOurServerLastAsLongAsIt(t *testing.T) {
	for name, moved := range map[string][]string{
		"appended":       {},
		"quoted":         {tomlHeader, `[ mcp_servers . "mum" ]  # the memory`},
		"its own form":   {`args = ["mcp"]`, "args = [\n    \"mcp\",\n]"},
		"literal quotes": {tomlHeader, "['mcp_servers'.'mum']"},
	} {
		t.Run(name, func(t *testing.T) {
			o := machine(t)
			file := filepath.Join(o.UserHome, ".codex", "config.toml")
			const original = "model = \"gpt-5.5\"\n"
			put(t, file, original)
			mustConnect(t, o, hooks.Codex)
			const tools = "\n[mcp_servers.mum.tools.memory_search]\napproval_mode = \"approve\"\n"
			const after = "\n[projects.\"/home/dev\"]\ntrust_level = \"trusted\"\n"
			put(t, file, strings.NewReplacer(moved...).Replace(get(t, file))+tools+after)
			o.Place.Bin = "/usr/bin/mum"
			mustConnect(t, o, hooks.Codex)
			got := get(t, file)
			if !strings.Contains(got, tools) || strings.Count(got, "/usr/bin/mum") != 1 ||
				strings.Contains(got, "/opt/bin/mum") {
				t.Errorf("connected again: %s", got)
			}
			mustDisconnect(t, o, hooks.Codex)
			want := original + after
			if name == "quoted" {
				want = original + "# the memory\n" + after
			}
			if diff := cmp.Diff(want, get(t, file)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAServerOfOurNameInCodexIsLeftAlone(t *testing.T) {
	for _, text := range []string{
		"[mcp_servers.mum]\ncommand = \"mothers\"\nargs = [\"day\"]\n",
		"[mcp_servers.\"mum\"]\ncommand = \"mothers\"\n",
		"[mcp_servers]\nmum = { command = \"mothers\" }\n",
		"[mcp_servers]\nmum.command = \"mothers\"\n",
		"mcp_servers.docs.command = \"docs\"\n",
	} {
		o := machine(t)
		file := filepath.Join(o.UserHome, ".codex", "config.toml")
		put(t, file, text)
		if _, err := o.Connect(hooks.Codex); !errors.Is(err, ErrConflict) {
			t.Errorf("%s: got %v", text, err)
		}
		mustDisconnect(t, o, hooks.Codex)
		if got := get(t, file); got != text {
			t.Errorf("%s became %s", text, got)
		}
	}
}

func TestWhatOnlyLooksLikeATableOfOursStays(t *testing.T) {
	const original = "notes = \"\"\"\n[mcp_servers.mum]\nargs = [\"mcp\"]\n\"\"\"\nlist = [\n  [\"mcp_servers\"],\n]\n" +
		"[a] # mcp_servers.mum\nb = '''\n[mcp_servers.mum.tools]\n'''\n"
	o := machine(t)
	file := filepath.Join(o.UserHome, ".codex", "config.toml")
	put(t, file, original)
	mustConnect(t, o, hooks.Codex)
	put(t, file, get(t, file)+"\n[c]\n")
	mustDisconnect(t, o, hooks.Codex)
	if diff := cmp.Diff(original+"\n[c]\n", get(t, file)); diff != "" {
		t.Error(diff)
	}
}

func TestAnEnvironmentThatCodexMovedIsReplaced(t *testing.T) {
	o := machine(t)
	o.Place.Home = filepath.Join(o.UserHome, "data")
	file := filepath.Join(o.UserHome, ".codex", "config.toml")
	mustConnect(t, o, hooks.Codex)
	moved := "\n[mcp_servers.mum.env]\nMUM_HOME = \"" + o.Place.Home + "\"\n"
	text, _, _ := strings.Cut(get(t, file), "env = ")
	put(t, file, text+moved)
	o.Place.Bin = "/usr/bin/mum"
	mustConnect(t, o, hooks.Codex)
	if got := get(t, file); strings.Contains(got, ".env]") || !strings.Contains(got, "env = {") {
		t.Error(got)
	}
	put(t, file, text+moved+"MINE = \"1\"\n")
	if _, err := o.Connect(hooks.Codex); !errors.Is(err, ErrConflict) {
		t.Errorf("got %v", err)
	}
	mustDisconnect(t, o, hooks.Codex)
	if got := get(t, file); strings.Contains(got, "mum") {
		t.Error(got)
	}
}
