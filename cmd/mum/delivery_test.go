package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"keepmum/budget"
	"keepmum/config"
	"keepmum/home"
	"keepmum/hooks"
	"keepmum/longtest"
	"keepmum/spool"
)

const sentence = "the shop closes at nine"

func promptPayload() []byte {
	return []byte(`{"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":"/home/dev/shop","prompt":"` + sentence +
		`"}`)
}

// spooled returns the number and the text of all waiting events.
func spooled(t *testing.T, dir home.Dir) (n int, text string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir.Spool(), "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the daemon has taken it in meanwhile
		}
		if err != nil {
			t.Fatal(err)
		}
		n++
		text += string(data)
	}
	return n, text
}

// Whatever hangs in the work of a hook, the process ends in time, and the event is stored without its content.
func TestAHookThatHangsKeepsWhatHappenedAndEnds(t *testing.T) {
	t.Setenv(budget.Env, "1") // its clock does not hang on how busy the machine is
	for _, c := range []struct{ name, payload string }{
		{"a prompt", string(promptPayload())},
		{"a tool", toolPayload(1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := home.Dir(filepath.Join(t.TempDir(), "data"))
			synctest.Test(t, func(t *testing.T) {
				hang := make(chan struct{})
				h := newDelivery(dir, hooks.Claude, "k")
				h.o.Config = config.Default()
				h.run(func() {
					h.heard.Store(true)
					h.decode([]byte(c.payload))
					h.ready.Store(true)
					<-hang
				})
				if took := time.Since(h.began); took > 2*time.Second {
					t.Errorf("it took %s", took)
				}
				close(hang)
			})
			n, text := spooled(t, dir)
			if n != 1 || !strings.Contains(text, "[WITHHELD:late]") || strings.Contains(text, sentence) ||
				strings.Contains(text, "make 1") {
				t.Errorf("%d in the spool: %s", n, text)
			}
			if lost, _ := spool.Dir(dir.Spool()).Drops(); lost != 0 {
				t.Errorf("%d lost", lost)
			}
		})
	}
}

// Settings that cannot be used cost an event its text, and what is left says why. Each such event is counted, also
// after the settings are corrected; one that has no text is not.
func TestABrokenConfigIsNamedInWhatItCosts(t *testing.T) {
	for i, settings := range []string{"x = [", "[capture]\nexclude_projects = [\"a[b\"]\n"} {
		if !longtest.Every(2, i) {
			continue
		}
		dir := filepath.Join(t.TempDir(), "data")
		file := under(t, dir, "config.toml")
		write(t, file, settings)
		for _, payload := range []string{string(promptPayload()), toolPayload(1),
			`{"hook_event_name":"SessionStart","session_id":"s"}`} {
			silentHook(t, dir, "claude", payload)
		}
		n, text := spooled(t, home.Dir(dir))
		if n != 3 || strings.Count(text, "[WITHHELD:config]") != 2 || strings.Contains(text, sentence) ||
			strings.Contains(text, "WITHHELD:late") {
			t.Errorf("%s: %d in the spool: %s", settings, n, text)
		}
		said, _ := combined(dir, "doctor")
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		must(t, dir, "up")
		stopAtEnd(t, dir)
		later, _ := combined(dir, "doctor")
		for _, out := range []string{said, later, must(t, dir, "status")} {
			if !strings.Contains(strings.Join(strings.Fields(out), " "), "2 events arrived without text") {
				t.Errorf("%s: not counted:\n%s", settings, out)
			}
		}
		if s := status(t, dir); s.Withheld != 2 || s.LastWithheld.IsZero() {
			t.Errorf("%d withheld, the last %v", s.Withheld, s.LastWithheld)
		}
	}
}

// A prompt that makes its session private does so at the last moment too.
func TestAPrivatePromptIsNotKeptWithoutItsContentEither(t *testing.T) {
	dir := home.Dir(filepath.Join(t.TempDir(), "data"))
	synctest.Test(t, func(t *testing.T) {
		for _, prompt := range []string{"#private our plan", "go on"} {
			hang := make(chan struct{})
			h := newDelivery(dir, hooks.Claude, "k")
			h.o.Config = config.Default()
			h.run(func() {
				h.decode([]byte(strings.Replace(string(promptPayload()), sentence, prompt, 1)))
				h.ready.Store(true)
				<-hang
			})
			close(hang)
		}
	})
	if n, text := spooled(t, dir); n != 0 {
		t.Errorf("kept %s", text)
	}
}

// An event that cannot be stored at all is counted.
func TestAnEventThatIsLostIsCounted(t *testing.T) {
	dir := home.Dir(filepath.Join(t.TempDir(), "data"))
	synctest.Test(t, func(t *testing.T) {
		for _, something := range []bool{true, false} {
			hang := make(chan struct{})
			h := newDelivery(dir, hooks.Claude, "k")
			h.run(func() { h.heard.Store(something); <-hang })
			close(hang)
		}
	})
	if lost, _ := spool.Dir(dir.Spool()).Drops(); lost != 1 {
		t.Errorf("%d lost, want the one of which something came", lost)
	}
}

// Nor is one lost silently that can not be read, when no daemon is there to refuse it.
func TestAMalformedEventIsCountedWithoutADaemonToo(t *testing.T) {
	whole, late := home.Dir(filepath.Join(t.TempDir(), "data")), home.Dir(filepath.Join(t.TempDir(), "data"))
	stopAtEnd(t, string(whole))
	silentHook(t, string(whole), "claude", `{"session_id":"s"}`)
	h := newDelivery(late, hooks.Claude, "k")
	h.run(func() {
		h.heard.Store(true)
		h.decode([]byte("not JSON"))
		h.ready.Store(true)
		panic("a bug")
	})
	for _, dir := range []home.Dir{whole, late} {
		if lost, _ := spool.Dir(dir.Spool()).Drops(); lost != 1 {
			t.Errorf("%d lost, want 1", lost)
		}
	}
}

// A bug in the work loses no event.
func TestAPanicKeepsWhatHappened(t *testing.T) {
	dir := home.Dir(filepath.Join(t.TempDir(), "data"))
	h := newDelivery(dir, hooks.Claude, "k")
	h.o.Config = config.Default()
	h.run(func() {
		h.decode(promptPayload())
		h.ready.Store(true)
		panic("a bug")
	})
	if n, text := spooled(t, dir); n != 1 || strings.Contains(text, sentence) {
		t.Errorf("%d in the spool: %s", n, text)
	}
}
