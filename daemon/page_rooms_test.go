package daemon

import (
	"bufio"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/config"
	"keepmum/privacy"
	"keepmum/store"
)

const hostile = `<script>alert(1)</script> <img src=x onerror=alert(2)> javascript:alert(3) ` + "\u202egnp.exe\u202c \x1b[31m"

// fillPage keeps one session with a secret, a failure and a denied path, and a memory.
func fillPage(t *testing.T, r *rig) {
	t.Helper()
	hook := func(body string) {
		if got := r.ask(t, "POST", "/hooks/claude", body); got.status != http.StatusOK {
			t.Fatalf("%d: %s", got.status, got.body)
		}
	}
	secret := "ghp_u8aB3dE5fG7hJ9kL1mN2pQ4rS6tV8wX0yZaB"
	hook(
		`{"hook_event_name":"UserPromptSubmit","session_id":"s1","prompt":"why does the deploy to staging fail with ` + secret + `","cwd":"/home/dev/shop"}`,
	)
	hook(
		`{"hook_event_name":"PostToolUse","session_id":"s1","tool_name":"Bash","tool_input":{"command":"sh deploy.sh staging"},"tool_response":{"stdout":"migration 0042 is not applied"},"cwd":"/home/dev/shop"}`,
	)
	hook(
		`{"hook_event_name":"PostToolUse","session_id":"s1","tool_name":"Read","tool_input":{"file_path":"/home/dev/shop/.env"},"tool_response":{"content":"X=1"},"cwd":"/home/dev/shop"}`,
	)
	hook(
		`{"hook_event_name":"Stop","session_id":"s1","last_assistant_message":"Migration 0042 was not applied on staging.","cwd":"/home/dev/shop"}`,
	)
	into[api.Prompted](
		t,
		r.ask(t, "POST", "/prompt", `{"session_id":"h1","project":"ci","agent":"ci","text":`+quote(hostile)+`}`),
	)
	into[api.MemoryWritten](
		t,
		r.ask(
			t,
			"POST",
			"/memories",
			`{"title":"Prices are integer cents","body":"Never floats, since rounding lost us money twice in March. `+"`x`"+`","project":"shop"}`,
		),
	)
}

func quote(s string) string {
	b := strings.NewReplacer("\\", `\\`, `"`, `\"`, "\x1b", `\u001b`).Replace(s)
	return `"` + b + `"`
}

func TestEachRoomShowsWhatIsThere(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	rooms := []string{
		"today",
		"search",
		"search?q=deploy",
		"sessions",
		"memories",
		"review",
		"told",
		"privacy",
		"privacy?verify=now",
		"health",
		"health?doctor=now",
		"settings",
		"keys",
		"gotchas",
		"runs",
		"team",
	}
	for _, room := range rooms {
		l.sees(room, "<h1>")
	}
	fillPage(t, r)
	for room, wants := range map[string][]string{
		"today": {"why does the deploy", "[REDACTED:github", "× 1 removed", "denied path",
			"Migration 0042", "kept in", ">make private<", ">forget<"},
		"search?q=deploy":    {"<mark>deploy</mark>", "found for <b>", "score", "said by the user"},
		"search?q=deplyo":    {"searched for <b>deploy</b>"},
		"sessions":           {"<svg", "shop", "claude"},
		"session/1":          {"thing", "answer", "why does the deploy"},
		"entry/1":            {"About this event", "github", "ms", "Before and after it"},
		"memories":           {"Prices are integer cents", "90 % trusted", `aria-current="page">Known`},
		"privacy":            {"github", "Denied paths", "<svg"},
		"privacy?by=project": {"shop"},
		"privacy?verify=now": {"follow from one another"},
		"health":             {"prompts", "all within the limit", "Size of the database", "The numbers"},
		"settings":           {"context.budget_tokens", "Maximum size of the context given at once"},
	} {
		l.sees(room, wants...)
	}
	if got := l.get("today?before=2").body; strings.Contains(got, "Migration 0042") {
		t.Error("an earlier page shows later events")
	}
	for _, room := range []string{"nothing", "entry/x", "entry/999999", "session/999", "memory/999", "told/999",
		"../today"} {
		if got := l.get(room); got.status < 400 {
			t.Errorf("%s: %d", room, got.status)
		}
	}
}

