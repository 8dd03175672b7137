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
