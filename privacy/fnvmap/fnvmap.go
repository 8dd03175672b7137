// Package fnvmap answers one question: which number belongs to this text, as fast as memory allows?
//
// The keys are hashes (FNV-1a), so that a text that is put together byte by byte need not be written down first.
package fnvmap

// Map is a hash map whose size is a power of two; [Map.Grow] must be called before anything else. The lower bits of a
// hash say where its entry is, which holds the upper half and the value side by side: a look-up spends most of its time
// waiting for memory.
type Map[V any] []entry[V]

type entry[V any] struct {
	key   uint32 // the upper half of the hash, 1 if that is 0; 0 = there is no entry
	value V
}

// Grow makes room for n values; what was in the map is dropped.
func (t *Map[V]) Grow(n int) {
	size := 64
	for size < 2*n {
		size *= 2
	}
	*t = make([]entry[V], size)
}

// slot returns the entry of a hash, or the empty one in which it belongs.
func (t Map[V]) slot(hash uint64) (e *entry[V], key uint32) {
	key = max(1, uint32(hash>>32))
	for i := hash; ; i++ {
		if e = &t[i&uint64(len(t)-1)]; e.key == key || e.key == 0 {
			return e, key
		}
	}
}

// Put sets the value of a hash.
func (t Map[V]) Put(hash uint64, v V) {
	e, key := t.slot(hash)
	*e = entry[V]{key, v}
}

// Get returns the value of a hash, the zero value if there is none.
func (t Map[V]) Get(hash uint64) V {
	e, _ := t.slot(hash)
	return e.value
}

// The numbers of FNV-1a.
const (
	Start = 14695981039346656037
	Prime = 1099511628211
)

// Hash returns the hash of a text.
func Hash(s string) uint64 {
	sum := uint64(Start)
	for i := range len(s) {
		sum = (sum ^ uint64(s[i])) * Prime
	}
	return sum
}
