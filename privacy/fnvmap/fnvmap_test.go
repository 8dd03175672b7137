package fnvmap

import (
	"hash/fnv"
	"strconv"
	"testing"
)

func TestEachTextHasItsOwnNumber(t *testing.T) {
	const many = 1000
	var m Map[int]
	m.Grow(many)
	for n := range many {
		m.Put(Hash(strconv.Itoa(n)), n+1)
	}
	m.Put(Hash("7"), 70)
	for n := range many {
		want := n + 1
		if n == 7 {
			want = 70
		}
		if got := m.Get(Hash(strconv.Itoa(n))); got != want {
			t.Errorf("%d has %d, not %d", n, got, want)
		}
	}
	if got := m.Get(Hash("harbour")); got != 0 {
		t.Errorf("a text that was never put has %d", got)
	}
	m.Grow(1)
	if got := m.Get(Hash("7")); got != 0 {
		t.Errorf("after it was emptied: %d", got)
	}
}

func TestTheHashIsThatOfTheStandard(t *testing.T) {
	for _, text := range []string{"", "a", "wachtwoord", "пароль"} {
		h := fnv.New64a()
		_, _ = h.Write([]byte(text))
		if got := Hash(text); got != h.Sum64() {
			t.Errorf("%q: %x, want %x", text, got, h.Sum64())
		}
	}
}
