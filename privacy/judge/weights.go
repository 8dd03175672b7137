package judge

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// weightsText is what `make train-gate` fitted: a feature, a blank, its weight.
//
//go:embed weights.txt
var weightsText string

// commonText is the parts of words that ordinary text has, most common first: a line
// begins with how common its words are, in steps that double.
//
//go:embed common.txt
var commonText string

// weights are the fitted model.
type weights struct {
	bias   float32
	first  float32            // the bias of the first stage
	bars   map[string]float32 // the score from which on a candidate is taken out, by sensitivity
	of     table[float32]
	common table[uint8]

	rows       atomic.Pointer[map[string]*row] // by kind, of the first stage
	predicates []predicate                     // that have a weight
	lift       float32                         // that these can add, and a little for rounding
}

var (
	embedded  = sync.OnceValue(func() *weights { return parseWeights(weightsText, commonText) })
	inUseLock sync.Mutex
	replaced  *weights
)

func weightsInUse() *weights {
	inUseLock.Lock()
	defer inUseLock.Unlock()
	if replaced != nil {
		return replaced
	}
	return embedded()
}

// UseWeights puts other weights in place of the embedded ones: `make train-gate`
// asks for features before there are weights.
func UseWeights(weights, common string) {
	w := parseWeights(weights, common)
	inUseLock.Lock()
	defer inUseLock.Unlock()
	replaced = w
}

func parseWeights(weightLines, commonLines string) *weights {
	w := &weights{bars: map[string]float32{}}
	w.of.grow(strings.Count(weightLines, "\n"))
	for l := range strings.Lines(weightLines) {
		name, number, ok := strings.Cut(strings.TrimSuffix(l, "\n"), "\t")
		f, err := strconv.ParseFloat(number, 32)
		bar, isBar := strings.CutPrefix(name, "bar.")
		switch {
		case !ok || err != nil:
		case isBar:
			w.bars[bar] = float32(f)
		case name == "bias":
			w.bias = float32(f)
		case name == "first":
			w.first = float32(f)
		default:
			w.of.put(hash(name), float32(f))
		}
	}
	w.lift = 0.01
	for _, is := range predicates {
		if weight := w.of.get(hash("value.is=" + is.name)); weight != 0 {
			w.predicates = append(w.predicates, is)
			w.lift += max(weight, 0)
		}
	}
	w.common.grow(strings.Count(commonLines, " "))
	for l := range strings.Lines(commonLines) {
		level, words, _ := strings.Cut(strings.TrimSuffix(l, "\n"), " ")
		n, err := strconv.Atoi(level)
		if err != nil {
			continue
		}
		for word := range strings.SplitSeq(words, " ") {
			w.common.put(hash(word), uint8(n))
		}
	}
	return w
}

// table is a map from hashes, of a size that is a power of two. Half of a hash and the value
// lie side by side: most look-ups wait for memory. The other half is where they lie.
type table[V any] []entry[V]

type entry[V any] struct {
	key   uint32 // 0 = none
	value V
}

func (t *table[V]) grow(n int) {
	size := 64
	for size < 2*n {
		size *= 2
	}
	*t = make([]entry[V], size)
}

func (t table[V]) slot(hash uint64) (e *entry[V], key uint32) {
	key = max(1, uint32(hash>>32))
	for i := hash; ; i++ {
		if e = &t[i&uint64(len(t)-1)]; e.key == key || e.key == 0 {
			return e, key
		}
	}
}

func (t table[V]) put(hash uint64, v V) {
	e, key := t.slot(hash)
	*e = entry[V]{key, v}
}

func (t table[V]) get(hash uint64) V {
	e, _ := t.slot(hash)
	return e.value
}

const (
	fnvStart = 14695981039346656037
	fnvPrime = 1099511628211
)

func hash(s string) uint64 {
	sum := uint64(fnvStart)
	for i := range len(s) {
		sum = (sum ^ uint64(s[i])) * fnvPrime
	}
	return sum
}

// sheet adds the weights of features up; when somebody asks why, it notes their names.
type sheet struct {
	w     *weights
	score float32
	named bool
	names []string
	parts []float32
	room  []byte
}

func (f *sheet) begin(w *weights, bias float32, named bool) {
	f.w, f.score, f.named = w, bias, named
	f.names, f.parts = f.names[:0], f.parts[:0]
}

// put adds a feature: a group, and what it says.
func (f *sheet) put(group string, says ...string) {
	sum := uint64(fnvStart)
	for i := range len(group) {
		sum = (sum ^ uint64(group[i])) * fnvPrime
	}
	for n, say := range says {
		c := byte('|')
		if n == 0 {
			c = '='
		}
		sum = (sum ^ uint64(c)) * fnvPrime
		for i := range len(say) {
			sum = (sum ^ uint64(say[i])) * fnvPrime
		}
	}
	weight := f.w.of.get(sum)
	f.score += weight
	if f.named {
		f.names = append(f.names, group+"="+strings.Join(says, "|"))
		f.parts = append(f.parts, weight)
	}
}
