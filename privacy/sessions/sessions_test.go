package sessions

import (
	"strconv"
	"testing"
)

func TestTheSessionUnusedForLongestMakesRoom(t *testing.T) {
	m := New(func() *int { return new(int) })
	*m.Need("used") = 1
	*m.Need("seen") = 2
	for i := range Max - 2 {
		m.Need(strconv.Itoa(i))
	}
	if v := m.Peek("seen"); v == nil || *v != 2 {
		t.Errorf("seen: %v", v)
	}
	m.Get("used")
	m.Need("one more")
	if v := m.Get("used"); v == nil || *v != 1 {
		t.Errorf("used: %v", v)
	}
	if m.Get("seen") != nil || m.Len() != Max {
		t.Errorf("seen is still there, or %d sessions", m.Len())
	}
}
