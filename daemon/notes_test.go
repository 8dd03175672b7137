package daemon

import (
	"fmt"
	"strings"
	"testing"

	"keepmum/api"
)

func TestTwoLiveSessionsInOneDirectoryAreNotMixed(t *testing.T) {
	r := startRig(t, t.TempDir())
	const dir = "/home/dev/shop"
	note := func(session, kind, text string) api.Noted {
		t.Helper()
		return into[api.Noted](t, r.post(t, "/note", api.Note{Type: kind, Text: text, Session: session, Directory: dir}))
	}
	digest := func(query string) string {
		t.Helper()
		d := into[api.SessionDigest](t, r.ask(t, "GET", "/sessions/digest?directory="+dir+query, ""))
		return d.Session + "\n" + strings.Join(d.Digest, "\n")
	}
	r.hook(t, prompt("first1", "p1", "move the payments of the shop over to Adyen"))
	r.hook(t, prompt("second", "p2", "write the release notes of this month"))
	note("first1", "task", "Move payments to Adyen")
	note("second", "task", "Write the release notes")
	note("first1", "decision", "keep Stripe for refunds")
	r.ran(t, dir, "first1", "make payments", "Exit code 1\nError: relation payments does not exist")

	first, second := digest("&session=first1"), digest("&session=second")
	for _, c := range []struct{ name, got, has, hasNot string }{
		{"the first", first, "Move payments to Adyen", "release notes"},
		{"the first", first, "keep Stripe", "release notes"},
		{"the first", first, "make payments", "release notes"},
		{"the second", second, "Write the release notes", "Adyen"},
		{"the second", second, "Write the release notes", "make payments"},
	} {
		if !strings.Contains(c.got, c.has) || strings.Contains(c.got, c.hasNot) {
			t.Errorf("%s is %q: it must have %q and not %q", c.name, c.got, c.has, c.hasNot)
		}
	}
	for _, name := range []string{"claude/first1", "claude/first1", "claude%2Ffirst1"} {
		if got := digest("&session=" + name); !strings.HasPrefix(got, "first1\n") {
			t.Errorf("%s is %q", name, got)
		}
	}
	for _, name := range []string{"claude/f", "codex/first1"} {
		if got := r.ask(t, "GET", "/sessions/digest?directory="+dir+"&session="+name, ""); got.code() != api.NotFound {
			t.Errorf("%s is %s", name, got.body)
		}
	}
	if got := note("", "next", "wire the webhook"); got.Session != "claude/first1" {
		t.Errorf("a note without a session belongs to %s, the latest is first1", got.Session)
	}
	compacted := r.hook(t, map[string]any{"hook_event_name": "SessionStart", "session_id": "second", "cwd": dir,
		"source": "compact"})
	mine, other := strings.Index(compacted, "Write the release notes"), strings.Index(compacted, "Move payments")
	if mine < 0 || other >= 0 && other < mine {
		t.Errorf("after its compaction the second session is told: %s", compacted)
	}
}

func TestAnAddressAsTheFileOfANoteLosesItsPassword(t *testing.T) {
	r := startRig(t, t.TempDir())
	const dir, secret = "/home/dev/shop", "nUyOl3QvUFg1G8"
	r.hook(t, prompt("first1", "p1", "move the payments of the shop over to Adyen"))
	for _, scheme := range []string{"postgres", "https"} {
		file := scheme + "://app:" + secret + "@db.internal:5432/shop"
		r.post(t, "/note", api.Note{Type: "finding", Text: "found the pool", File: file, Session: "first1", Directory: dir})
	}
	got := r.ask(t, "GET", "/sessions/digest?directory="+dir+"&session=first1", "").body
	if strings.Contains(got, secret) || !strings.Contains(got, "found the pool") {
		t.Errorf("the digest is %s", got)
	}
	if r.holds(t, secret) {
		t.Error("the password is on the disk")
	}
}

func TestTheContextIsThatOfTheNextStart(t *testing.T) {
	r := startRig(t, t.TempDir())
	const dir = "/home/dev/shop"
	r.hook(t, prompt("first1", "p1", "move the payments of the shop over to Adyen"))
	r.hook(t, prompt("second", "p2", "write the release notes of this month"))
	row := into[api.SessionDigest](t, r.ask(t, "GET", "/sessions/digest?session=claude/first1&directory="+dir, "")).Row
	r.ask(t, "POST", fmt.Sprintf("/sessions/%d/resume", row), "{}")
	for range 2 { // to look does not use it up
		told := into[api.Context](t, r.ask(t, "GET", "/context?format=json&directory="+dir, "")).Context
		mine, other := strings.Index(told, "payments"), strings.Index(told, "release notes")
		if mine < 0 || other >= 0 && other < mine {
			t.Errorf("the context is %s", told)
		}
	}
	start := r.hook(t, map[string]any{"hook_event_name": "SessionStart", "session_id": "third1", "cwd": dir,
		"source": "startup"})
	if !strings.Contains(start, "payments") {
		t.Errorf("the start was told %s", start)
	}
}
