package patience

import (
	"testing"
)

func TestALookUpThatHangsIsLeftBehind(t *testing.T) {
	p := &Patience{make(chan struct{}, 1), 0}
	release := make(chan struct{})
	if p.Try(func() { <-release }) {
		t.Error("it came back")
	}
	if p.Try(func() {}) {
		t.Error("another one was begun")
	}
	close(release)
}
