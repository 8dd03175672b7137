package distill

import (
	"context"
	"errors"
	"time"
)

// errYield says that a run makes room for somebody who types.
var errYield = errors.New("you are working")

// roomEvery is how often a run looks up from a session: a prompt must not wait
// until a long one is read.
const roomEvery = 50 * time.Millisecond

// within runs f, and ends its context when somebody comes. It reports whether that
// was so, and f did not get to its end: what f did is done again by the next run.
func (r *run) within(ctx context.Context, f func(context.Context) error) (left bool, err error) {
	if r.o.Yield == nil {
		return false, f(ctx)
	}
	inner, stop := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.lookUp(inner, stop)
	}()
	err = f(inner)
	stop(nil)
	<-done
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(inner), errYield) {
		r.report.Stopped = true
		return true, nil
	}
	return false, err
}

func (r *run) lookUp(ctx context.Context, stop context.CancelCauseFunc) {
	tick := time.NewTicker(roomEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if r.o.Yield() {
				stop(errYield)
				return
			}
		}
	}
}
