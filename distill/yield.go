package distill

import (
	"context"
	"errors"
	"time"
)

// errYield means that a run stopped because the user is working.
var errYield = errors.New("you are working")

// checkEvery is how often a run checks for that while it reads a session: a prompt must not wait until a long one has
// been read.
const checkEvery = 50 * time.Millisecond

// unlessUserWorks runs f and cancels its context when the user starts to work. It reports whether f was interrupted;
// the next run then does the work of f again.
func (r *run) unlessUserWorks(ctx context.Context, f func(context.Context) error) (left bool, err error) {
	if r.o.Yield == nil {
		return false, f(ctx)
	}
	inner, stop := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.watchUser(inner, stop)
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

// watchUser calls stop when the user starts to work, and returns when ctx ends.
func (r *run) watchUser(ctx context.Context, stop context.CancelCauseFunc) {
	tick := time.NewTicker(checkEvery)
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
