package store

import (
	"context"
	"errors"
	"testing"
)

// TestACallerWhoGivesUpGetsNothing has the race detector look at what a write finds out after its caller left.
func TestACallerWhoGivesUpGetsNothing(t *testing.T) {
	db := openTest(t)
	ctx, cancel := context.WithCancel(t.Context())
	began, left := make(chan struct{}), make(chan struct{})
	go func() {
		<-began
		cancel()
	}()
	got, err := write(ctx, db.writer, func(*txState) (int, error) {
		close(began)
		<-left
		return 7, nil
	})
	if !errors.Is(err, context.Canceled) || got != 0 {
		t.Error(got, err)
	}
	close(left)
	if n, err := write(t.Context(), db.writer, func(*txState) (int, error) { return 8, nil }); n != 8 || err != nil {
		t.Error("the next write:", n, err)
	}
}
