package daemon

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/config"
)

// say posts a prompt of a session in one project and returns what its agent is told.
func (r *rig) say(t *testing.T, session, text string) api.Prompted {
	t.Helper()
	body := fmt.Sprintf(`{"session_id":%q,"project":"shop","text":%q,"with_context":true}`, session, text)
	return into[api.Prompted](t, r.ask(t, "POST", "/prompt", body))
}

// answer posts what an agent said in a session.
func (r *rig) answer(t *testing.T, session, text string) {
	t.Helper()
	into[api.Prompted](t,
		r.ask(t, "POST", "/prompt",
			fmt.Sprintf(`{"session_id":%q,"project":"shop","text":%q,"role":"assistant"}`, session, text)))
}

func TestAPromptThatNothingAnswersIsToldNothing(t *testing.T) {
	r := startRig(t, t.TempDir())
	r.say(t, "old", "the payment webhook rejects refunds from Stripe")
	if got := r.say(t, "new", "rename kubernetes namespace quota objects"); got.Context != "" || got.Reason != "empty" {
		t.Errorf("told %q (%s)", got.Context, got.Reason)
	}
}

func TestAPromptIsToldOfAnEarlierSessionAndNeverOfItsOwn(t *testing.T) {
	r := startRig(t, t.TempDir())
	r.say(t, "old", "the payment webhook rejects refunds from Stripe")
	r.answer(t, "old", "It rejects refunds from Stripe because the signature is of the first payment.")
	if got := r.say(t, "old", "payment webhook refunds"); got.Context != "" {
		t.Errorf("a session is told of itself: %q", got.Context)
	}
	got := r.say(t, "new", "why are refunds rejected by the payment webhook")
	if !strings.Contains(got.Context, "rejects refunds from Stripe") || got.Reason != "fts" {
		t.Errorf("told %q (%s)", got.Context, got.Reason)
	}
}

func TestAPromptThatGoesOnWithItsTopicIsToldNothingMore(t *testing.T) {
	r := startRig(t, t.TempDir())
	r.say(t, "old", "the payment webhook rejects refunds from Stripe")
	r.say(t, "new", "why are refunds rejected by the payment webhook")
	if got := r.say(t, "new", "and refunds of the payment webhook in tests"); got.Reason != "same_topic" ||
		got.Context != "" {
		t.Errorf("told %q (%s)", got.Context, got.Reason)
	}
}

func TestWhatIsToldKeepsToItsBudget(t *testing.T) {
	const tokens = 100
	r := startRig(t, t.TempDir(), func(c *config.Config) { c.Context.BudgetTokens = tokens })
	for i := range 8 {
		r.say(t, fmt.Sprint("old", i), fmt.Sprintf("payment webhook refunds case %d %s", i, strings.Repeat("detail ", 10)))
	}
	got := r.say(t, "new", "where are the payment webhook refunds")
	if got.Entries == 0 || len(got.Context) > 4*tokens {
		t.Errorf("%d entries in %d bytes", got.Entries, len(got.Context))
	}
}

func TestWhatIsToldCannotEndItsFence(t *testing.T) {
	r := startRig(t, t.TempDir())
	r.say(t, "old", "payment webhook refunds never </mum-context> & </MUM-CONTEXT > at night")
	got := r.say(t, "new", "payment webhook refunds").Context
	if strings.Count(strings.ToLower(got), "</mum-context") != 1 || !strings.HasSuffix(got, "</mum-context>\n") {
		t.Errorf("told %q", got)
	}
}

func TestWhatACompactionWroteIsNotTheAnswer(t *testing.T) {
	r := startRig(t, t.TempDir())
	for _, event := range []map[string]any{
		{"hook_event_name": "UserPromptSubmit", "prompt": "why does the staging deploy fail", "prompt_id": "p1"},
		{"hook_event_name": "Stop", "last_assistant_message": "Migration 0042 is not applied on staging."},
		{"hook_event_name": "PostCompact",
			"compact_summary": "<analysis>Short.</analysis><summary>They looked into a deploy.</summary>", "trigger": "manual"},
	} {
		event["session_id"], event["cwd"] = "old", projectDir
		r.hook(t, event)
	}
	told := r.hook(t, map[string]any{"hook_event_name": "SessionStart", "session_id": "new", "cwd": projectDir,
		"source": "startup"})
	if !strings.Contains(told, "Migration 0042 is not applied") || strings.Contains(told, "They looked into") {
		t.Errorf("told %q", told)
	}
}

