package daemon

import (
	"fmt"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/config"
	"keepmum/hooks"
	"keepmum/longtest"
	"keepmum/recall"
)

const claudeStart = `{"session_id":"5e551011-0000-4000-8000-000000000007","cwd":"/home/dev/shop","hook_event_name":"SessionStart","source":"startup"}`

func TestAnAgentIsToldAtItsStartThatItMayRemember(t *testing.T) {
	if n := recall.Tokens(hooks.RememberLine); n > 40 {
		t.Errorf("the line costs %d tokens", n)
	}
	for by, want := range map[bool]bool{true: true, false: false} {
		r := startRig(t, t.TempDir(), func(c *config.Config) { c.Remember.ByAgent = by })
		got := r.ask(t, "POST", "/hooks/claude", claudeStart).body
		if strings.Contains(got, "memory_remember") != want {
			t.Errorf("by_agent %v: %s", by, got)
		}
		prompt := strings.Replace(strings.Replace(claudeStart, "SessionStart", "UserPromptSubmit", 1), `"source":"startup"`,
			`"prompt":"good morning to you"`, 1)
		if got := r.ask(t, "POST", "/hooks/claude", prompt).body; strings.Contains(got, "memory_remember") {
			t.Errorf("at a prompt: %s", got)
		}
		if s := into[api.Status](t, r.ask(t, "GET", "/status", "")); (s.Capture.Reminded == 1) != want {
			t.Errorf("by_agent %v: counted %d", by, s.Capture.Reminded)
		}
	}
}

func agentSays(session string, n int) api.MemoryAdd {
	bodies := []string{"The bank books each invoice in cents, and floats lost one on every third of them.",
		"Floats lost a cent on every third invoice, and the bank books each invoice in cents."}
	return api.MemoryAdd{Title: "Money is counted in integer cents", Body: bodies[n%2], Kind: "insight", Origin: "agent",
		Agent: "mcp", Session: session, Global: true}
}

func TestWhatAnAgentWordsIsItsWordUntilASecondSessionSaysItOrTheUserDoes(t *testing.T) {
	r := startRig(t, t.TempDir())
	say := func(in api.MemoryAdd) api.MemoryWritten {
		return into[api.MemoryWritten](t, r.post(t, "/memories", in))
	}
	first := say(agentSays("aaaa1111", 0))
	if first.Memory.Confidence != agentConfidence || first.Memory.Origin != "agent/mcp" {
		t.Errorf("first: %+v", first.Memory)
	}
	if again := say(agentSays("aaaa1111", 0)); again.Memory.Confidence != agentConfidence || again.Action != "noop" {
		t.Errorf("the same session again: %s %+v", again.Action, again.Memory)
	}
	if second := say(agentSays("bbbb2222", 1)); second.Memory.Confidence != twiceConfidence ||
		second.Memory.ID != first.Memory.ID {
		t.Errorf("a second session: %s %+v", second.Action, second.Memory)
	}
	mine := agentSays("", 0)
	mine.Origin, mine.Agent = "user", ""
	if said := say(mine); said.Memory.Confidence != toldConfidence && said.Action != "noop" {
		t.Errorf("the user: %s %+v", said.Action, said.Memory)
	}
}

func TestAHundredSessionsMakeNoDuplicatesAndKeepNoSecret(t *testing.T) {
	r := startRig(t, t.TempDir())
	secret := "ghp_" + strings.Repeat("a1B2c3D4e5", 4)[:36]
	for i := range longtest.Size(25, 100) {
		in := agentSays(fmt.Sprintf("a%07x", i), i)
		in.Body += " The token is " + secret + "."
		if got := into[api.MemoryWritten](t, r.post(t, "/memories", in)); strings.Contains(got.Memory.Body+got.Memory.Title,
			secret) {
			t.Fatalf("a secret was kept: %+v", got)
		}
	}
	if list := into[api.MemoryList](t, r.ask(t, "GET", "/memories?state=all", "")); list.Total != 1 {
		t.Errorf("%d memories of one statement", list.Total)
	}
}
