package mcpserver

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"keepmum/api"
	"keepmum/config"
	"keepmum/daemon"
	"keepmum/home"
)

// memory starts a daemon with one session in it and returns its directory.
func memory(t *testing.T) (dir home.Dir, project string) {
	t.Helper()
	root, err := os.MkdirTemp("", "mum") // short, for the socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	dir, project = home.Dir(root), t.TempDir()
	startDaemon(t, dir)
	client := api.NewClient(root, "")
	for _, p := range []api.Prompt{
		{SessionID: "s1", Text: "Why does the invoice total differ by a cent?", Directory: project, Agent: "claude"},
		{SessionID: "s1", Text: "The invoice rounded each line; now it rounds the sum.", Role: "assistant",
			Directory: project, Agent: "claude"},
	} {
		if err := client.Post(t.Context(), "/prompt", p, nil); err != nil {
			t.Fatal(err)
		}
	}
	seen := api.Observe{
		SessionID: "s1", ToolName: "Bash", ToolInput: map[string]any{"command": "go test ./invoice"},
		ToolOutput: map[string]any{"stdout": "FAIL <total> " + strings.Repeat("want 10.00 ", 1000)}, Directory: project,
		Agent: "claude",
	}
	if err := client.Post(t.Context(), "/observe", seen, nil); err != nil {
		t.Fatal(err)
	}
	return dir, project
}

func startDaemon(t *testing.T, dir home.Dir) {
	t.Helper()
	if err := os.WriteFile(config.File(string(dir)), []byte("[daemon]\nport = 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(config.Options{Home: string(dir)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- daemon.New(daemon.Options{Home: dir, Config: c}).Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	for api.NewClient(string(dir), "").Get(t.Context(), "/health", nil, nil) != nil {
		select {
		case err := <-done:
			t.Fatal("the daemon ended: ", err)
		case <-t.Context().Done():
			t.Fatal("the daemon does not come up")
		case <-time.After(time.Millisecond):
		}
	}
}

func connect(t *testing.T, o Options) *mcp.ClientSession {
	t.Helper()
	there, here := mcp.NewInMemoryTransports()
	server, err := New(o).Connect(t.Context(), answering{there, o.Clean}, nil)
	if err != nil {
		t.Fatal(err)
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "agent"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close(); _ = server.Wait() })
	return client
}

func call(t *testing.T, s *mcp.ClientSession, tool string, args map[string]any) (text string, failed bool) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Content {
		text += c.(*mcp.TextContent).Text
	}
	return text, r.IsError
}

func TestAnAgentFindsEarlierWorkAndReadsItInFull(t *testing.T) {
	dir, project := memory(t)
	s := connect(t, Options{Client: api.NewClient(string(dir), ""), Dir: project})
	today := time.Now().UTC().Format(time.DateOnly)
	steps := []struct {
		tool string
		args map[string]any
		want []string
	}{
		{"memory_search", map[string]any{"query": "invoice cent"}, []string{
			"<mum-context>\n", "[1] " + today + " claude prompt by the user: Why does the invoice total differ by a cent?\n",
			"[2] ", "\n</mum-context>"}},
		{"memory_search", map[string]any{"query": "invoice", "limit": 1}, []string{"(2 more)\n"}},
		{"memory_search", map[string]any{"query": "giraffe"}, []string{"Nothing was found"}},
		{"memory_search", map[string]any{"query": "???"}, []string{"no word to search for"}},
		{"memory_get", map[string]any{"ids": []int{1, 3, 99}}, []string{
			"claude prompt by the user in ", "Why does the invoice total differ by a cent?\n",
			`input: {"command":"go test ./invoice"}`, `FAIL <total> want`, " …\n", "[99] is not in the memory"}},
		{"memory_timeline", map[string]any{"id": 2}, []string{"session s1 in ", ">[2] ", " [1] ", " [3] "}},
		{"memory_recall", map[string]any{"task": "the invoice total is wrong"},
			[]string{"<mum-context>", "invoice", "memory_get shows"}},
		{"memory_recall", map[string]any{"task": "paint the giraffe enclosure purple tomorrow morning"},
			[]string{"Nothing like this is remembered"}},
	}
	for _, step := range steps {
		got, failed := call(t, s, step.tool, step.args)
		if failed || len(got) > maxAnswer+100 {
			t.Errorf("%s: failed %v, %d bytes", step.tool, failed, len(got))
		}
		for _, want := range step.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s %v lacks %q:\n%.2000s", step.tool, step.args, want, got)
			}
		}
	}
}

func TestAWrongArgumentIsAResultThatTellsTheModel(t *testing.T) {
	dir, project := memory(t)
	s := connect(t, Options{Client: api.NewClient(string(dir), ""), Dir: project})
	for tool, args := range map[string]map[string]any{
		"memory_search":   {"query": "x", "type": "poem"},
		"memory_get":      {"ids": []int{}},
		"memory_timeline": {"id": 4242},
		"memory_recall":   {"task": "x", "project": "elsewhere"},
	} {
		if text, failed := call(t, s, tool, args); !failed || text == "" {
			t.Errorf("%s: failed %v, %q", tool, failed, text)
		}
	}
}