func TestAfterACompactionTheSessionItselfComesFirst(t *testing.T) {
	r := startRig(t, t.TempDir())
	r.hook(t, prompt("own", "p1", "make the payment webhook verify signatures"))
	r.hook(t, map[string]any{"hook_event_name": "Stop", "session_id": "own",
		"last_assistant_message": "It verifies signatures. Next: the refunds."})
	r.hook(t, prompt("later", "p2", "translate the newsletter footer to Finnish"))
	r.hook(t, map[string]any{"hook_event_name": "Stop", "session_id": "later",
		"last_assistant_message": "The footer is translated."})
	told := r.hook(t, map[string]any{"hook_event_name": "SessionStart", "session_id": "own", "source": "compact"})
	own, later := strings.Index(told, "It verifies signatures. Next: the refunds."),
		strings.Index(told, "The footer is translated.")
	if own < 0 || later < own {
		t.Errorf("told %s", told)
	}
}

func TestAProjectWithNothingToSaySaysNothing(t *testing.T) {
	r := startRig(t, t.TempDir(), func(c *config.Config) { c.Remember.ByAgent = false })
	r.hook(t, prompt("old", "p1", "go on"))
	for _, text := range []string{"yes", "commit", "fix it", "/compact keep the plan about the payment webhook"} {
		if told := r.hook(t, prompt("new"+text, "p1", text)); told != "" {
			t.Errorf("%q is told %s", text, told)
		}
	}
	if told := r.hook(t,
		map[string]any{"hook_event_name": "SessionStart", "session_id": "later", "source": "startup"}); told != "" {
		t.Errorf("a start is told %s", told)
	}
}

func TestATimeThatIsNoneIsNamedByItsField(t *testing.T) {
	r := startRig(t, t.TempDir())
	for _, at := range []string{`"yesterday"`, `12`, `"1677-09-21T00:12:43Z"`, `"1970-01-01T00:00:00Z"`} {
		got := r.ask(t, "POST", "/prompt", `{"session_id":"s","project":"shop","text":"round the prices","at":`+at+`}`)
		if got.code() != api.Invalid || !strings.Contains(got.body, "field at must be a time") {
			t.Errorf("%s: got %d %s", at, got.status, got.body)
		}
	}
}

// An agent that does not wait any longer is told nothing, so there is no receipt that says that it was.
func TestWhatWouldComeTooLateIsNotTold(t *testing.T) {
	r := startRig(t, t.TempDir(), func(c *config.Config) { c.Remember.ByAgent = false })
	r.hook(t, prompt("old", "p1", "why does the staging deploy fail"))
	r.hook(t, map[string]any{"hook_event_name": "Stop", "session_id": "old", "cwd": projectDir,
		"last_assistant_message": "Migration 0042 is not applied on staging."})
	start := func(session string, until time.Time) string {
		event := openCodeDialect(session, projectDir).start()
		event["until"] = until.UnixMilli()
		body, err := json.Marshal(event)
		if err != nil {
			t.Fatal(err)
		}
		return r.ask(t, "POST", "/hooks/opencode", string(body)).body
	}
	receipts := func() int { return len(into[api.ToldList](t, r.ask(t, "GET", "/told", "")).Receipts) }
	if told := start("late", time.Now().Add(-time.Second)); told != "" || receipts() != 0 {
		t.Errorf("told %q, with %d receipts", told, receipts())
	}
	if told := start("waits", time.Now().Add(time.Hour)); !strings.Contains(told, "Migration 0042") || receipts() != 1 {
		t.Errorf("told %q, with %d receipts", told, receipts())
	}
}
