package daemon

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"keepmum/api"
	"keepmum/capture"
	"keepmum/config"
	"keepmum/store"
	"keepmum/transcript"
)

func TestARunIsDueWhenItIsTimeAndNobodyTypes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const idle = 5 * time.Second
		now := time.Now()
		r := newRuns()
		r.sync, r.maintain, r.daily = now.Add(10*time.Minute), now.Add(time.Hour), now.Add(24*time.Hour)
		due := func(want store.RunKind, at time.Time) {
			t.Helper()
			if kind, when := r.next(time.Now(), idle); kind != want || !when.Equal(at) {
				t.Errorf("%s at %v, want %s at %v", kind, when.Sub(now), want, at.Sub(now))
			}
		}
		due(store.RunSync, now.Add(10*time.Minute))
		r.ended(now.Add(2 * time.Minute)) // a session ended and has to settle
		due(store.RunSync, now.Add(2*time.Minute))
		r.ended(now.Add(3 * time.Minute)) // a later one does not put it off
		due(store.RunSync, now.Add(2*time.Minute))
		time.Sleep(2 * time.Minute)
		r.touch(time.Now())
		due(store.RunSync, time.Now().Add(idle))
		if !r.busy(time.Now(), idle) {
			t.Error("nobody types")
		}
		time.Sleep(idle)
		due(store.RunSync, time.Now())
		r.sync = now.Add(48 * time.Hour)
		due(store.RunMaintain, now.Add(24*time.Hour)) // nothing changed: at least daily
		r.wrote(true)
		r.wrote(false)
		due(store.RunMaintain, now.Add(time.Hour))
	})
}

func TestOneRunIsAskedForAtATime(t *testing.T) {
	d := New(Options{})
	o, err := d.syncOptions(api.SyncRequest{All: true})
	if err != nil {
		t.Fatal(err)
	}
	if !d.runs.ask(o) || d.runs.ask(o) {
		t.Error("the second was taken, or the first was not")
	}
	if got := d.runs.taken(); got == nil || got.RunID != o.RunID || d.runs.taken() != nil {
		t.Errorf("taken %+v", got)
	}
}

