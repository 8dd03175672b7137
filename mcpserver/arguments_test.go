package mcpserver

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"keepmum/api"
	mem "keepmum/memory"
)

// Every session of an agent pays for the list of tools, about a token for four characters.
func TestTheListOfToolsIsShortAndTellsTheLimits(t *testing.T) {
	list, err := connect(t, Options{}).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(list.Tools)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > 5050 {
		t.Errorf("%d characters: %s", len(data), data)
	}
	for _, want := range []string{fmt.Sprintf("at least %d characters", mem.MinTitle),
		fmt.Sprintf("%d characters or more", mem.MinBody), `"enum":["insight","fact",`, `"type":["integer","string"]`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("it lacks %s", want)
		}
	}
	if strings.Contains(string(data), `"null"`) {
		t.Errorf("an argument may be null: %s", data)
	}
}

func TestIdsMayBeStringsAndWhatIsTooMuchIsRefused(t *testing.T) {
	dir, project := memory(t)
	s := connect(t, Options{Client: api.NewClient(string(dir), ""), Dir: project})
	for tool, args := range map[string]map[string]any{
		"memory_get":      {"ids": []any{"1", 3}},
		"memory_timeline": {"id": "2", "before": 0},
	} {
		if text, failed := call(t, s, tool, args); failed {
			t.Errorf("%s: %s", tool, text)
		}
	}
	many := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	for _, bad := range []struct {
		tool, want string
		args       map[string]any
	}{
		{"memory_get", "at most 10", map[string]any{"ids": many}},
		{"memory_get", "number in brackets", map[string]any{"ids": []string{"payments-use-stripe"}}},
		{"memory_search", "limit must be 1 to 30", map[string]any{"query": "invoice", "limit": 100}},
		{"memory_search", "limit must be 1 to 30", map[string]any{"query": "invoice", "limit": 0}},
		{"memory_timeline", "after must be 0 to 30", map[string]any{"id": 1, "after": -1}},
		{"memory_recall", "(there are ", map[string]any{"task": "the invoice", "project": "elsewhere"}},
	} {
		if text, failed := call(t, s, bad.tool, bad.args); !failed || !strings.Contains(text, bad.want) {
			t.Errorf("%s %v: %q", bad.tool, bad.args, text)
		}
	}
}

func TestAnAgentIsToldWhatItReplacedAndWhatReplacedIt(t *testing.T) {
	dir, project := memory(t)
	s := connect(t, Options{Client: api.NewClient(string(dir), ""), Dir: project})
	say := func(title, origin string) string {
		text, _ := call(t, s, "memory_remember", map[string]any{"title": title, "body": "from the docs", "origin": origin})
		return text
	}
	number := regexp.MustCompile(`\[(\d+)\]`)
	old := number.FindStringSubmatch(say("Login sessions expire after 20 minutes", "agent"))
	if old == nil {
		t.Fatal("a short body makes no fact")
	}
	now := say("Login sessions expire after 8 hours", "agent")
	if !strings.Contains(now, "Archived: ["+old[1]+"] Login sessions expire after 20 minutes") {
		t.Fatalf("got %q", now)
	}
	id := number.FindStringSubmatch(now)[1]
	shown, _ := call(t, s, "memory_get", map[string]any{"ids": []string{old[1]}})
	if !strings.Contains(shown, "memory by the agent") ||
		!strings.Contains(shown, "no longer valid: replaced by ["+id+"]") {
		t.Errorf("got %q", shown)
	}
	plan, _ := call(t, s, "memory_forget", map[string]any{"id": id})
	if !strings.Contains(plan, "mum memory restore "+old[1]) {
		t.Errorf("got %q", plan)
	}
	if text := say("Login sessions expire after 45 minutes", "user"); !strings.Contains(text, "Archived: ["+id+"]") {
		t.Errorf("the user's word: %q", text)
	}
	text := say("Login sessions expire after 90 minutes", "agent")
	if !strings.Contains(text, "what the user said") || !strings.Contains(text, `origin "user"`) {
		t.Errorf("against the user: %q", text)
	}
	found, _ := call(t, s, "memory_search", map[string]any{"query": "login sessions expire", "type": "memory"})
	if !strings.Contains(found, "memory by the user") {
		t.Errorf("got %q", found)
	}
}
