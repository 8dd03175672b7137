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

func labelledSet(t *testing.T, name string) []labelled {
	t.Helper()
	dir := os.Getenv("MUM_EVAL_DIR")
	if dir == "" {
		t.Skip("MUM_EVAL_DIR is not set")
	}
	f, err := os.Open(filepath.Join(dir, "privacy", name))
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

// TestLabelledSetsReachTheirBars measures the share of secrets that are gone,
// and checks on real shapes what the fuzz targets check on made-up ones.
func TestLabelledSetsReachTheirBars(t *testing.T) {
	g := newGate(t, Options{})
	for _, set := range []struct {
		file string
		bar  float64 // percent of samples whose longest secret is gone
	}{{"gitleaks.jsonl", 99.5}, {"kingfisher.jsonl", 75}, {"noseyparker.jsonl", 65}, {"secretlint.jsonl", 75}, {"adversarial.jsonl", 97}} {
		t.Run(set.file, func(t *testing.T) {
			samples, gone := 0, 0
			for _, l := range labelledSet(t, set.file) {
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
			if share < set.bar {
				t.Errorf("%.1f %% gone, want %.1f %%", share, set.bar)
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