// withSession gives a daemon a session of Claude Code that taught something.
func withSession(t *testing.T) (agents string) {
	t.Helper()
	agents = t.TempDir()
	dir := filepath.Join(agents, "projects", "-home-dev-shop")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	line := fmt.Sprintf(
		`{"type":"user","sessionId":"s1","cwd":"/home/dev/shop","timestamp":%q,"message":{"role":"user","content":"From now on always count money in integer cents, because floats lost a cent on every third invoice."}}`, time.Now().Add(-time.Hour).Format(time.RFC3339))
	path := filepath.Join(dir, "s1.jsonl")
	if err := os.WriteFile(path, []byte(line+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	return agents
}

func TestSyncTellsHowFarItIsAndWhatCameOfIt(t *testing.T) {
	r := startReading(t, t.TempDir(), transcript.Roots{Claude: withSession(t)})
	got := r.ask(t, "POST", "/sync", `{}`)
	if got.status != 200 || !strings.HasPrefix(got.header.Get("Content-Type"), "application/x-ndjson") {
		t.Fatalf("%d %s", got.status, got.body)
	}
	lines := strings.Split(strings.TrimSpace(got.body), "\n")
	var last api.RunEvent
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || last.Sync == nil ||
		last.Sync.Extracted != 1 || last.Sync.Learnings != 1 {
		t.Fatalf("%v, %s", err, got.body)
	}
	var first api.RunEvent
	if err := json.Unmarshal([]byte(lines[0]), &first); err != nil || first.Phase == "" || first.RunID != last.RunID {
		t.Errorf("%v, %s", err, lines[0])
	}
	found := r.ask(t, "GET", "/search?q=cents&type=memory", "")
	if !strings.Contains(found.body, `"total":1`) {
		t.Errorf("what was learned is not found: %s", found.body)
	}
	if got := r.ask(t, "GET", "/sync", ""); !strings.Contains(got.body, `"done":1`) ||
		!strings.Contains(got.body, `"outcome":"done"`) {
		t.Errorf("status %s", got.body)
	}
	if got := r.ask(t, "POST", "/maintain", `{"dry_run":true}`); !strings.Contains(got.body, `"unchanged":1`) {
		t.Errorf("maintain %s", got.body)
	}
}

func TestSyncRefusesWhatCannotBeMeant(t *testing.T) {
	r := startRig(t, t.TempDir())
	for body, want := range map[string]string{
		`{"since":"2026-03-02T00:00:00Z","until":"2026-03-01T00:00:00Z"}`: "since is after until",
		`{"all":true,"since":"2026-03-02T00:00:00Z"}`:                     "all cannot be combined",
		`{"agents":["clippy"]}`:                                           "there is no such agent",
		`{"max_sessions":-1}`:                                             "must not be negative",
		`{"window":"7d"}`:                                                 "a field that this endpoint does not know",
		`{"until":"next week"}`:                                           "field until must be a time",
		`{"max_sessions":"many"}`:                                         "field max_sessions must be a",
		`{"force":true}{}`:                                                "more than one JSON value",
	} {
		if got := r.ask(t, "POST", "/sync", body); got.status != 400 || !strings.Contains(got.body, want) {
			t.Errorf("%s: %d %s", body, got.status, got.body)
		}
	}
}

func TestWhatASessionTaughtIsForgottenWithIt(t *testing.T) {
	r := startReading(t, t.TempDir(), transcript.Roots{Claude: withSession(t)})
	if got := r.ask(t, "POST", "/prompt",
		`{"session_id":"s1","agent":"claude","directory":"/home/dev/shop","text":"From now on always count money in integer cents, because floats lost a cent on every third invoice."}`); got.status != 200 {
		t.Fatalf("prompt: %d %s", got.status, got.body)
	}
	if got := r.ask(t, "POST", "/sync", `{"force":true}`); !strings.Contains(got.body, `"learnings_added":1`) {
		t.Fatalf("sync %s", got.body)
	}
	if got := r.ask(t, "POST", "/forget", `{"session":"s1"}`); got.status != 200 ||
		strings.Contains(got.body, `"found"`) || !strings.Contains(got.body, `"memories":[2]`) {
		t.Fatalf("forget: %d %s", got.status, got.body)
	}
	if got := r.ask(t, "POST", "/sync", `{"force":true}`); !strings.Contains(got.body, `"learnings_added":0`) {
		t.Errorf("it came back: %s", got.body)
	}
}

func TestAScheduleThatIsOffRunsNothingByItself(t *testing.T) {
	r := startReading(t, t.TempDir(), transcript.Roots{Claude: withSession(t)},
		func(c *config.Config) { c.Sync.Enabled = false })
	if got := r.ask(t, "GET", "/sync", ""); !strings.Contains(got.body, `"enabled":false`) {
		t.Errorf("status %s", got.body)
	}
	r.d.runs.ended(time.Now())
	if got := r.ask(t, "POST", "/sync", `{}`); !strings.Contains(got.body, `"sessions_extracted":1`) {
		t.Errorf("asked for, it runs all the same: %s", got.body)
	}
}

// TestWhatOnlyATranscriptKnowsIsForgotten: nothing was derived from the session
// yet, or no run has met it.
func TestWhatOnlyATranscriptKnowsIsForgotten(t *testing.T) {
	for name, first := range map[string]string{"met": `{"no_extract":true}`, "never met": ""} {
		t.Run(name, func(t *testing.T) {
			r := startReading(t, t.TempDir(), transcript.Roots{Claude: withSession(t)})
			if first != "" {
				r.ask(t, "POST", "/sync", first)
			}
			if got := into[api.Forgotten](t,
				r.post(t, "/forget", api.Forget{Session: "s1", DryRun: true})); got.Transcripts != 1 {
				t.Errorf("dry run: %+v", got)
			}
			if got := into[api.Forgotten](t, r.post(t, "/forget", api.Forget{Session: "s1"})); got.Transcripts != 1 ||
				len(got.Found) != 0 {
				t.Errorf("got %+v", got)
			}
			if got := r.ask(t, "GET", "/queue", ""); strings.Contains(got.body, "s1") {
				t.Errorf("the queue holds %s", got.body)
			}
			for _, body := range []string{`{}`, `{"force":true}`} {
				if got := r.ask(t, "POST", "/sync", body); !strings.Contains(got.body, `"learnings_added":0`) ||
					r.holds(t, "cents") {
					t.Errorf("it came back: %s", got.body)
				}
			}
		})
	}
}

func TestATextThatIsForgottenIsNotReadFromATranscript(t *testing.T) {
	r := startReading(t, t.TempDir(), transcript.Roots{Claude: withSession(t)})
	for range 2 {
		r.ask(t, "POST", "/sync", `{"force":true}`)
		if !r.holds(t, "integer cents") {
			return
		}
		got := into[api.Forgotten](t, r.post(t, "/forget", api.Forget{Text: "integer cents"}))
		if len(got.Found) != 0 || r.holds(t, "integer cents") || r.holds(t, "integer-cents") {
			t.Fatalf("got %+v", got)
		}
	}
	t.Error("a sync brought it back")
}

// TestADryRunAsksNoModel: what is sent is written into the ledger.
func TestADryRunAsksNoModel(t *testing.T) {
	model, with := modelThatSays(t, "certainly!")
	r := startReading(t, t.TempDir(), transcript.Roots{Claude: withSession(t)}, with)
	if got := r.ask(t, "POST", "/sync", `{"dry_run":true}`); !strings.Contains(got.body, `"learnings_added":1`) {
		t.Errorf("got %s", got.body)
	}
	if n := len(model.Chats()); n != 0 {
		t.Errorf("it was asked %d times", n)
	}
	if r.ask(t, "POST", "/sync", `{}`); len(model.Chats()) == 0 {
		t.Error("without it, it is not asked either: the test shows nothing")
	}
}

func TestADryRunDoesNotRememberWhatIsPrivate(t *testing.T) {
	agents := withSession(t)
	path := filepath.Join(agents, "projects", "-home-dev-shop", "s1.jsonl")
	was, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	line := `{"type":"user","sessionId":"s1","cwd":"/home/dev/shop","timestamp":"2026-03-01T09:00:00Z",` +
		`"message":{"role":"user","content":"#private the gift is a lamp"}}` + "\n"
	err = errors.Join(os.WriteFile(path, []byte(line), 0o600), os.Chtimes(path, was.ModTime(), was.ModTime()))
	if err != nil {
		t.Fatal(err)
	}
	r := startReading(t, t.TempDir(), transcript.Roots{Claude: agents})
	list := capture.PrivateFile(string(r.d.o.Home))
	r.ask(t, "POST", "/sync", `{"dry_run":true}`)
	if _, err := os.Stat(list); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a dry run wrote the list of private sessions: %v", err)
	}
	r.ask(t, "POST", "/sync", `{}`)
	if _, err := os.Stat(list); err != nil {
		t.Errorf("a real run did not: %v", err)
	}
}
