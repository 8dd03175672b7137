package privacy

import (
	"path/filepath"
	"strings"
	"testing"

	"keepmum/privacy/judge"
)

// Each sensitivity finds what the one below finds, and more of what people wrote.
func TestAHigherSensitivityFindsMore(t *testing.T) {
	sets, err := filepath.Glob("../testdata/privacy/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	found, gates := map[string]int{}, map[string]*Gate{}
	for _, level := range judge.Sensitivities() {
		gates[level] = newGate(t, Options{Sensitivity: level})
	}
	for _, set := range sets {
		for _, l := range labelledSet(t, set) {
			var below []bool
			for _, level := range judge.Sensitivities() {
				got := gates[level].Event(Raw{Output: l.Text}).Output.Text().String()
				here := goneFrom(got, l.Secrets)
				for i, gone := range here {
					if below != nil && below[i] && !gone {
						t.Errorf("at %s a value of %q is left that a lower sensitivity takes out", level, l.Text)
					}
					if gone {
						found[level]++
					}
				}
				below = here
			}
		}
	}
	if found[judge.Low] >= found[judge.Normal] || found[judge.Normal] >= found[judge.High] {
		t.Errorf("found %v: each must find more than the one before", found)
	}
}

func goneFrom(text string, secrets []string) (out []bool) {
	for _, s := range secrets {
		out = append(out, !strings.Contains(text, s))
	}
	return out
}

func TestASensitivityThatThereIsNotIsAnError(t *testing.T) {
	if _, err := New(Options{Sensitivity: "medium"}); err == nil || !strings.Contains(err.Error(), "low, normal or high") {
		t.Errorf("got %v", err)
	}
}
