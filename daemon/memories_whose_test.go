package daemon

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/memory"
)

// What an agent finds neither archives nor extends what the user said, whoever wrote that down; what the user says to
// an agent does.
func TestTheWordOfAnAgentDoesNotReplaceTheUsers(t *testing.T) {
	r := startRig(t, t.TempDir())
	say := func(agent, title, body string) reply {
		kind := "fact"
		if body != "" {
			kind = "insight"
		}
		return r.post(t, "/memories", api.MemoryAdd{Title: title, Body: body, Kind: kind, Origin: "agent", Agent: agent,
			Session: "aaaa1111", Global: true})
	}
	first := into[api.MemoryWritten](t, say(memory.PassedOn, "Sessions expire after 20 minutes, not 30", ""))
	r.plantSaid(t, "delivery-windows-are-ninety-minutes", "Delivery windows are ninety minutes long")
	for _, title := range []string{"Sessions expire after 8 hours", "Delivery windows are two hours long"} {
		got := say("mcp", title, "")
		if got.status != http.StatusConflict || !strings.Contains(got.body, "what the user said in memory") ||
			!strings.Contains(got.body, `origin \"user\"`) {
			t.Errorf("%s: %d %s", title, got.status, got.body)
		}
	}
	beside := into[api.MemoryWritten](t, say("mcp", "Delivery windows are ninety minutes long",
		"The planner of the depot cannot fit more than six drops into one tour of a van."))
	if beside.Memory.Origin != "agent/mcp" || beside.Action != "add" {
		t.Errorf("an agent's reason: %s %+v", beside.Action, beside.Memory)
	}
	r.ask(t, "POST", "/maintain", "{}")
	if m := into[api.Memory](t, r.ask(t, "GET", "/memories/"+beside.Memory.ID, "")); m.State != "active" {
		t.Errorf("maintenance made it the user's word: %+v", m)
	}
	now := into[api.MemoryWritten](t, say(memory.PassedOn, "Sessions expire after 45 minutes", ""))
	if now.Action != "supersede" || now.Replaced != first.Memory.ID {
		t.Errorf("the user's correction: %s, replaced %q", now.Action, now.Replaced)
	}
	r.remember(t, api.MemoryAdd{Title: "Passwords have 14 characters", Global: true})
	for _, agent := range []string{"mcp", memory.PassedOn} {
		if got := say(agent, "Passwords have 8 characters", ""); got.status != http.StatusConflict {
			t.Errorf("%s against what is written by hand: %d %s", agent, got.status, got.body)
		}
	}
}

// TestAnAgentsReasonLeavesTheUsersWordItsKey: with the same key, the newer of the two would be the only one.
func TestAnAgentsReasonLeavesTheUsersWordItsKey(t *testing.T) {
	r := startRig(t, t.TempDir())
	in := api.MemoryAdd{Title: "Card payments go through Adyen", Key: "payments/provider", Global: true}
	in.Origin, in.Agent, in.Session = "agent", memory.PassedOn, "aaaa1111"
	said := into[api.MemoryWritten](t, r.post(t, "/memories", in))
	in.Agent, in.Session = "mcp", "bbbb1111"
	in.Body = "Their settlement files arrive before six in the morning, which the ledger needs."
	beside := into[api.MemoryWritten](t, r.post(t, "/memories", in))
	if said.Memory.Key != in.Key || beside.Action != "add" || beside.Memory.Key != "" {
		t.Errorf("%+v\n%+v", said, beside)
	}
	r.ask(t, "POST", "/maintain", "{}")
	for _, id := range []string{said.Memory.ID, beside.Memory.ID} {
		if m := into[api.Memory](t, r.ask(t, "GET", "/memories/"+id, "")); m.State != "active" {
			t.Errorf("after maintenance: %+v", m)
		}
	}
	if s := into[api.MemoryStatus](t, r.ask(t, "GET", "/memories/status", "")); len(s.Duplicates) != 0 {
		t.Errorf("told to be merged, but never is: %v", s.Duplicates)
	}
}

// plantSaid writes a memory as a sync does that heard it from the user.
func (r *rig) plantSaid(t *testing.T, id, title string) {
	t.Helper()
	text := "---\nid: " + id + "\ntitle: " + title + "\ncreated: 2026-03-01T11:00:00Z\nupdated: 2026-03-01T11:00:00Z\n" +
		"source: sync-20260301-110000-abcdef\nconfidence: 0.59\ntags: []\nkind: preference\nsources:\n" +
		"  - {from: claude/s9, ref: \"1\"}\n---\n\n" + title + ".\n\n" + memory.SaidAsRule + "\n"
	dir := filepath.Join(string(r.home), "memory", "learnings")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "20260301-"+id+".md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r.ask(t, "POST", "/memories/reindex", "{}")
}
