package capture_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/capture"
	"keepmum/config"
	"keepmum/hooks"
)

func intake(t *testing.T, home string, now time.Time) *capture.Intake {
	t.Helper()
	i, err := capture.NewIntake(capture.Options{
		Home: home, Config: config.Default(), Key: make([]byte, 32), Now: func() time.Time { return now },
	})
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func prompt(session, text string) capture.Incoming {
	return capture.Incoming{Event: hooks.Event{Agent: "claude", Kind: hooks.Prompt, Session: session, Text: text}}
}

func TestAPauseHoldsUntilItsEndOrAResume(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	if err := capture.Pause(dir, now.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, why := intake(t, dir, now).Take(prompt("s", "hello")); why != "paused" {
		t.Errorf("during the pause: %q", why)
	}
	if _, why := intake(t, dir, now.Add(2*time.Hour)).Take(prompt("s", "hello")); why != "" {
		t.Errorf("after the pause: %q", why)
	}
	if err := capture.Pause(dir, time.Time{}); err != nil {
		t.Fatal(err)
	}
	if _, why := intake(t, dir, now.AddDate(1, 0, 0)).Take(prompt("s", "hello")); why != "paused" {
		t.Errorf("a pause without end: %q", why)
	}
	if err := capture.Resume(dir); err != nil {
		t.Fatal(err)
	}
	if _, why := intake(t, dir, now).Take(prompt("s", "hello")); why != "" {
		t.Errorf("after resume: %q", why)
	}
}

func TestAPauseFileThatCannotBeReadIsAPause(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "pause.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, why := intake(t, dir, time.Now()).Take(prompt("s", "hello")); why != "paused" {
		t.Errorf("got %q", why)
	}
}

func TestAPrivateSessionStaysPrivate(t *testing.T) {
	dir := t.TempDir()
	i := intake(t, dir, time.Now())
	if _, why := i.Take(prompt("s", "before")); why != "" {
		t.Errorf("before: %q", why)
	}
	if _, why := i.Take(prompt("s", "  #Private do not keep this")); why != "private session" {
		t.Errorf("the prompt itself: %q", why)
	}
	for _, again := range []*capture.Intake{i, intake(t, dir, time.Now())} { // also after a restart
		if _, why := again.Take(prompt("s", "later")); why != "private session" {
			t.Errorf("later: %q", why)
		}
	}
	if _, why := i.Take(prompt("pasted", "\u200b#private: our client")); why != "private session" {
		t.Errorf("with an invisible character and a colon: %q", why)
	}
	if _, why := i.Take(prompt("other", "#privateer is a word")); why != "" {
		t.Errorf("another session: %q", why)
	}
}

func TestARepositoryThatPausesIsNotCaptured(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, ".mum"), 0o700); err != nil {
		t.Fatal(err)
	}
	for config, want := range map[string]string{
		`capture = "off"`: "capture is off",
		`[privacy`:        "the repository's config is broken",
		"[[privacy.patterns]]\nname = \"p\"\nregex = \"(\"": "the repository's config is broken",
	} {
		if err := os.WriteFile(filepath.Join(root, ".mum", "config.toml"), []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		in := prompt("s", "hello")
		in.Event.Dir = root
		if _, why := intake(t, t.TempDir(), time.Now()).Take(in); why != want {
			t.Errorf("%s: %q, want %q", config, why, want)
		}
	}
}

func TestTheSameEventHasTheSameKey(t *testing.T) {
	i := intake(t, t.TempDir(), time.Now())
	call := func(id, delivery string) capture.Incoming {
		return capture.Incoming{Key: delivery,
			Event: hooks.Event{Agent: "claude", Kind: hooks.Observation, Session: "s", Tool: "Bash", CallID: id}}
	}
	key := func(in capture.Incoming) string {
		e, why := i.Take(in)
		if why != "" {
			t.Fatal(why)
		}
		return e.Key.String()
	}
	for _, c := range []struct {
		what string
		a, b capture.Incoming
		same bool
	}{
		{"one call, delivered twice", call("toolu_1", "a"), call("toolu_1", "b"), true},
		{"two calls", call("toolu_1", "a"), call("toolu_2", "a"), false},
		{"no id, one delivery", call("", "a"), call("", "a"), true},
		{"no id, two deliveries", call("", "a"), call("", "b"), false},
	} {
		if got := key(c.a) == key(c.b); got != c.same {
			t.Errorf("%s: same key %v, want %v", c.what, got, c.same)
		}
	}
	if got := key(call("", "")); got != "" {
		t.Errorf("what is never delivered again has the key %s", got)
	}
}

func TestASecretInAToolThatIsSkippedIsKnownLater(t *testing.T) {
	i := intake(t, t.TempDir(), time.Now())
	e := hooks.Event{Agent: "claude", Kind: hooks.Observation, Session: "s", Tool: "TaskOutput",
		Output: "DB_PASSWORD=hV7nD2sKq9XwB4mTcP"}
	if _, why := i.Take(capture.Incoming{Event: e}); why == "" {
		t.Error("a tool of capture.skip_tools is kept")
	}
	later, why := i.Take(prompt("s", "so hV7nD2sKq9XwB4mTcP it is"))
	if why != "" || strings.Contains(later.Text.String(), "hV7nD2sKq9XwB4mTcP") {
		t.Errorf("%q, %q", later.Text, why)
	}
}