func TestHostileTextIsShownAsText(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	fillPage(t, r)
	long := strings.Repeat("x", 1<<20)
	into[api.Prompted](t, r.ask(t, "POST", "/prompt", `{"session_id":"h2","project":"ci","text":"`+long+`"}`))
	into[api.Prompted](t, r.ask(t, "POST", "/prompt", `{"session_id":"h\u202e3","project":"c\u202ei","agent":"a\u202e",`+
		`"text":"quokka"}`))
	into[api.MemoryWritten](t, r.ask(t, "POST", "/memories", `{"title":"Totals round half to even","project":"shop",`+
		`"tags":["mo\u202eney"],"body":"The tax office sums unrounded lines, so a cent was missing."}`))
	for _, room := range []string{"today", "search?q=gnp", "entry/5", "session/2", "entry/7", "search?q=quokka",
		"sessions", "search?q=totals", "session/3", "entry/8", "memories"} {
		body := regexp.MustCompile(` value="[^"]*"`).ReplaceAllString(l.get(room).body, "")
		for _, bad := range []string{"<script>alert", "<img src=x", "\u202e", "\x1b", `href="javascript`} {
			if strings.Contains(body, bad) {
				t.Errorf("%s holds %q", room, bad)
			}
		}
		if len(body) > 300<<10 {
			t.Errorf("%s has %d bytes", room, len(body))
		}
	}
	// what was asked for stays as it was asked
	for _, room := range []string{"search?q=", "sessions?project=", "memories?q=", "search?file="} {
		if body := l.get(room + url.QueryEscape(hostile)).body; strings.Contains(body, "<script>alert") ||
			strings.Contains(body, "<img src=x") {
			t.Errorf("%s: what was asked for runs", room)
		}
	}
	l.sees("entry/5", `\u202e`, "&lt;script&gt;alert")
}

