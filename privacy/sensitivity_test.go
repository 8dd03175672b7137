package privacy

import (
	"path/filepath"
	"strings"
	"testing"

	"keepmum/longtest"
	"keepmum/privacy/judge"
)

// Each sensitivity finds as much of each text as the one below, and more of all of them. It need not be the same value:
// what is taken out changes what is next to the others.
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
		for i, l := range labelledSet(t, set) {
			if !longtest.Every(6, i) {
				continue
			}
			below := 0
			for _, level := range judge.Sensitivities() {
				got := gates[level].Event(Raw{Output: l.Text}).Output.Text().String()
				here := goneFrom(got, l.Secrets)
				if here < below {
					t.Errorf("at %s %d values of %q are found, at a lower sensitivity %d", level, here, l.Text, below)
				}
				found[level] += here
				below = here
			}
		}
	}
	if found[judge.Low] >= found[judge.Normal] || found[judge.Normal] >= found[judge.High] {
		t.Errorf("found %v: each must find more than the one before", found)
	}
}

// goneFrom counts the secrets that are not in a text.
func goneFrom(text string, secrets []string) (gone int) {
	for _, s := range secrets {
		if !strings.Contains(text, s) {
			gone++
		}
	}
	return gone
}

func TestASensitivityThatThereIsNotIsAnError(t *testing.T) {
	if _, err := New(Options{Sensitivity: "medium"}); err == nil || !strings.Contains(err.Error(), "low, normal or high") {
		t.Errorf("got %v", err)
	}
}
