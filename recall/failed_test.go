package recall

import (
	"strings"
	"testing"

	"keepmum/store"
)

// ran is a session of commands: "! " one that failed, "? " one of a subagent that failed.
func ran(commands ...string) (lines []store.Line) {
	for i, c := range commands {
		l := store.Line{ID: int64(i + 1), Type: store.KindObservation, Tool: "Bash"}
		kind, rest, _ := strings.Cut(c, " ")
		switch kind {
		case "?":
			l.Who, l.Failed = "explorer", true
		case "!":
			l.Failed = true
		default:
			rest = c
		}
		l.Title = "Bash " + rest
		lines = append(lines, l)
	}
	return lines
}

func TestTheCommandThatFailedLast(t *testing.T) {
	const totals = "! go test ./internal/order -run TestTotals"
	for name, c := range map[string]struct {
		lines []store.Line
		want  string
	}{
		"a search that finds nothing": {ran(totals, "! rg outbox"), "Bash go test ./internal/order -run TestTotals"},
		"a subagent":                  {ran("? make lint"), ""},
		"a wider run that passed":     {ran(totals, "go test ./..."), ""},
		"another run that passed":     {ran(totals, "go test ./cart"), "Bash go test ./internal/order -run TestTotals"},
		"another program":             {ran("! npm install", "pnpm install"), ""},
		"the same":                    {ran("! make test", "make test"), ""},
		"none of it":                  {ran("! make test", "ls"), "Bash make test"},
	} {
		got := ""
		if d := digestOf(c.lines); d.failed != nil {
			got = d.failed.Title
		}
		if got != c.want {
			t.Errorf("%s: failed last is %q", name, got)
		}
	}
}
