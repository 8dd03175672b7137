package cputime

import (
	"runtime"
	"testing"
)

func TestWorkIsSpent(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, sum := Spent(), 0
	for i := range 50_000_000 {
		sum += i % 7
	}
	if after := Spent(); after <= before || sum == 0 {
		t.Errorf("%v, then %v", before, after)
	}
}
