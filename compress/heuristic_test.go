package compress

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"keepmum/store"
)

var update = flag.Bool("update", false, "write the document instead of comparing it")

// root matches the directory of the recorded projects, which titles omit.
var root = regexp.MustCompile(`^/home/dev/(?:inn|web|etl|fetcher)/`)

// recorded is one turn of testdata/turns.jsonl.
type recorded struct {
	Name, Prompt, Answer string
	Steps                []struct {
		Tool          string
		Input, Output json.RawMessage
		Failed        bool
	}
}

// rows returns the documents that the store would have for the turn.
func (r recorded) rows() []store.ObservationRow {
	rows := []store.ObservationRow{{Type: store.KindPrompt, Role: string(store.RoleUser), Text: r.Prompt}}
	for _, s := range r.Steps {
		row := store.ObservationRow{Type: store.KindObservation, Tool: s.Tool, Input: string(s.Input),
			Output: string(s.Output), Failed: s.Failed}
		in := fields(row.Input)
		row.Title = s.Tool + " " +
			root.ReplaceAllString(firstOf(in, "file_path", "filePath", "command", "pattern", "url", "description"), "")
		row.Excluded = strings.Contains(row.Output, "[EXCLUDED:")
		rows = append(rows, row)
	}
	if r.Answer != "" {
		rows = append(rows, store.ObservationRow{Type: store.KindPrompt, Role: string(store.RoleAssistant), Text: r.Answer})
	}
	return rows
}

func recordedTurns(t *testing.T) []recorded {
	t.Helper()
	raw, err := os.ReadFile("testdata/turns.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var turns []recorded
	lines := bufio.NewScanner(bytes.NewReader(raw))
	for lines.Scan() {
		var r recorded
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		turns = append(turns, r)
	}
	return turns
}

// corpus counts the words of the recorded turns themselves.
type corpus []recorded

func (c corpus) DocumentFrequencies(_ context.Context, _ int64, words []string) (map[string]int, int, error) {
	df := map[string]int{}
	for _, r := range c {
		in := readTurn(r.rows()).words()
		for _, w := range words {
			if in[w] > 0 {
				df[w]++
			}
		}
	}
	return df, len(c), nil
}

// The document is a golden file: it must show what the code does.
func TestTheDocumentShowsWhatTheHeuristicSays(t *testing.T) {
	doc := filepath.Join("..", "docs", "summaries.md")
	old, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	const mark = "<!-- made by: go test ./compress -run TheDocument -update -->\n"
	head, _, found := strings.Cut(string(old), mark)
	if !found {
		t.Fatalf("%s has no line %q", doc, mark)
	}
	want := head + mark + table(t)
	if *update {
		if err := os.WriteFile(doc, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, string(old)); diff != "" {
		t.Errorf("run: go test ./compress -run TheDocument -update\n%s", diff)
	}
}

func table(t *testing.T) string {
	turns := recordedTurns(t)
	var b strings.Builder
	for i, r := range turns {
		in := readTurn(r.rows())
		if !in.isWorthwhile() {
			fmt.Fprintf(&b, "\n%d. **%s**: %s\n\n   → no summary: nothing happened\n", i+1, r.Name, r.Prompt)
			continue
		}
		d := heuristic(in)
		words, err := concepts(t.Context(), corpus(turns), 1, in)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "\n%d. **%s**: %s\n", i+1, r.Name, shorten(r.Prompt, 200))
		for _, s := range r.Steps {
			fmt.Fprintf(&b, "   - %s `%s`%s\n", s.Tool,
				shorten(firstOf(fields(string(s.Input)), "file_path", "filePath", "command", "pattern", "url", "query",
					"description"), 90), map[bool]string{true: " (failed)"}[s.Failed])
		}
		fmt.Fprintf(&b, "\n   → *%s*: %s\n   → %s\n", d.Type, d.Text, strings.Join(words, ", "))
	}
	return b.String()
}

func TestNoRecordedTurnBecomesJunk(t *testing.T) {
	for _, r := range recordedTurns(t) {
		in := readTurn(r.rows())
		if !in.isWorthwhile() {
			continue
		}
		d := heuristic(in)
		if err := check(d, ""); err != nil {
			t.Errorf("%s: %v: %s", r.Name, err, d.Text)
		}
		if len(d.Title) > maxTitle || len(d.Text) > maxText || !utf8.ValidString(d.Text) {
			t.Errorf("%s: %d bytes of title, %d of text", r.Name, len(d.Title), len(d.Text))
		}
	}
}

func FuzzTheHeuristicKeepsItsLimits(f *testing.F) {
	f.Add("fix it", "done", "Bash", `{"command":"go test ./..."}`, `{"stdout":"FAIL"}`)
	f.Add("", "", "apply_patch", `{"command":"*** Begin Patch\n*** Add File: x\n+func f() {\n"}`, "[REDACTED:")
	f.Fuzz(func(t *testing.T, prompt, answer, tool, in, out string) {
		rows := []store.ObservationRow{{Type: store.KindPrompt, Role: "user", Text: prompt},
			{Type: store.KindObservation, Tool: tool, Title: tool, Input: in, Output: out, Failed: true},
			{Type: store.KindPrompt, Role: "assistant", Text: answer}}
		d := heuristic(readTurn(rows))
		if len(d.Text) > maxText || len(d.Title) > maxTitle || d.Text == "" || len(d.Files) > maxFiles {
			t.Errorf("%d bytes of text, %d of title, %d files", len(d.Text), len(d.Title), len(d.Files))
		}
	})
}
