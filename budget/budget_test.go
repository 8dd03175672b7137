package budget

import (
	"testing"
	"time"
)

func TestABudgetGrowsWithThePatience(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"": 1, "1": 1, "30": 30, "0": 1, "-3": 1, "much": 1, "2.5": 1, "1000000": maxFactor,
	} {
		t.Setenv(Env, text)
		if got := Of(time.Second); got != want*time.Second {
			t.Errorf("%q: a second became %v, want %v", text, got, want*time.Second)
		}
	}
}
