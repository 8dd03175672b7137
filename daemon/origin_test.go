package daemon

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"keepmum/api"
	"keepmum/mcpserver"
)

func TestTwoAgentsOfAProjectSeeEachOthersWorkByName(t *testing.T) {
	const dir = "/home/dev/shop"
	for _, c := range []struct{ from, to, event string }{
		{"codex", "claude",
			`{"hook_event_name":"UserPromptSubmit","session_id":"%s","cwd":"` + dir + `","prompt":"%s","turn_id":"t"}`},
		{"claude", "codex", `{"hook_event_name":"UserPromptSubmit","session_id":"%s","cwd":"` + dir + `","prompt":"%s"}`},
		{"opencode", "claude",
			`{"hook":"chat.message","directory":"` + dir +
				`","input":{"sessionID":"%s"},"output":{"message":{"id":"m"},"parts":[{"type":"text","text":"%s"}]}}`},
		{"cursor", "opencode",
			`{"hook_event_name":"beforeSubmitPrompt","conversation_id":"%s","workspace_roots":["` + dir + `"],"prompt":"%s"}`},
	} {
		t.Run(c.from+" to "+c.to, func(t *testing.T) {
			r := startRig(t, t.TempDir())
			if resp := r.ask(t, "POST", "/hooks/"+c.from,
				fmt.Sprintf(c.event, "s1", "round the prices to cents")); resp.status != 200 {
				t.Fatalf("%d %s", resp.status, resp.body)
			}
			start := `{"hook_event_name":"SessionStart","session_id":"s2","cwd":"` + dir + `","source":"startup"}`
			if c.to == "opencode" {
				start = `{"hook":"event","directory":"` + dir +
					`","input":{"type":"session.created","properties":{"sessionID":"s2","info":{"directory":"` + dir + `"}}}}`
			}
			if resp := r.ask(t, "POST", "/hooks/"+c.to, start); !strings.Contains(resp.body,
				c.from+`: asked \"round the prices`) && !strings.Contains(resp.body, c.from+`: asked \\\"round the prices`) {
				t.Errorf("told %s", resp.body)
			}
		})
	}
}

func TestWhoseWordsAnEntryHoldsIsToldWhereverItIsShown(t *testing.T) {
	r := startRig(t, t.TempDir())
	dir := r.plant(t, 1, "invoices are due on Friday")
	want := map[string]string{"asked by the user": "user", "answered": "agent", "Write": "tool", "WebFetch": "web"}
	found := into[api.SearchResults](t, r.ask(t, "GET", "/search?q=zanzibar&directory="+url.QueryEscape(dir), ""))
	seen := map[string]int64{}
	for _, h := range found.Results {
		seen[h.Origin] = h.ID
	}
	for what, origin := range want {
		id, ok := seen[origin]
		if !ok {
			t.Errorf("%s: no entry is of origin %s: %+v", what, origin, found.Results)
			continue
		}
		full := into[api.Observations](t, r.ask(t, "GET", fmt.Sprint("/observation/", id), ""))
		if full.Observations[0].Origin != origin {
			t.Errorf("%s: in full it is of origin %q", what, full.Observations[0].Origin)
		}
	}
	text := r.call(t, dir, "memory_search", map[string]any{"query": "zanzibar"})
	for _, words := range []string{"prompt by the user", "answer of the agent", "observation of a tool",
		"observation from the web"} {
		if !strings.Contains(text, words) {
			t.Errorf("memory_search does not say %q:\n%s", words, text)
		}
	}
}

// call asks our MCP server as an agent does.
func (r *rig) call(t *testing.T, dir, tool string, in map[string]any) string {
	t.Helper()
	server := mcpserver.New(mcpserver.Options{Client: api.NewClient(string(r.home), ""), Dir: dir})
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: in})
	if err != nil || len(res.Content) == 0 {
		t.Fatalf("%v %+v", err, res)
	}
	return res.Content[0].(*mcp.TextContent).Text
}
