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

// Codex does not start with a file that is not TOML, and a table at its end would be part of an unfinished value.
func TestAFileThatIsNotTOMLIsNotExtended(t *testing.T) {
	for text, why := range map[string]string{
		"x = ":                                  "it is not TOML: line 1: ",
		"a = 1\nlist = [\n  1,\n":               "it is not TOML: line ",
		"a = \"open\nb = 2\n":                   "it is not TOML: line 1: ",
		"[a\n":                                  "it is not TOML: line 1: ",
		"a = 1\na = 2\n":                        "it is not TOML: ",
		"a = {b = 1\nc = 2}\n":                  "it is not TOML: line ",
		"a = " + strings.Repeat("[", 2_000_000): "nested deeper",
		"a = " + strings.Repeat("{a=", 500_000): "nested deeper",
	} {
		o := machine(t)
		file := filepath.Join(o.UserHome, ".codex", "config.toml")
		put(t, file, text)
		if _, err := o.Connect(hooks.Codex); !errors.Is(err, ErrConflict) || !strings.Contains(err.Error(), why) {
			t.Errorf("%.40q: got %v, want %s", text, err, why)
		}
		mustDisconnect(t, o, hooks.Codex)
		if get(t, file) != text {
			t.Errorf("%.40q was changed", text)
		}
	}
}

// Codex reads TOML 1.1.
func TestAFileOfTOMLIsExtended(t *testing.T) {
	for _, text := range []string{
		"",
		"# nothing\n",
		"\ufeffmodel = \"gpt-5.5\"\r\n[projects.'/home/dev']\r\ntrust_level = \"trusted\"\r\n",
		"notify = [\n  \"a # b\", # why\n  'c',\n]\n[mcp_servers.docs]\nenv = { A = \"1\", B = '}' }\n",
		"[mcp_servers.docs]\nenv = {\n  A = \"1\", # why\n  B = [\n    { c = 1, },\n  ],\n}\nx = \"\\x41\\e\"\n",
		"a = \"\"\"\n{ # \"\\\"\n\"\"\"\nb = '''\n[\\'''\n[[c]]\nd = 2026-03-01T12:00:00Z\n[[c]]\n",
	} {
		o := machine(t)
		file := filepath.Join(o.UserHome, ".codex", "config.toml")
		put(t, file, text)
		mustConnect(t, o, hooks.Codex)
		if got := get(t, file); !strings.HasPrefix(got, text) || !strings.Contains(got, tomlHeader) {
			t.Errorf("%q became %q", text, got)
		}
	}
}
