package connect

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"keepmum/hooks"
)

func TestAnEditOfTheUserInBetweenSurvivesDisconnect(t *testing.T) {
	for name, original := range originals {
		t.Run(name, func(t *testing.T) {
			if name == "none" || strings.HasPrefix(name, "empty") {
				t.Skip("empty things go together with our entries")
			}
			o := machine(t)
			put(t, o.claudeFile(), original)
			mustConnect(t, o, hooks.Claude)
			edit := func(s string) string {
				return strings.Replace(strings.Replace(s, "opus", "haiku", 1), "maximum", "minimum", 1)
			}
			put(t, o.claudeFile(), edit(get(t, o.claudeFile()))+"\n")
			mustDisconnect(t, o, hooks.Claude)
			var got, want any
			d1, err1 := parse([]byte(get(t, o.claudeFile())))
			d2, err2 := parse([]byte(edit(original)))
			if err := errors.Join(err1, err2, decode(d1.root, &got), decode(d2.root, &want)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if strings.Contains(get(t, o.claudeFile()), "/opt/bin/mum") {
				t.Error("our entries are still there")
			}
		})
	}
}

// Comments around our entries are the user's.
func TestACommentBesideOurEntriesSurvivesDisconnect(t *testing.T) {
	const original = `{
  "a": 1, // one
  "mcp": {
    "docs": {"type": "local", "command": ["docs"]} // the manual
  } // servers
}
`
	o := machine(t)
	file := filepath.Join(o.UserHome, ".config", "opencode", "opencode.json")
	put(t, file, original)
	mustConnect(t, o, hooks.OpenCode)
	edited := strings.NewReplacer(
		`"a": 1`, `"a": 2`,
		`    "mum": {`, "    // remembers\n    /* everything */ \"mum\": {",
		"true}\n", "true} // and forgets\n",
	).Replace(get(t, file))
	put(t, file, edited)
	mustDisconnect(t, o, hooks.OpenCode)
	const want = `{
  "a": 2, // one
  "mcp": {
    "docs": {"type": "local", "command": ["docs"]} // the manual
    // remembers
    /* everything */ // and forgets
  } // servers
}
`
	if diff := cmp.Diff(want, get(t, file)); diff != "" {
		t.Error(diff)
	}
	put(t, o.claudeFile(), "{\n  // nothing yet\n}\n")
	mustConnect(t, o, hooks.Claude)
	put(t, o.claudeFile(), strings.Replace(get(t, o.claudeFile()), `"Stop": [`, `"Stop": [ // mine`, 1))
	mustDisconnect(t, o, hooks.Claude)
	got := get(t, o.claudeFile())
	if !strings.Contains(got, "// nothing yet") || !strings.Contains(got, "// mine") || strings.Contains(got, "mum") {
		t.Error(got)
	}
	if _, err := parse([]byte(got)); err != nil {
		t.Error(err)
	}
}

func TestAReconnectAfterAnEditRemembersTheEditedFile(t *testing.T) {
	o := machine(t)
	put(t, o.claudeFile(), originals["two spaces"])
	mustConnect(t, o, hooks.Claude)
	edited := strings.Replace(originals["two spaces"], "opus", "haiku", 1)
	put(t, o.claudeFile(), strings.Replace(get(t, o.claudeFile()), "opus", "haiku", 1))
	mustConnect(t, o, hooks.Claude)
	mustDisconnect(t, o, hooks.Claude)
	if diff := cmp.Diff(edited, get(t, o.claudeFile())); diff != "" {
		t.Error(diff)
	}
}

func TestAFileThatCannotBeEditedSafelyIsAConflictAndStaysAsItIs(t *testing.T) {
	for name, text := range map[string]string{
		"broken":          `{"model": `,
		"array":           `[]`,
		"hooks is a list": `{"hooks": []}`,
		"event is a text": `{"hooks": {"Stop": "x"}}`,
		"byte order mark": "\xef\xbb\xbf{}",
	} {
		t.Run(name, func(t *testing.T) {
			o := machine(t)
			put(t, o.claudeFile(), text)
			_, err := o.Connect(hooks.OpenCode, hooks.Claude)
			if !errors.Is(err, ErrConflict) || !strings.Contains(err.Error(), "settings.json") {
				t.Errorf("got %v", err)
			}
			if get(t, o.claudeFile()) != text {
				t.Error("the file changed")
			}
			if _, err := os.Stat(o.Place.Home); err == nil {
				t.Error("something was written")
			}
		})
	}
}

func TestAFileThatChangesWhileThePlanIsShownIsAConflict(t *testing.T) {
	o := machine(t)
	put(t, o.claudeFile(), "{}")
	p, err := o.Connect(hooks.OpenCode, hooks.Claude)
	if err != nil {
		t.Fatal(err)
	}
	put(t, o.claudeFile(), `{"model": "opus"}`)
	if err := p.Apply(); !errors.Is(err, ErrConflict) {
		t.Errorf("got %v", err)
	}
	if s, _ := o.State(hooks.OpenCode); s.Connected {
		t.Error("the plan was carried out in part")
	}
}

func TestAForeignOrEditedPluginIsNeverOverwritten(t *testing.T) {
	o := machine(t)
	plugin := filepath.Join(o.UserHome, ".config", "opencode", "plugins", "mum.js")
	put(t, plugin, "// someone else's\n")
	if _, err := o.Connect(hooks.OpenCode); !errors.Is(err, ErrConflict) {
		t.Errorf("foreign: got %v", err)
	}
	if err := os.Remove(plugin); err != nil {
		t.Fatal(err)
	}
	mustConnect(t, o, hooks.OpenCode)
	put(t, plugin, get(t, plugin)+"// my change\n")
	_, errConnect := o.Connect(hooks.OpenCode)
	_, errDisconnect := o.Disconnect(hooks.OpenCode)
	if !errors.Is(errConnect, ErrConflict) || !errors.Is(errDisconnect, ErrConflict) {
		t.Errorf("edited: got %v, %v", errConnect, errDisconnect)
	}
}

func TestALinkStaysALinkAndAModeStays(t *testing.T) {
	o := machine(t)
	real := filepath.Join(o.UserHome, "dotfiles", "claude.json")
	put(t, real, "{}\n")
	if err := os.Chmod(real, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(o.claudeFile()), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, o.claudeFile()); err != nil {
		t.Fatal(err)
	}
	mustConnect(t, o, hooks.Claude)
	info, err := os.Lstat(o.claudeFile())
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Fatalf("no link any more: %v %v", info, err)
	}
	if info, _ := os.Stat(real); info.Mode().Perm() != 0o640 || !strings.Contains(get(t, real), "mum") {
		t.Errorf("mode %v", info.Mode())
	}
	mustDisconnect(t, o, hooks.Claude)
	if get(t, real) != "{}\n" {
		t.Errorf("got %s", get(t, real))
	}
}

