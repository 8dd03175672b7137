package daemon

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/config"
)

// knownFailures is how many failures are known beside the one that is met.
const knownFailures = 300

// failing hands in a command that failed, as Claude Code's hook does, and returns what the
// agent is answered.
func failing(b *testing.B, c *api.Client, session, command, failure string) string {
	b.Helper()
	event := map[string]any{"hook_event_name": "PostToolUse", "session_id": session, "cwd": "/home/dev/shop",
		"tool_name": "Bash", "tool_input": map[string]any{"command": command},
		"tool_response": map[string]any{"stdout": "ok", "stderr": ""}}
	if failure != "" {
		delete(event, "tool_response")
		event["hook_event_name"], event["error"] = "PostToolUseFailure", failure
	}
	var answer any
	if err := c.Post(b.Context(), "/hooks/claude", event, &answer); err != nil && !errors.Is(err, io.EOF) {
		b.Fatal(err)
	}
	return fmt.Sprint(answer)
}

// BenchmarkFailure is the hook of a command that failed as in two earlier sessions: with the
// line that it brings, in units of the same hook where nothing is looked up.
func BenchmarkFailure(b *testing.B) {
	with := benchClient(b)
	without := benchClient(b, func(c *config.Config) { c.Context.Gotchas = false })
	const why = "Exit code 1\nError: relation %s does not exist in the database"
	kinds := []string{"prices", "stamps", "ferries"}
	for _, c := range []*api.Client{with, without} {
		for i := range knownFailures {
			target, session := fmt.Sprintf("make test-%c%c", 'a'+i/26, 'a'+i%26), fmt.Sprint("s", i%2)
			failing(b, c, session, target, fmt.Sprintf(why, kinds[i%3]))
			failing(b, c, session, "make migrate", "")
			failing(b, c, session, target, "")
		}
		for _, session := range []string{"a", "b"} {
			failing(b, c, session, "make test", fmt.Sprintf(why, "prices"))
			failing(b, c, session, "make migrate", "")
			failing(b, c, session, "make test", "")
		}
		if err := c.Get(b.Context(), "/gotchas", map[string][]string{"project": {"*"}}, &api.Gotchas{}); err != nil {
			b.Fatal(err)
		}
	}
	run := func(c *api.Client, n int) (time.Duration, string) {
		began := time.Now()
		said := failing(b, c, fmt.Sprint("new", n), "make test", fmt.Sprintf(why, "prices"))
		return time.Since(began), said
	}
	var told, plain []time.Duration
	for n := 0; b.Loop(); n++ {
		took, said := run(with, n)
		if !strings.Contains(said, "make migrate") {
			b.Fatalf("nothing was told: %s", said)
		}
		base, said := run(without, n)
		if strings.Contains(said, "make migrate") {
			b.Fatalf("told where nothing is to be: %s", said)
		}
		told, plain = append(told, took), append(plain, base)
	}
	slices.Sort(told)
	slices.Sort(plain)
	ms := func(d []time.Duration, part int) float64 { return float64(d[len(d)*part/100].Microseconds()) / 1000 }
	b.ReportMetric(ms(told, 50), "p50-ms")
	b.ReportMetric(ms(told, 99), "p99-ms")
	b.ReportMetric(ms(told, 50)/ms(plain, 50), "hooks")
}
