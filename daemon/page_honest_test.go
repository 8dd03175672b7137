package daemon

import (
	"database/sql"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"keepmum/privacy"
	"keepmum/store"
)

// What an agent answered is never shown as what the user asked.
func TestThePageCallsAnAnswerAnAnswer(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	fillPage(t, r)
	body := l.sees("entry/4", "<bdi>answer 4</bdi>", `<span class="chip">answer</span>`)
	if strings.Contains(mainOf(body), "<bdi>prompt 4") {
		t.Errorf("an answer is headed as a prompt: %s", mainOf(body))
	}
	l.sees("search?q=applied+staging", `<span class="chip">answer</span>`)
	l.sees("entry/1", `<span class="chip">prompt</span>`)
	l.sees("search?type=note", `<option value="note" selected>`)
	l.sees("today", time.Now().Format("2 Jan 2006"))
}

func TestHealthDoesNotPraiseWhatIsNotConnected(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	body := l.sees("health", "No agent has sent anything yet", "mum connect auto")
	if strings.Contains(body, "No problem is known") {
		t.Error("nothing is connected, and no problem is known")
	}
	fillPage(t, r)
	l.sees("health", "No problem is known")
}

func TestADecisionOnThePageCanBeUndone(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	fillPage(t, r)
	for _, p := range []store.Proposal{
		{Title: privacy.Const("Use tabs in Go"), Body: privacy.Const("Tabs in Go files, as gofmt does: think of nothing."),
			Sentence: privacy.Const("please use tabs"), Why: "below_the_bar"},
		{Title: privacy.Const("Test before a push"), Body: privacy.Const("Before a push, the tests are run each time."),
			Sentence: privacy.Const("they passed in this order in 3 sessions"), Why: routineWhy},
	} {
		p.Project, p.Form, p.Kind, p.Confidence = 1, "learning", "preference", 0.4
		p.Session, p.At = privacy.Const("claude/s1"), time.Now()
		if _, err := r.d.db.PutProposal(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	l.sees("review", "You said: <q><bdi>please use tabs", "Seen: <bdi>they passed in this order")
	for _, act := range []string{"drop", "never", "keep"} {
		got := l.send("decide/1/"+act, url.Values{"back": {"review"}})
		if !strings.Contains(got.body, "decide/1/undo") || !strings.Contains(got.body, ">Undo<") {
			t.Errorf("%s has no undo: %d %s", act, got.status, mainOf(got.body))
		}
		if got := l.send("decide/1/undo", url.Values{"back": {"review"}}); !strings.Contains(got.body, "open again") ||
			strings.Contains(got.body, ">Undo<") {
			t.Errorf("undo of %s: %d %s", act, got.status, mainOf(got.body))
		}
	}
}

func TestAMemoryThatIsNotToldCanBeToldAgainFromItsPage(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	fillPage(t, r)
	l.sees("memory/6", "Never tell this to an agent")
	l.send("tell", url.Values{"entry": {"6"}})
	l.sees("memory/6", "No agent is told this", "Tell this to agents again", `name="again"`)
	l.sees("told", `href="#muted"`, `id="muted"`)
}

// Who follows a link to something forgotten reads that it may be, and returns to the list it was in.
func TestWhatIsGoneIsNamedAsGone(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	for path, back := range map[string]string{"memory/999": "memories", "entry/999": "search", "session/999": "sessions",
		"nothing": "today"} {
		got := l.get(path)
		if got.status != http.StatusNotFound || !strings.Contains(mainOf(got.body), back+`">Back`) {
			t.Errorf("%s: %d %s", path, got.status, mainOf(got.body))
		}
		if gone := strings.Contains(got.body, "It was forgotten, or never existed"); gone != (back != "today") {
			t.Errorf("%s: forgotten: %v", path, gone)
		}
	}
	fillPage(t, r)
	got := l.send("forget", url.Values{"ids": {"1"}, "sure": {"yes"}, "back": {"entry/1"}})
	if !strings.Contains(mainOf(got.body), `search">Back`) {
		t.Errorf("%d %s", got.status, mainOf(got.body))
	}
}

// Events of two days of one session are not shown as those of one day.
func TestTodayNamesTheDayOfEachEvent(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	fillPage(t, r)
	old := time.Now().AddDate(0, 0, -9)
	db, err := sql.Open("sqlite", r.home.Database())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("UPDATE docs SET at = ? WHERE id = 1", old.UnixMilli()); err != nil {
		t.Fatal(err)
	}
	l.sees("today", time.Now().Format("2 Jan 2006"), old.Format("2 Jan 2006"), `id="s1-`+old.Format(time.DateOnly))
}

func TestASessionIsFoundByWhatWasAskedFirst(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	fillPage(t, r)
	l.sees("sessions", "<bdi>why does the deploy to staging fail with <mark")
	l.sees("session/1", "<h1><bdi>why does the deploy to staging fail with <mark", "<title>why does the deploy")
}

func TestToldNamesTheSessionAndTheReminder(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	fillPage(t, r)
	if _, err := r.d.db.PutInjection(t.Context(), store.Injection{Project: 1, Session: 1, Reason: "recency", Tokens: 5,
		Entries: []store.Injected{{ID: 4, Type: store.KindPrompt}}}); err != nil {
		t.Fatal(err)
	}
	l.sees("told", `session/1">claude in <bdi>`, "remember.by_agent",
		"To keep a lasting rule of the user", "tokens each time")
}

// An edit that is sent after the sign-in has ended is not lost.
func TestWhatWasTypedAfterTheSignInEndedIsShownToCopy(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	l.http.Jar = jar
	got := l.do("POST", "change/6/edit", url.Values{"title": {"A title"}, "body": {"typed <b>by hand</b>"}}.Encode())
	for _, want := range []string{"This was not saved", ">\nA title</textarea>",
		">\ntyped &lt;b&gt;by hand&lt;/b&gt;</textarea>"} {
		if got.status != http.StatusUnauthorized || !strings.Contains(got.body, want) {
			t.Errorf("%d, no %q: %s", got.status, want, got.body)
		}
	}
	if got := l.get("today"); strings.Contains(got.body, "This was not saved") {
		t.Error("nothing was typed")
	}
}
