package capture

import (
	"testing"
	"time"
)

func TestAClockThatIsCorrectedKeepsTheOrderOfEvents(t *testing.T) {
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var c clock
	for _, step := range []struct{ reads, want time.Duration }{
		{0, 0}, {time.Second, time.Second},
		{-time.Minute, time.Second}, {-30 * time.Second, time.Second}, // set back a little: it waits
		{2 * time.Second, 2 * time.Second},
		{-time.Hour, -time.Hour}, // set back by much: it was wrong before
		{-59 * time.Minute, -59 * time.Minute},
	} {
		got := c.now(func() time.Time { return start.Add(step.reads) })
		if want := start.Add(step.want); !got.Equal(want) {
			t.Errorf("the clock reads %v: got %v, want %v", step.reads, got.Sub(start), step.want)
		}
	}
}
