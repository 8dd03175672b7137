package privacy

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// labelled is a sample of a set that others made.
type labelled struct {
	Rule    string
	Kind    string // tp or fp
	Text    string
	Secrets []string
	Visible *bool
}

func labelledSet(t *testing.T, path string) []labelled {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []labelled
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var l labelled
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		out = append(out, l)
	}
	return out
}

// TestLabelledSetsReachTheBar measures the share of secrets that are gone from
// the sets in $MUM_EVAL_DIR/privacy, and checks on real shapes what the fuzz
// targets check on made-up ones.
func TestLabelledSetsReachTheBar(t *testing.T) {
	const bar = 65 // percent of samples whose longest secret is gone; what some sets call secret is none for us
	sets, err := filepath.Glob(filepath.Join(os.Getenv("MUM_EVAL_DIR"), "privacy", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("MUM_EVAL_DIR") == "" || len(sets) == 0 {
		t.Skip("MUM_EVAL_DIR names no labelled sets")
	}
	g := newGate(t, Options{})
	for _, path := range sets {
		t.Run(filepath.Base(path), func(t *testing.T) {
			samples, gone := 0, 0
			for _, l := range labelledSet(t, path) {
				got := g.Event(Raw{Output: l.Text}).Output.Text().String()
				if again := g.Event(Raw{Output: got}).Output.Text().String(); again != got {
					t.Errorf("%s: cleaned again, %.80q became %.80q", l.Rule, got, again)
				}
				if isJSON(l.Text) && !isJSON(got) {
					t.Errorf("%s: no JSON any more", l.Rule)
				}
				if l.Kind != "tp" || len(l.Secrets) == 0 || l.Visible != nil && !*l.Visible {
					continue
				}
				samples++
				if !strings.Contains(got, longest(l.Secrets)) {
					gone++
				}
			}
			share := 100 * float64(gone) / float64(samples)
			t.Logf("%d samples, %.1f %% gone", samples, share)
			if share < bar {
				t.Errorf("%.1f %% gone, want %d %%", share, bar)
			}
		})
	}
}

func longest(all []string) (out string) {
	for _, s := range all {
		if len(s) > len(out) {
			out = s
		}
	}
	return out
}
