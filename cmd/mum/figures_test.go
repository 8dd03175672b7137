package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"keepmum/config"
	"keepmum/docs"
	"keepmum/hooks"
	"keepmum/privacy"
	"keepmum/store"
	"keepmum/testdata/demo"
)

// TestDocsSayTheDefaults checks that a document that names a setting with its default names the right one.
func TestDocsSayTheDefaults(t *testing.T) {
	c := config.Default()
	kib := func(n config.Size) int { return int(n) >> 10 }
	seconds := func(d config.Duration) int { return int(time.Duration(d).Seconds()) }
	minutes := func(d config.Duration) int { return seconds(d) / 60 }
	for _, says := range []struct {
		file, format string
		figures      []any
	}{
		{"README.md", "yes, from 0 to %d tokens", []any{c.Context.BudgetTokens}},
		{"docs/api.md", "on `127.0.0.1:%d` (`daemon.port`", []any{c.Daemon.Port}},
		{"docs/context.md", "%d tokens, %d lines (`context.budget_tokens`, `context.max_entries`)",
			[]any{c.Context.BudgetTokens, c.Context.MaxEntries}},
		{"docs/context.md", "%d ms (`context.timeout`)", []any{time.Duration(c.Context.Timeout).Milliseconds()}},
		{"docs/memories.md", "(`privacy.max_field`, %d KiB)", []any{kib(c.Privacy.MaxField)}},
		{"docs/memories.md", "| `decay.decay_period_days` (or `decay_days`) | %d |", []any{c.Memory.Decay.PeriodDays}},
		{"docs/memories.md", "(or `min_confidence_floor`) | %v |", []any{c.Memory.Decay.ConfidenceFloor}},
		{"docs/memories.md", "| `decay.archive_threshold` | %v |", []any{c.Memory.Decay.ArchiveThreshold}},
		{"docs/memories.md", "(or `recent_access_grace_days`) | %d |", []any{c.Memory.Decay.GraceDays}},
		{"docs/review.md", "for %d days is hidden", []any{int(store.ProposalHidden.Hours() / 24)}},
		{"docs/runs.md", "| `keep_days` | %d |", []any{c.Runs.KeepDays}},
		{"docs/runs.md", "| `most` | %d |", []any{c.Runs.Most}},
		{"docs/summaries.md", "before a batch begins (%d s)", []any{seconds(c.Compress.Idle)}},
		{"docs/sync.md", "`sync.max_sessions` (%d) sessions", []any{c.Sync.MaxSessions}},
		{"docs/sync.md", "| `sync.interval`, `sync.settle` | %dm, %dm |",
			[]any{minutes(c.Sync.Interval), minutes(c.Sync.Settle)}},
		{"docs/sync.md", "an automatic run reads: %s, %d, all", []any{c.Sync.Window, c.Sync.MaxSessions}},
		{"docs/sync.md", "is asked about at once: at most %d", []any{c.Sync.MaxWindowTokens}},
		{"docs/sync.md", "| `maintain.interval` | %dm,", []any{minutes(c.Maintain.Interval)}},
	} {
		docs.Says(t, says.file, says.format, says.figures...)
	}
}

// TestDocsSayHowMany checks the numbers of things in the docs.
func TestDocsSayHowMany(t *testing.T) {
	numbers := []string{3: "three", 4: "four", 5: "five", 6: "six"}
	docs.Says(t, "README.md", "hooks of %s agents", numbers[len(hooks.Agents())])
	groups := map[string]int{}
	for _, p := range leakPlants(t.TempDir()) {
		groups[p.group]++
	}
	for group, n := range groups {
		docs.Says(t, "docs/privacy.md", "%s %d planted, 0 leaked", group, n)
	}
	hundreds := len(privacy.Samples()) / 100 * 100
	docs.Says(t, "docs/privacy.md", "plants some %d made-up secrets", hundreds)
	docs.Says(t, "README.md", "plants %d,%03d invented secrets", hundreds/1000, hundreds%1000)
	goMod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	docs.Says(t, "README.md", "with Go %s or later",
		regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(goMod))[1])
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	targets, _, _ := strings.Cut(strings.SplitAfter(string(makefile), "\nTARGETS := ")[1], "\n")
	docs.Says(t, "docs/install.md", "`make release` of all %s systems", numbers[len(strings.Fields(targets))])
	for _, name := range []string{"_linux_amd64.tar.gz", "-1_amd64.deb"} {
		docs.Says(t, "docs/install.md", "keepmum_%s%s", series, name)
	}
	for _, name := range []string{"-1.x86_64.rpm", ".tgz"} {
		docs.Says(t, "docs/install.md", "keepmum-%s%s", series, name)
	}
}

// TestReadmeShowsTheDemo checks that the README shows the demo as it runs today: its lines except for times, sizes and
// what was cut.
func TestReadmeShowsTheDemo(t *testing.T) {
	cmd := mum(t.TempDir(), "demo")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	docs.Says(t, "README.md", "%d hook events", bytes.Count(demo.Session, []byte("\n")))
	for _, line := range []string{`(?m)^2\. What was kept .*`, `(?m)^   prompt .*`,
		`(?m)^   observation Read src/price.js .*`, `(?m)^   observation Edit .*`,
		`\d+ secrets planted, searched for in all`, `(?m)^   gone  ghp_.*`, `(?m)^   gone  AKIA.*`} {
		found := regexp.MustCompile(line).Find(out)
		if found == nil {
			t.Errorf("mum demo prints no %s\n%s", line, out)
			continue
		}
		docs.Says(t, "README.md", "%s", found)
	}
}
