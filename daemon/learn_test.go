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
	"keepmum/transcript"
)

// transcribe writes a session as Claude Code keeps it in its own file.
func transcribe(t *testing.T, agentHome, repo string, said ...string) {
	t.Helper()
	var b strings.Builder
	at := time.Now().Add(-time.Hour).UTC()
	for i, text := range said {
		role := []string{"user", "assistant"}[i%2]
		line, err := json.Marshal(map[string]any{"type": role, "uuid": fmt.Sprint("u", i),
			"sessionId": "5f0c2f6e-1d1b-4b7e-9a53-0c8d0a3f1e11", "cwd": repo,
			"timestamp": at.Add(time.Duration(i) * time.Minute).Format(time.RFC3339Nano),
			"message":   map[string]any{"role": role, "content": text}})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	writeFile(t, b.String(), agentHome, "projects", "-shop", "5f0c2f6e-1d1b-4b7e-9a53-0c8d0a3f1e11.jsonl")
	file := filepath.Join(agentHome, "projects", "-shop", "5f0c2f6e-1d1b-4b7e-9a53-0c8d0a3f1e11.jsonl")
	if err := os.Chtimes(file, at, at.Add(10*time.Minute)); err != nil { // it is no longer being written
		t.Fatal(err)
	}
}

// sync runs a sync over everything and fails the test when it does not end well.
func (r *rig) sync(t *testing.T, in api.SyncRequest) {
	t.Helper()
	in.All = true
	got := r.post(t, "/sync", in)
	lines := strings.Split(strings.TrimSpace(got.body), "\n")
	var last api.RunEvent
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || got.status != http.StatusOK ||
		last.Sync == nil || last.Sync.Failed > 0 {
		t.Fatalf("got %s, %v", got.body, err)
	}
}

func TestWhatASessionTaughtIsFoundForgottenAndStaysAway(t *testing.T) {
	r, repo, agent := startRig(t, t.TempDir()), repository(t), t.TempDir()
	r.d.o.Transcripts = transcript.Roots{Claude: agent}
	transcribe(t, agent, repo,
		"remember: exports of the shop always use the potoroosum checksum, because the warehouse refuses files without it",
		"I will add the checksum to each export.")
	r.sync(t, api.SyncRequest{})
	found := into[api.MemoryList](t, r.ask(t, "GET", "/memories/search?q=potoroosum&directory="+repo, ""))
	if len(found.Memories) != 1 || len(found.Memories[0].Sources) == 0 {
		t.Fatalf("got %+v", found)
	}
	m := found.Memories[0]
	why := into[api.MemoryWhy](t, r.ask(t, "GET", fmt.Sprintf("/memories/%d/why", m.Entry), ""))
	if len(why.Sessions) != 1 || why.Sessions[0].Kept || !strings.HasPrefix(why.Sessions[0].Session, "claude/5f0c") {
		t.Errorf("got %+v", why)
	}
	gone := into[api.MemoryForgotten](t, r.post(t, fmt.Sprintf("/memories/%d/forget", m.Entry), api.MemoryForget{}))
	if len(gone.Found) != 0 || r.holds(t, "potoroosum") {
		t.Errorf("it is still somewhere: %+v", gone.Found)
	}
	r.sync(t, api.SyncRequest{Force: true})
	if again := into[api.MemoryList](t, r.ask(t, "GET", "/memories?state=all", "")); len(again.Memories) != 0 {
		t.Errorf("it came back: %+v", again)
	}
}

func TestWhereAMemoryOfAFileComesFromIsShownByWhatHooksKept(t *testing.T) {
	r, repo, agent := startRig(t, t.TempDir()), repository(t), t.TempDir()
	r.d.o.Transcripts = transcript.Roots{Claude: agent}
	const order = "We decided that exports of the shop use the potoroosum checksum, because the warehouse refuses " +
		"files without it"
	prompt := func(text string) int64 {
		t.Helper()
		return into[api.Prompted](t,
			r.post(t, "/prompt",
				api.Prompt{SessionID: "5f0c2f6e-1d1b-4b7e-9a53-0c8d0a3f1e11", Agent: "claude", Directory: repo, Text: text,
					At: time.Now().Add(-time.Hour)})).PromptID
	}
	first, id := prompt("Which checksum do we use?"), prompt(order)
	transcribe(t, agent, repo, "Which checksum do we use?", "None so far.", order)
	r.sync(t, api.SyncRequest{})
	found := into[api.MemoryList](t, r.ask(t, "GET", "/memories/search?q=potoroosum&directory="+repo, ""))
	if len(found.Memories) != 1 {
		t.Fatalf("got %+v", found)
	}
	why := into[api.MemoryWhy](t, r.ask(t, "GET", fmt.Sprintf("/memories/%d/why", found.Memories[0].Entry), ""))
	if len(why.Sessions) != 1 || len(why.Sessions[0].Moments) != 1 || why.Sessions[0].Moments[0].ID != id {
		t.Errorf("got %+v, want entry %d", why, id)
	}
	// it tells of the first prompt too, and goes with it
	plan := into[api.Forgotten](t, r.post(t, "/forget", api.Forget{IDs: []int64{first}, DryRun: true}))
	if len(plan.Memories) != 1 {
		t.Errorf("got %+v", plan)
	}
}
