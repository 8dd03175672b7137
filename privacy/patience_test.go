package privacy

import (
	"testing"
)

func TestALookUpThatHangsIsLeftBehind(t *testing.T) {
	p := &patience{make(chan struct{}, 1), 0}
	release := make(chan struct{})
	if p.try(func() { <-release }) {
		t.Error("it came back")
	}
	if p.try(func() {}) {
		t.Error("another one was begun")
	}
	close(release)
}
