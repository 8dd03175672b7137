package await

import (
	"runtime"
	"testing"
	"testing/synctest"
)

// fatal is a test that is told of a wait in vain.
type fatal struct {
	testing.TB
	told bool
}

func (f *fatal) Helper() {}

func (f *fatal) Fatalf(string, ...any) {
	f.told = true
	runtime.Goexit()
}

func TestTrue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		looks := 0
		True(t, "the third look", func() bool { looks++; return looks == 3 })
		vain, done := &fatal{TB: t}, make(chan struct{})
		go func() {
			defer close(done)
			True(vain, "what never comes", func() bool { return false })
		}()
		<-done
		if looks != 3 || !vain.told {
			t.Errorf("%d looks, told of the wait in vain: %v", looks, vain.told)
		}
	})
}