func TestAnErrorRepeatsNoSecretOfAnArgument(t *testing.T) {
	dir, project := memory(t)
	const token = "ghp_x7Kq2VbN9mPzR4tLwY8cJ3hDfG6sA1eUoT5i"
	s := connect(t, Options{Client: api.NewClient(string(dir), ""), Dir: project,
		Clean: func(text string) string { return strings.ReplaceAll(text, token, "[TAKEN OUT]") }})
	for tool, args := range map[string]any{
		"memory_search":   map[string]any{"query": "x", "limit": token},
		"memory_get":      map[string]any{"ids": []string{token}},
		"memory_timeline": map[string]any{"id": 1, token: 1},
		"memory_forget":   map[string]any{"id": token},
		"memory_" + token: map[string]any{},
	} {
		said := ""
		got, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			said = err.Error()
		} else if got.IsError {
			said = got.Content[0].(*mcp.TextContent).Text
		}
		if said == "" || strings.Contains(said, token) {
			t.Errorf("%s: %q", tool, said)
		}
	}
	for _, uri := range []string{"mum://memory/" + token, token} {
		if _, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil ||
			strings.Contains(err.Error(), token) {
			t.Errorf("%s: %v", uri, err)
		}
	}
}

func TestTheDaemonIsStartedWhenItIsDown(t *testing.T) {
	root, err := os.MkdirTemp("", "mum")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	starts := 0
	start := func(context.Context) error {
		starts++
		startDaemon(t, home.Dir(root))
		return nil
	}
	// The token is made by the daemon's first start, so a client from before has none.
	if _, err := home.Prepare(home.Dir(root)); err != nil {
		t.Fatal(err)
	}
	s := connect(t, Options{Client: api.NewClient(root, ""), Dir: root, Start: start})
	for range 2 {
		if text, failed := call(t, s, "memory_search", map[string]any{"query": "x"}); failed {
			t.Error(text)
		}
	}
	if starts != 1 {
		t.Errorf("%d starts", starts)
	}
	down := Options{Client: api.NewClient(t.TempDir(), ""), Start: func(context.Context) error { return errors.New("no") }}
	if text, failed := call(t, connect(t, down), "memory_search", map[string]any{"query": "x"}); !failed || text != "no" {
		t.Errorf("%v %q", failed, text)
	}
}

func TestTheToolsSayWhetherTheyWriteAndAreCachedPrivately(t *testing.T) {
	s := connect(t, Options{})
	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if list.CacheScope != "private" {
		t.Errorf("cache scope is %q", list.CacheScope)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		writes := slices.Contains([]string{"memory_remember", "memory_forget", "session_note"}, tool.Name)
		if tool.Annotations.ReadOnlyHint == writes || len(tool.Description) < 60 {
			t.Errorf("%s: %+v", tool.Name, tool.Annotations)
		}
	}
	if diff := cmp.Diff([]string{"memory_forget", "memory_get", "memory_recall", "memory_remember", "memory_search",
		"memory_timeline", "session_note"}, names); diff != "" {
		t.Error(diff)
	}
}

func TestALongAnswerIsCutAndItsFenceClosed(t *testing.T) {
	got := limit(fence(strings.Repeat("wörd\n", 10_000)), maxAnswer)
	if len(got) > maxAnswer+20 || !strings.HasSuffix(got, " …\n</mum-context>") || strings.ContainsRune(got, '\uFFFD') {
		t.Errorf("%d bytes, ends in %q", len(got), got[len(got)-30:])
	}
}

func TestAnAgentIsToldThatCommitsAreNotReadYet(t *testing.T) {
	for _, found := range [][]api.Result{nil, {{Title: "pay: round half to even"}}} {
		got := searchText(api.SearchResults{Results: found, CommitsUnread: true}, "here")
		if !strings.Contains(got, unreadCommits) {
			t.Errorf("%d found: got %q", len(found), got)
		}
	}
}

func TestAResultSaysNothingTwice(t *testing.T) {
	for title, want := range map[string]string{
		"Bash make deploy":                   "Bash make deploy | Error: 0042 is missing",
		"make deploy":                        "make deploy | Error: 0042 is missing",
		"make deploy Error: 0042 is missing": "make deploy Error: 0042 is missing",
		"":                                   "make deploy Error: 0042 is missing",
		"Edit invoice.go":                    "Edit invoice.go | make deploy Error: 0042 is missing",
	} {
		r := api.Result{Title: title, Snippet: "make <mark>deploy</mark> Error: 0042 is missing"}
		got := searchText(api.SearchResults{Results: []api.Result{r}}, "here")
		if !strings.Contains(got, ": "+want+"\n") {
			t.Errorf("%q: got %q", title, got)
		}
	}
}
