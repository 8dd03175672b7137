package daemon

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/await"
	"keepmum/capture"
	"keepmum/config"
	"keepmum/hooks"
	"keepmum/spool"
	"keepmum/testdata/demo"
)

const projectDir = "/home/dev/shop"

func claude(t *testing.T, fields map[string]any) string {
	t.Helper()
	for k, v := range map[string]any{"session_id": "s1", "cwd": projectDir, "transcript_path": "/x"} {
		if _, ok := fields[k]; !ok {
			fields[k] = v
		}
	}
	data, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func (r *rig) hook(t *testing.T, fields map[string]any) string {
	t.Helper()
	got := r.ask(t, "POST", "/hooks/claude", claude(t, fields))
	if got.status != http.StatusOK {
		t.Fatalf("status %d: %s", got.status, got.body)
	}
	return got.body
}

func prompt(session, id, text string) map[string]any {
	return map[string]any{"hook_event_name": "UserPromptSubmit", "session_id": session, "prompt_id": id, "prompt": text}
}

func bash(session, id, command, out string) map[string]any {
	return map[string]any{"hook_event_name": "PostToolUse", "session_id": session, "tool_name": "Bash", "tool_use_id": id,
		"tool_input": map[string]any{"command": command}, "tool_response": map[string]any{"stdout": out, "stderr": ""}}
}

func TestARepeatedHookIsStoredOnce(t *testing.T) {
	r := startRig(t, t.TempDir())
	for range 3 {
		r.hook(t, prompt("s1", "p1", "make the importer skip empty rows"))
		r.hook(t, bash("s1", "toolu_1", "go test ./...", "ok"))
	}
	r.hook(t, bash("s1", "toolu_2", "go test ./...", "ok"))
	if s := r.stats(t); s.Prompts != 1 || s.Observations != 2 || s.Sessions != 1 || s.Projects != 1 {
		t.Errorf("stored %+v", s)
	}
}

func TestWhatAHookSaysIsFoundAsItWas(t *testing.T) {
	r := startRig(t, t.TempDir())
	r.hook(t, map[string]any{"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_use_id": "t",
		"tool_input": map[string]any{"command": "sh deploy.sh", "n": json.Number("12345678901234567.50")},
		"error":      "Exit code 3\nmigration 0042 is missing", "duration_ms": 12})
	found := into[api.SearchResults](t, r.ask(t, "GET", "/search?q=migration&project=shop", ""))
	if len(found.Results) != 1 {
		t.Fatalf("found %+v", found)
	}
	got := into[api.Observations](t, r.ask(t, "GET", fmt.Sprintf("/observation/%d,99", found.Results[0].ID), ""))
	o := got.Observations[0]
	if o.Tool != "Bash" || !o.Failed || o.Title != "Bash sh deploy.sh" || o.Project != "shop" || o.Session != "s1" ||
		o.Agent != "claude" ||
		string(o.Input) != `{"command":"sh deploy.sh","n":12345678901234567.50}` ||
		!strings.Contains(string(o.Output), "migration 0042 is missing") {
		t.Errorf("got %+v\ninput %s\noutput %s", o, o.Input, o.Output)
	}
	if len(got.Missing) != 1 || got.Missing[0] != 99 {
		t.Errorf("missing %v", got.Missing)
	}
	if other := r.ask(t, "GET", "/search?q=migration&project=other", ""); other.code() != api.NotFound {
		t.Errorf("another project finds %s", other.body)
	}
}

func TestTheDemoSessionLeavesNoSecret(t *testing.T) {
	r := startRig(t, t.TempDir())
	for line := range strings.Lines(string(demo.Session)) {
		if got := r.ask(t, "POST", "/hooks/claude", line); got.status != http.StatusOK {
			t.Fatalf("status %d: %s", got.status, got.body)
		}
	}
	if s := r.stats(t); s.Observations != 8 || s.Prompts != 1 || s.Answers != 1 || s.Redactions == 0 {
		t.Errorf("stored %+v", s)
	}
	r.end(t)
	var planted []struct{ Where, Secret string }
	if err := json.Unmarshal(demo.Planted, &planted); err != nil {
		t.Fatal(err)
	}
	for _, p := range planted {
		if r.holds(t, p.Secret) {
			t.Errorf("the secret in %s is on the disk", p.Where)
		}
	}
}

func TestTheNextSessionIsToldWhatMatters(t *testing.T) {
	r := startRig(t, t.TempDir())
	r.hook(t, prompt("s1", "p1", "Prices must be integer cents, never floats: we lost money to rounding."))
	r.hook(t, bash("s1", "t1", "make report", "SECRET-TOOL-OUTPUT about rounding of prices"))
	r.hook(t, map[string]any{"hook_event_name": "Stop", "prompt_id": "p1",
		"last_assistant_message": "Prices are integer cents everywhere now."})

	began := r.hook(t, map[string]any{"hook_event_name": "SessionStart", "session_id": "s2", "source": "startup"})
	for _, want := range []string{`"hookEventName":"SessionStart"`, "<mum-context>", "integer cents", "</mum-context>"} {
		if !strings.Contains(began, want) {
			t.Errorf("a session start lacks %q: %s", want, began)
		}
	}
	if strings.Contains(began, "SECRET-TOOL-OUTPUT") {
		t.Error("tool output was told")
	}
	if again := r.hook(t, prompt("s2", "p2", "what did we say about the rounding of prices?")); strings.Contains(again,
		"never floats") {
		t.Errorf("the session was told twice: %s", again)
	}
	if other := r.hook(t, prompt("s3", "p3", "please draw a picture of a sailing boat")); other != "" {
		t.Errorf("an unrelated prompt was answered: %s", other)
	}
	elsewhere := prompt("s4", "p4", "what did we say about the rounding of prices?")
	elsewhere["cwd"] = "/home/dev/other"
	if told := r.hook(t, elsewhere); told != "" {
		t.Errorf("another project was told: %s", told)
	}
	if got := into[api.Injection](t, r.ask(t, "GET", "/injection/last", "")); got.Session != "s2" ||
		len(got.Entries) == 0 {
		t.Errorf("receipt %+v", got)
	}
}

func TestOnlyTheEventsThatMayAreAnswered(t *testing.T) {
	r := startRig(t, t.TempDir())
	r.hook(t, prompt("s1", "p1", "Prices must be integer cents, never floats."))
	for _, event := range []map[string]any{
		{"hook_event_name": "Stop", "last_assistant_message": "prices are integer cents"},
		{"hook_event_name": "SessionEnd", "reason": "other"},
		{"hook_event_name": "PreCompact", "trigger": "manual"},
		{"hook_event_name": "PostCompact", "compact_summary": "prices are integer cents"},
		{"hook_event_name": "SomethingNew", "prices": "integer cents"},
		bash("s9", "t9", "echo prices integer cents", "prices integer cents"),
	} {
		event["session_id"] = "s9"
		if got := r.hook(t, event); got != "" {
			t.Errorf("%s was answered with %s", event["hook_event_name"], got)
		}
	}
}

func TestCaptureSwitchesHold(t *testing.T) {
	r := startRig(t, t.TempDir(), func(c *config.Config) {
		c.Capture.SkipTools = []string{"TodoWrite"}
		c.Capture.ExcludeProjects = []string{"/home/dev/private*"}
	})
	todo := bash("s1", "t1", "x", "y")
	todo["tool_name"] = "TodoWrite"
	r.hook(t, todo)
	hidden := prompt("s2", "p1", "hello")
	hidden["cwd"] = "/home/dev/private-notes/deep"
	r.hook(t, hidden)
	r.hook(t, prompt("s3", "p2", "#private just between us"))
	r.hook(t, bash("s3", "t2", "ls", "a"))
	if err := capture.Pause(string(r.home), time.Time{}); err != nil {
		t.Fatal(err)
	}
	r.hook(t, prompt("s4", "p3", "hello"))
	if s := r.stats(t); s.Prompts+s.Observations != 0 {
		t.Errorf("stored %+v", s)
	}
	if got := into[api.Status](t, r.ask(t, "GET", "/status", "")).Capture; !got.Paused || got.Skipped["paused"] != 1 ||
		got.Skipped["private session"] != 2 {
		t.Errorf("status tells %+v", got)
	}
}

func TestTheSpoolIsDrainedInOrderAndOnce(t *testing.T) {
	dir := t.TempDir()
	intake, err := capture.NewIntake(capture.Options{Home: dir, Config: config.Default(), Key: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	box := spool.Dir(filepath.Join(dir, "spool"))
	put := func(key, text string, at time.Time) {
		t.Helper()
		e, why := intake.Take(capture.Incoming{Key: key,
			Event: hooks.Event{Agent: "claude", Kind: hooks.Prompt, Session: "s", Dir: projectDir, Text: text, At: at}})
		if why != "" {
			t.Fatal(why)
		}
		if err := box.Put(e, key, at); err != nil {
			t.Fatal(err)
		}
	}
	now := time.Now()
	put("second", "the second prompt", now)
	put("first", "the first prompt", now.Add(-time.Minute))
	put("second", "the second prompt", now.Add(time.Second)) // delivered twice
	if err := os.WriteFile(filepath.Join(string(box), "00000000000000000000-x.json"), []byte("{half"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := startRig(t, dir)
	r.end(t) // a stop waits for what is under way
	r = startRig(t, dir)
	await.True(t, "an empty spool", func() bool { return box.Len() == 0 })
	found := into[api.SearchResults](t, r.ask(t, "GET", "/search", ""))
	if len(found.Results) != 2 || !strings.Contains(found.Results[0].Snippet, "second") ||
		!strings.Contains(found.Results[1].Snippet, "first") {
		t.Errorf("found %+v", found.Results)
	}
	if bad, err := filepath.Glob(filepath.Join(string(box), "*.bad")); err != nil || len(bad) != 1 {
		t.Errorf("set aside: %v, %v", bad, err)
	}
}
