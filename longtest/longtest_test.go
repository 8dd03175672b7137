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
