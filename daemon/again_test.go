package daemon

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"keepmum/await"
	"keepmum/capture"
	"keepmum/hooks"
)

func TestAnEventThatIsCommittedAndSpooledIsStoredOnce(t *testing.T) {
	r := startRig(t, t.TempDir())
	for i, said := range []string{
		"I set GITHUB_TOKEN=ghp_Hq7Tz2Vb9Xc4Nm6Lp1Rk8Wd3Sf5Gj0Ya2EuQ for you", "all plain here",
		"long " + strings.Repeat("word salad ", 50_000),
	} {
		body := fmt.Sprintf(
			`{"hook_event_name":"Stop","session_id":"s","cwd":"/tmp","prompt_id":"p%d","last_assistant_message":%q}`, i, said)
		if got := r.ask(t, "POST", "/hooks/claude", body); got.status != http.StatusOK {
			t.Fatal(got)
		}
		events, err := hooks.Decode("claude", []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		e, why := r.d.intake.Take(capture.Incoming{Event: events[0], Key: "delivery"})
		if why != "" {
			t.Fatal(why)
		}
		if err := r.d.spool.Put(e, "delivery", e.At); err != nil {
			t.Fatal(err)
		}
		await.True(t, "an empty spool", func() bool { return r.d.spool.Len() == 0 })
		if n := r.stats(t).Answers; n != int64(i+1) {
			t.Errorf("%.20q: %d answers are stored", said, n)
		}
	}
}

func TestWhatIsSaidTwiceInATurnIsStoredTwice(t *testing.T) {
	r := startRig(t, t.TempDir())
	post := func(agent, event, more string) {
		body := fmt.Sprintf(`{"hook_event_name":%q,"session_id":"s","cwd":"/tmp","prompt_id":"p",%s}`, event, more)
		for range 2 { // an event that is delivered again is stored once
			if got := r.ask(t, "POST", "/hooks/"+agent, body); got.status != http.StatusOK {
				t.Fatal(got)
			}
		}
	}
	for _, said := range []string{"please mend the gauge", "no, use the old gauge instead"} {
		post("claude", "UserPromptSubmit", fmt.Sprintf(`"prompt":%q`, said))
		post("codex", "UserPromptSubmit", fmt.Sprintf(`"prompt":%q`, said))
		post("claude", "PostCompact", fmt.Sprintf(`"trigger":"auto","compact_summary":%q`, said))
		post("claude", "SubagentStop", fmt.Sprintf(`"agent_id":"a","agent_type":"Explore","last_assistant_message":%q`, said))
	}
	if s := r.stats(t); s.Prompts != 4 || s.Answers != 4 {
		t.Errorf("%d prompts and %d answers of two agents are stored, not four and four", s.Prompts, s.Answers)
	}
}
