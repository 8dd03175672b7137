package capture_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"keepmum/capture"
	"keepmum/config"
	"keepmum/hooks"
)

// off makes a home with a repository that switched capture off, one inside of it,
// a worktree of it, and another project.
func off(t *testing.T) (home string) {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"off/.git/HEAD":                     "ref: refs/heads/main\n",
		"off/.mum/config.toml":              "capture = \"off\"\n",
		"off/.git/worktrees/side/HEAD":      "ref: refs/heads/side\n",
		"off/.git/worktrees/side/commondir": "../..\n",
		"off/.git/worktrees/side/gitdir":    home + "/side/.git\n",
		"off/deep/inner/.git/HEAD":          "ref: refs/heads/main\n",
		"side/.git":                         "gitdir: " + home + "/off/.git/worktrees/side\n",
		"shop/.git/HEAD":                    "ref: refs/heads/main\n",
		".mum/config.toml":                  "[capture]\nenabled = false\n", // the user's own, of another data directory
	} {
		file := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, link := range []string{"dangling/.mum/config.toml", "nowhere/.mum"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(home, link)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(home, "gone"), filepath.Join(home, link)); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

func TestCaptureIsOffInAllThatBelongsToARepository(t *testing.T) {
	home := off(t)
	i := intakeOf(t, capture.Options{Home: t.TempDir(), UserHome: home})
	for dir, want := range map[string]string{
		home + "/off": "capture is off", home + "/off/deep": "capture is off", home + "/off/deep/inner": "capture is off",
		home + "/side":            "capture is off",
		"file://" + home + "/off": "capture is off", "FILE://localhost" + home + "/off/deep": "capture is off",
		home + "/dangling": "the repository's config is broken", home + "/nowhere": "the repository's config is broken",
		home + "/shop": "", "file://" + home + "/shop": "", home: "",
	} {
		in := prompt(dir, "hello")
		in.Event.Dir = dir
		e, why := i.Take(in)
		_, unread := i.Read(in.Event)
		if why != want || unread != want && why == want {
			t.Errorf("%s: taken %q, read %q, want %q", dir, why, unread, want)
		}
		if dir == "file://"+home+"/shop" && e.Project.Name.String() != "shop" {
			t.Errorf("a file URL is of project %q", e.Project.Name)
		}
	}
}

func TestEachFolderOfAWorkspaceHasASay(t *testing.T) {
	home := off(t)
	i := intakeOf(t, capture.Options{Home: t.TempDir(), UserHome: home})
	for session, roots := range map[string]string{"both": `"` + home + `/shop","file://` + home + `/off"`,
		"one": `"` + home + `/shop"`} {
		events, err := hooks.Decode(hooks.Cursor,
			[]byte(`{"conversation_id":"`+session+
				`","hook_event_name":"beforeSubmitPrompt","prompt":"hello","workspace_roots":[`+roots+`]}`))
		if err != nil || len(events) != 1 {
			t.Fatal(events, err)
		}
		if _, why := i.Take(capture.Incoming{Event: events[0]}); why != map[string]string{"both": "capture is off"}[session] {
			t.Errorf("%s: %q", session, why)
		}
	}
}

func TestASessionDoesNotLeaveARepositoryThatIsOff(t *testing.T) {
	home := off(t)
	i := intakeOf(t, capture.Options{Home: t.TempDir(), UserHome: home})
	take := func(kind hooks.Kind, dir, want string) {
		t.Helper()
		if _, why := i.Take(
			capture.Incoming{Event: hooks.Event{Agent: "claude", Kind: kind, Session: "s", Dir: filepath.Join(home, dir),
				Text: "x", Tool: "Bash"}}); why != want {
			t.Errorf("%s in %s: %q, want %q", kind, dir, why, want)
		}
	}
	take(hooks.Prompt, "shop", "")
	take(hooks.Observation, "off", "capture is off")
	take(hooks.Prompt, "shop", "")
	take(hooks.Prompt, "off", "capture is off")
	take(hooks.Answer, "shop", "private session")
	take(hooks.Prompt, "shop", "private session")

	at := time.Now()
	r, why := i.Read(hooks.Event{Agent: "claude", Session: "t", Dir: filepath.Join(home, "shop")})
	if why != "" {
		t.Fatal(why)
	}
	for _, c := range []struct {
		dir    string
		prompt bool
		want   bool
	}{{"shop", true, true}, {"off", false, false}, {"shop", false, true}, {"off", true, false}, {"shop", false, false}} {
		r.Moved(filepath.Join(home, c.dir))
		read := r.Step
		if c.prompt {
			read = r.Prompt
		}
		if got := read("x", at); got != c.want {
			t.Errorf("%+v: read %v", c, got)
		}
	}
	if r.Named(at, at) {
		t.Error("it has a title")
	}
}

func TestPrivateIsHeededWhereNothingIsKept(t *testing.T) {
	dir := t.TempDir()
	i := intake(t, dir, time.Now())
	if err := capture.Pause(dir, time.Time{}); err != nil {
		t.Fatal(err)
	}
	if _, why := i.Take(prompt("s", "#private")); why != "paused" {
		t.Errorf("paused: %q", why)
	}
	if err := capture.Resume(dir); err != nil {
		t.Fatal(err)
	}
	if _, why := i.Take(prompt("s", "later")); why != "private session" {
		t.Errorf("afterwards: %q", why)
	}
}

func intakeOf(t *testing.T, o capture.Options) *capture.Intake {
	t.Helper()
	o.Config, o.Key = config.Default(), make([]byte, 32)
	i, err := capture.NewIntake(o)
	if err != nil {
		t.Fatal(err)
	}
	return i
}
