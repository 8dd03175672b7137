package daemon

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/transcript"
)

func TestRejudgingArchivesOnlyWhatARunWroteAndWouldNotWriteToday(t *testing.T) {
	agents := t.TempDir()
	path := filepath.Join(agents, "projects", "-home-dev-shop", "5e551011-0000-4000-8000-000000000001.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	line := `{"type":"user","sessionId":"5e551011-0000-4000-8000-000000000001","cwd":"/home/dev/shop","uuid":"u","timestamp":"2026-03-01T10:00:00Z","message":{"role":"user","content":"good morning"}}`
	if err := os.WriteFile(path, []byte(line+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := startReading(t, t.TempDir(), transcript.Roots{Claude: agents})
	own := into[api.MemoryWritten](t,
		r.post(t, "/memories",
			api.MemoryAdd{Title: "Invoices are sent on Mondays",
				Body: "The bank books them on Tuesdays, and the list of the week is closed by then.", Global: true}))
	dir := filepath.Join(string(r.home), "memory", "learnings")
	write := func(id, source, updated, session string) string {
		text := "---\nid: " + id + "\ntitle: " + strings.ReplaceAll(id, "-", " ") +
			"\ncreated: 2026-03-01T11:00:00Z\nupdated: " + updated + "\nsource: " + source +
			"\nconfidence: 0.9\ntags: []\nkind: insight\nsources:\n  - {from: claude/" + session + ", ref: \"1\"}\n---\n\nThe " +
			id + " is told here in some words that nobody needs again.\n"
		file := filepath.Join(dir, "20260301-"+id+".md")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Date(2026, 3, 1, 11, 0, 1, 0, time.UTC)
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
		return file
	}
	const here, created = "5e551011-0000-4000-8000-000000000001", "2026-03-01T11:00:00Z"
	junk := write("troubleshooting-of-the-styles", "sync-20260301-110000-abcdef", created, here)
	gone := write("a-lost-lighthouse-report", "sync-20260301-110000-abcdef", created, "another")
	edited := write("an-edited-harbour-chart", "sync-20260301-110000-abcdef", "2026-03-02T11:00:00Z", here)
	byHand := write("a-ferry-plan-by-hand", "sync-20260301-110000-abcdef", created, here)
	now := time.Now()
	if err := os.Chtimes(byHand, now, now); err != nil {
		t.Fatal(err)
	}
	r.ask(t, "POST", "/memories/reindex", "{}")
	list := into[api.Rejudged](t, r.ask(t, "POST", "/memories/rejudge", "{}"))
	if len(list.Memories) != 1 || list.Memories[0].ID != "troubleshooting-of-the-styles" || list.Unjudged != 1 ||
		list.Left != 3 || list.Archived != 0 {
		t.Errorf("%+v", list)
	}
	if _, err := os.Stat(junk); err != nil {
		t.Errorf("listing changed something: %v", err)
	}
	if done := into[api.Rejudged](t, r.ask(t, "POST", "/memories/rejudge", `{"apply":true}`)); done.Archived != 1 {
		t.Errorf("%+v", done)
	}
	for _, file := range []string{gone, edited, byHand} {
		if _, err := os.Stat(file); err != nil {
			t.Error(err)
		}
	}
	if m := into[api.Memory](t, r.ask(t, "GET", "/memories/"+own.Memory.ID, "")); m.State != "active" {
		t.Errorf("the user's own is %s", m.State)
	}
	if back := into[api.MemoryWritten](t,
		r.ask(t, "POST", "/memories/troubleshooting-of-the-styles/restore", "{}")); back.Memory.State != "active" {
		t.Errorf("%+v", back)
	}
	if again := into[api.Rejudged](t, r.ask(t, "POST", "/memories/rejudge", `{"apply":true}`)); again.Archived != 0 {
		t.Errorf("what was brought back was archived again: %+v", again)
	}
}
