package daemon

import "testing"

// A daemon rests once after the user's last action, and again after work of its own that came later.
func TestARestFollowsEachActivity(t *testing.T) {
	const idle, work = 100 << 10, 30 << 20
	var r rests
	total := uint64(0)
	for i, step := range []struct {
		searches int64
		worked   uint64
		due      bool
	}{{0, idle, false}, {1, idle, false}, {1, idle, true}, {1, idle, false}, {1, work, false}, {1, work, false},
		{1, idle, true}, {1, idle, false}, {2, work, false}, {2, work, false}, {2, idle, true}} {
		total += step.worked
		if got := r.due(use{searches: step.searches}, total); got != step.due {
			t.Errorf("look %d: %v", i, got)
		}
	}
}
