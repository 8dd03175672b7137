package daemon

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"keepmum/spool"
	"keepmum/store"
)

func TestAnEventIsGivenUpAfterSeveralTries(t *testing.T) {
	tries := map[string]int{}
	own := errors.New("events of this kind are not stored")
	for i := 1; i <= drainTries; i++ {
		refused := (*spool.Refused)(nil)
		err := lastTry(t.Context(), tries, "k", own)
		if !errors.Is(err, own) || errors.As(err, &refused) != (i == drainTries) {
			t.Errorf("try %d: %v", i, err)
		}
	}
	if len(tries) != 0 {
		t.Errorf("still counted: %v", tries)
	}
}

func TestAFullDiskIsNoFaultOfAnEvent(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, c := range []struct {
		ctx context.Context
		err error
	}{
		{t.Context(), fmt.Errorf("write: %w", store.ErrFull)},
		{t.Context(), store.ErrCorrupt},
		{stopped, errors.New("anything")},
	} {
		tries := map[string]int{}
		for range 2 * drainTries {
			refused := (*spool.Refused)(nil)
			if err := lastTry(c.ctx, tries, "k", c.err); errors.As(err, &refused) {
				t.Errorf("given up: %v", err)
			}
		}
	}
}