func TestThePageChangesWhatItSays(t *testing.T) {
	dir := t.TempDir()
	r := startRig(t, dir)
	l := openPage(t, r)
	fillPage(t, r)
	if err := os.WriteFile(config.File(dir), []byte("# mine\n[context]\nbudget_tokens = 300 # little\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	says := func(path string, fields url.Values, want string) {
		t.Helper()
		if got := l.send(path, fields); !strings.Contains(got.body, want) {
			t.Errorf("%s: %d: no %q in %s", path, got.status, want, mainOf(got.body))
		}
	}
	says("pause", url.Values{"for": {"30m"}}, "Nothing is captured until")
	says("resume", url.Values{}, "Capturing again")
	says(
		"setting",
		url.Values{"key": {"context.budget_tokens"}, "value": {"600"}, "back": {"settings"}},
		"<b>600</b> after a restart",
	)
	says("setting", url.Values{"key": {"context.budget_tokens"}, "value": {"9000"}}, "it must be 0..2000")
	if text, err := os.ReadFile(config.File(dir)); err != nil ||
		string(text) != "# mine\n[context]\nbudget_tokens = 600 # little\n" {
		t.Errorf("%q, %v", text, err)
	}
	memory := into[api.MemoryList](t, r.ask(t, "GET", "/memories", "")).Memories[0]
	stale := memory.Updated.Add(-time.Hour).Format(time.RFC3339Nano)
	says(
		"change/"+memory.ID+"/edit",
		url.Values{"title": {"T"}, "body": {"mine alone"}, "updated": {stale}},
		"has changed since you opened",
	)
	says(
		"change/"+memory.ID+"/edit",
		url.Values{
			"title":   {"Prices are cents"},
			"body":    {"Never floats, since rounding lost us money twice in March."},
			"updated": {memory.Updated.Format(time.RFC3339Nano)},
		},
		"Written to its file",
	)
	says("change/"+memory.ID+"/pin", url.Values{}, "no longer fades")
	says("change/"+memory.ID+"/archive", url.Values{}, "Archived: no agent")
	says("change/"+memory.ID+"/restore", url.Values{}, "active again")
	says("tell", url.Values{"entry": {"1"}}, "No agent is told entry 1 again")
	l.sees("told", "Never told again", "why does the deploy")
	says("tell", url.Values{"entry": {"1"}, "again": {"yes"}}, "may be told entry 1 again")
	says("try", url.Values{"text": {"PASSWORD=hunter2hunter2 and more"}}, "What is removed, and why")
	says("private", url.Values{"session": {"s1"}, "agent": {"claude"}}, "Nothing more of that session")
	before := r.stats(t).Prompts
	r.ask(
		t,
		"POST",
		"/hooks/claude",
		`{"hook_event_name":"UserPromptSubmit","session_id":"s1","prompt":"and now this","cwd":"/home/dev/shop"}`,
	)
	if now := r.stats(t).Prompts; now != before {
		t.Errorf("a private session was kept: %d, %d", before, now)
	}
	says("forget", url.Values{}, "no entry was named")
	says("forget", url.Values{"ids": {"1"}}, "Forget this?")
	says("forget", url.Values{"ids": {"1"}, "sure": {"yes"}, "confirm": {"9.other"}}, "changed since you looked")
	l.sees("entry/1", "why does the deploy")
	says("forget", url.Values{"ids": {"1"}, "sure": {"yes"}}, "are gone")
	if got := l.get("entry/1"); got.status != http.StatusNotFound {
		t.Errorf("what was forgotten is shown: %d", got.status)
	}
	says("backup", url.Values{}, "the copy was checked")
	says(
		"remember",
		url.Values{
			"title":     {"Deploys go on Monday"},
			"body":      {"Never on Friday: nobody is there on Saturday to mend what a deploy broke."},
			"primitive": {"decision"},
			"project":   {"shop"},
		},
		"Written: add",
	)
}

func TestProposalsAreReviewedOnThePage(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	fillPage(t, r)
	gate := r.d.intake.Gate()
	clean := func(s string) privacy.Clean { c, _ := gate.Text(s); return c }
	for _, title := range []string{"Use tabs", "Use spaces"} {
		if _, err := r.d.db.PutProposal(t.Context(), store.Proposal{Project: 1, Form: "learning", Kind: "preference",
			Title: clean(title), Body: clean(title + " in Go files, as gofmt does: nobody should have to think of it."),
			Sentence: clean("please " + title), Why: "below_the_bar", Confidence: 0.4, Session: clean("claude/s1"),
			At: time.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	l.sees("memories", "Review 2 proposals")
	l.sees("review", "Use tabs", "please Use spaces", `data-key="k"`)
	edited := url.Values{"title": {"Tabs in Go"},
		"body": {"Always tabs in Go files, as gofmt does, and spaces in all others."}}
	if got := l.send("decide/1/edit", edited); !strings.Contains(got.body, "Kept in your words") {
		t.Errorf("%d: %s", got.status, mainOf(got.body))
	}
	if got := l.send("decide/2/drop", url.Values{}); !strings.Contains(got.body, "Dropped") {
		t.Errorf("%d: %s", got.status, mainOf(got.body))
	}
	l.sees("review", "Nothing to review")
	l.sees("memories", "Tabs in Go")
}

func TestWhatArrivesIsStreamed(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	req, err := http.NewRequest(http.MethodGet, l.base+"live?after=0", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := l.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if kind := resp.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Fatalf("%d, %s", resp.StatusCode, kind)
	}
	fillPage(t, r)
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 1<<20)
	seen := ""
	for !(strings.Contains(seen, "why does the deploy") && strings.Contains(seen, "[REDACTED:")) && lines.Scan() {
		seen += lines.Text() + "\n"
	}
	for _, want := range []string{"id: ", "data: <section", "why does the deploy", "[REDACTED:"} {
		if !strings.Contains(seen, want) {
			t.Errorf("no %q in %s", want, seen)
		}
	}
}

func TestWhatIsToldToNobodyIsNotTold(t *testing.T) {
	r := startRig(t, t.TempDir())
	into[api.Prompted](t, r.ask(t, "POST", "/prompt", `{"session_id":"h1","project":"shop","text":"hello there"}`))
	written := into[api.MemoryWritten](
		t,
		r.ask(
			t,
			"POST",
			"/memories",
			`{"title":"Prices are integer cents, never floats","body":"Prices are integer cents, never floats, since rounding lost money.","project":"shop"}`,
		),
	)
	for i, want := range []bool{true, false, true} {
		if i > 0 {
			act := map[bool]string{false: "mute", true: "unmute"}[want]
			into[api.Muted](t, r.ask(t, "POST", "/told/"+strconv.FormatInt(written.Memory.Entry, 10)+"/"+act, "{}"))
		}
		got := r.ask(t, "GET", "/context?project=shop&q=are+prices+integer+cents+or+floats", "").body
		if strings.Contains(got, "integer cents") != want {
			t.Errorf("round %d: told %q", i, got)
		}
	}
}
