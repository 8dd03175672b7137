package daemon

import (
	"fmt"
	"strings"
	"testing"

	"keepmum/api"
)

// agentNote is a note as an agent writes it.
func agentNote(client, session, text string) api.Note {
	return api.Note{Type: "next", Text: text, Origin: "agent", Agent: client, Session: session,
		Directory: "/home/dev/shop"}
}

func TestTheNoteOfAnAgentGoesToItsOwnSession(t *testing.T) {
	r := startRig(t, t.TempDir())
	note := func(client, session string) api.Noted {
		t.Helper()
		return into[api.Noted](t, r.post(t, "/note", agentNote(client, session, "delete internal/order/address.go")))
	}
	r.hook(t, prompt("claude-a", "p1", "move the addresses of the orders into their own package"))
	r.hook(t, prompt("claude-b", "p2", "translate the invoice template of the shop to Dutch"))
	for i, c := range []struct {
		name, client, session, want string
		own                         bool
	}{
		{"the session that the agent names", "claude-code", "claude-a", "claude/claude-a", false},
		{"the latest of the agent", "claude-code", "", "claude/claude-b", false},
		{"a session that is unknown", "claude-code", "somewhere-else", "claude/claude-b", false},
		{"the client is no agent with hooks", "inspector", "", "claude/claude-b", false},
		{"another agent", "codex-mcp-client", "", "codex/notes-", true},
		{"another agent once more", "codex-mcp-client", "", "codex/notes-", true},
	} {
		r.hook(t, prompt("claude-b", fmt.Sprintf("q%d", i), "and translate the reminder of the shop, too")) // the latest
		got := note(c.client, c.session)
		if !strings.HasPrefix(got.Session, c.want) || got.Own != c.own {
			t.Errorf("%s: the note is in %s, own %v", c.name, got.Session, got.Own)
		}
	}
	r.hook(t, map[string]any{"hook_event_name": "SessionEnd", "session_id": "claude-a", "cwd": "/home/dev/shop"})
	if got := note("claude-code", "claude-a"); got.Session != "claude/claude-b" {
		t.Errorf("the agent began another session, and its note is in %s", got.Session)
	}
}

func TestWhatAnAgentNotedIsNotTheWordOfTheUser(t *testing.T) {
	r := startRig(t, t.TempDir())
	for origin, in := range map[string]api.Note{
		"agent": agentNote("", "", "zebras graze behind the till"),
		"user":  {Type: "next", Text: "quokkas guard the till", Directory: "/home/dev/shop"},
	} {
		noted := into[api.Noted](t, r.post(t, "/note", in))
		if !strings.HasPrefix(noted.Session, origin+"/notes-") || !noted.Own {
			t.Errorf("the note of the %s is in %s, own %v", origin, noted.Session, noted.Own)
		}
		word, _, _ := strings.Cut(in.Text, " ")
		found := into[api.SearchResults](t, r.ask(t, "GET", "/search?q="+word, ""))
		if len(found.Results) != 1 || found.Results[0].Origin != origin {
			t.Errorf("the note of the %s is found as %+v", origin, found.Results)
		}
	}
}
