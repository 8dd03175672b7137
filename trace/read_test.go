package trace

import (
	"errors"
	"strings"
	"testing"
)

func TestWhatNoRunIsCalledHasNoTrace(t *testing.T) {
	for _, id := range []string{"", "..", "../x", "a/b", "1\x00", strings.Repeat("a", 5000), "sync-1"} {
		if lines, err := Read(t.TempDir(), id); !errors.Is(err, ErrNone) {
			t.Errorf("%.20q: %v %v", id, lines, err)
		}
	}
}
