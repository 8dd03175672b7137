package daemon

import (
	"testing"
	"time"

	"keepmum/docs"
)

// TestDocsSayTheLimits of requests, and of what is read while agents wait.
func TestDocsSayTheLimits(t *testing.T) {
	const mib, kib = 1 << 20, 1 << 10
	ms := func(d time.Duration) int64 { return d.Milliseconds() }
	for _, says := range []struct {
		file, format string
		figures      []any
	}{
		{"docs/api.md", "A body can have up to %d MiB.", []any{maxBody / mib}},
		{"docs/api.md", "With more than %d requests in flight", []any{maxInFlight}},
		{"docs/api.md", "if the store is busy for %d ms", []any{ms(hookPatience)}},
		{"docs/api.md", "reads and drops up to %d MiB more", []any{maxDrained / mib}},
		{"docs/api.md", "Up to %d ids, separated by commas", []any{maxIDs}},
		{"docs/recovery.md", "an event is larger than %d MiB", []any{maxBody / mib}},
		{"docs/gotchas.md", "%d ms; after that, agents are told nothing", []any{ms(gotchaTime)}},
		{"docs/privacy.md", "for up to %d ms before the event, and %d s in all",
			[]any{ms(relearnPatience), int(maxRelearn.Seconds())}},
		{"docs/commits.md", "the first %d KiB are kept", []any{maxMessage / kib}},
		{"docs/commits.md", "reads the newest %d,%03d commits", []any{maxCommits / 1000, maxCommits % 1000}},
		{"docs/knowledge.md", "reads at most %d MB", []any{maxImportFile / mib}},
		{"docs/page.md", "the latest %d,%03d events", []any{window / 1000, window % 1000}},
		{"docs/page.md", "if they have up to %d,%03d entries", []any{soonEnough / 1000, soonEnough % 1000}},
	} {
		docs.Says(t, says.file, says.format, says.figures...)
	}
}
