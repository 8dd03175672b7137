package longtest

import "testing"

func TestALongTestRunsOnlyWhenAskedFor(t *testing.T) {
	for value, want := range map[string]bool{"": false, "1": true} {
		t.Setenv(Env, value)
		ran := false
		t.Run("long", func(t *testing.T) {
			Only(t)
			ran = true
		})
		if ran != want || Asked() != want {
			t.Errorf("%s=%q: ran %v, want %v", Env, value, ran, want)
		}
	}
}

func TestRoundsAreMoreWhenAskedFor(t *testing.T) {
	for _, c := range []struct {
		long, times string
		want        int
	}{{"", "", 2}, {"", "5", 2}, {"1", "", 30}, {"1", "5", 150}, {"1", "0", 30}, {"1", "many", 30}} {
		t.Setenv(Env, c.long)
		t.Setenv(RoundsEnv, c.times)
		if got := Rounds(2, 30); got != c.want {
			t.Errorf("%s=%q %s=%q: %d rounds, want %d", Env, c.long, RoundsEnv, c.times, got, c.want)
		}
	}
}

func TestASeedIsPlayedAgain(t *testing.T) {
	t.Setenv(SeedEnv, "42")
	if a, b := Chance(t).Uint64(), Chance(t).Uint64(); a != b {
		t.Errorf("%d and %d of one seed", a, b)
	}
	t.Setenv(SeedEnv, "")
	if a, b := Chance(t).Uint64(), Chance(t).Uint64(); a == b {
		t.Error("two runs without a seed are the same")
	}
}

func TestEachCaseRunsWhenAskedFor(t *testing.T) {
	for value, want := range map[string]int{"": 3, "1": 7} {
		t.Setenv(Env, value)
		ran := 0
		for i := range 7 {
			if Every(3, i) {
				ran++
			}
		}
		if ran != want {
			t.Errorf("%s=%q: %d ran, want %d", Env, value, ran, want)
		}
	}
}