func TestALinkWhoseTargetIsMissingStays(t *testing.T) {
	o := machine(t)
	if err := os.MkdirAll(filepath.Dir(o.claudeFile()), 0o755); err != nil {
		t.Fatal(err)
	}
	real := filepath.Join(o.UserHome, "dotfiles.json")
	if err := os.Symlink(real, o.claudeFile()); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Connect(hooks.Claude); !errors.Is(err, ErrConflict) || !strings.Contains(err.Error(), real) {
		t.Errorf("got %v", err)
	}
	if target, err := os.Readlink(o.claudeFile()); err != nil || target != real {
		t.Errorf("%q, %v", target, err)
	}
	put(t, real, "{}")
	mustConnect(t, o, hooks.Claude)
	if err := os.Remove(real); err != nil {
		t.Fatal(err)
	}
	mustDisconnect(t, o, hooks.Claude)
	if target, err := os.Readlink(o.claudeFile()); err != nil || target != real {
		t.Errorf("disconnected: %q, %v", target, err)
	}
}

func TestWhatIsWrittenIsPrivate(t *testing.T) {
	o := machine(t)
	put(t, o.claudeFile(), originals["two spaces"])
	mustConnect(t, o, hooks.Agents()...)
	err := filepath.WalkDir(o.Place.Home, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
