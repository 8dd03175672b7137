package judge

import (
	_ "embed"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"keepmum/privacy/fnvmap"
)

// packedWeights is the model that `make train-gate` fitted, in the format of [Pack]: weights.txt lists the same with
// the names of the features.
//
//go:embed weights.bin
var packedWeights string

// Model returns the embedded weights: they change whenever the judge is fitted again.
func Model() string { return packedWeights }

// commonText contains the parts of words in ordinary text, most common first: a line starts with how common its words
// are, in steps that double.
//
//go:embed common.txt
var commonText string

// weights are the fitted model.
type weights struct {
	head   map[string]float32 // the numbers of heads
	bias   float32
	first  float32 // the bias of the first stage
	of     fnvmap.Map[float32]
	common fnvmap.Map[uint8]

	rows       atomic.Pointer[map[string]*row] // by kind, for the first stage
	predicates []predicate                     // that have a weight
	lift       float32                         // the most that these can add, and a little for rounding

	// The same for values with a name.
	namedBias       float32
	namedBars       [len(namedClasses)][3]float32 // by class and sensitivity
	namedPredicates []predicate
	namedLift       float32 // the most that these can add
	namedFall       float32 // and take away
}

var (
	embedded  = sync.OnceValue(func() *weights { return unpack(packedWeights, commonText) })
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

// UseWeights replaces the embedded weights: `make train-gate` needs features before there are weights.
func UseWeights(weightLines, common string) {
	w := unpack(Pack(weightLines), common)
	inUseLock.Lock()
	defer inUseLock.Unlock()
	replaced = w
}

// The parts of packed weights: numbers that occur once, then a hash of each feature and its weight.
const (
	packedSize = hashBytes + 2 // a hash, and the weight in hundredths
	hashBytes  = 8
)

// heads are the names of the numbers that occur once in the weights: the bias of each judge and stage, and the
// threshold of each sensitivity; of values with a name, also by class.
var heads = func() []string {
	out := []string{"bias", "first", "named.bias"}
	for _, sensitivity := range Sensitivities() {
		out = append(out, "bar."+sensitivity)
		for _, class := range namedClasses {
			out = append(out, "named.bar."+class+"."+sensitivity)
		}
	}
	return out
}()

// Pack converts a list of weights, one line with a feature, a tab and its weight each, into the embedded format.
func Pack(lines string) string {
	head := make([]float32, len(heads))
	var body []byte
	for l := range strings.Lines(lines) {
		name, number, _ := strings.Cut(strings.TrimSuffix(l, "\n"), "\t")
		f, err := strconv.ParseFloat(number, 32)
		if err != nil {
			continue
		}
		if n := slices.Index(heads, name); n >= 0 {
			head[n] = float32(f)
			continue
		}
		body = binary.LittleEndian.AppendUint64(body, fnvmap.Hash(name))
		body = binary.LittleEndian.AppendUint16(body, uint16(int16(math.Round(f*100))))
	}
	var out []byte
	for _, f := range head {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(f))
	}
	return string(append(out, body...))
}

func unpack(packed, commonLines string) *weights {
	raw := []byte(packed)
	w := &weights{head: map[string]float32{}}
	for _, name := range heads {
		w.head[name] = math.Float32frombits(binary.LittleEndian.Uint32(raw))
		raw = raw[4:]
	}
	w.bias, w.first, w.namedBias = w.head["bias"], w.head["first"], w.head["named.bias"]
	for c, class := range namedClasses {
		for n, sensitivity := range Sensitivities() {
			w.namedBars[c][n] = w.head["named.bar."+class+"."+sensitivity]
		}
	}
	w.of.Grow(len(raw) / packedSize)
	for ; len(raw) > 0; raw = raw[packedSize:] {
		w.of.Put(binary.LittleEndian.Uint64(raw), float32(int16(binary.LittleEndian.Uint16(raw[hashBytes:])))/100)
	}
	w.lift = rounding
	w.predicates = w.weighedPredicates(fValueIs.name + "=")
	w.namedPredicates = w.weighedPredicates(fNamedIs.name + "=")
	for _, is := range w.predicates {
		w.lift += max(is.weight, 0)
	}
	w.namedLift, w.namedFall = rounding, -rounding
	for _, is := range w.namedPredicates {
		w.namedLift += max(is.weight, 0)
		w.namedFall += min(is.weight, 0)
	}
	w.common.Grow(strings.Count(commonLines, " "))
	for l := range strings.Lines(commonLines) {
		level, words, _ := strings.Cut(strings.TrimSuffix(l, "\n"), " ")
		n, err := strconv.Atoi(level)
		if err != nil {
			continue
		}
		for word := range strings.SplitSeq(words, " ") {
			w.common.Put(fnvmap.Hash(word), uint8(n))
		}
	}
	return w
}

// weighedPredicates returns the predicates that have a weight in a group.
func (w *weights) weighedPredicates(group string) (out []predicate) {
	for _, is := range predicates {
		if is.weight = w.of.Get(fnvmap.Hash(group + is.name)); is.weight != 0 {
			out = append(out, is)
		}
	}
	return out
}

// featureSum adds up the weights of features; if somebody asks why, it also records the features.
type featureSum struct {
	w        *weights
	score    float32
	recorded bool
	names    []string  // the recorded features
	parts    []float32 // and their weights
	room     []byte
}

func (f *featureSum) begin(w *weights, bias float32, recorded bool) {
	f.w, f.score, f.recorded = w, bias, recorded
	f.names, f.parts = f.names[:0], f.parts[:0]
}

// put adds a feature: a group, and its values.
func (f *featureSum) put(g group, says ...string) {
	weight := f.weight(g, says...)
	f.score += weight
	if f.recorded {
		f.names = append(f.names, g.name+"="+strings.Join(says, "|"))
		f.parts = append(f.parts, weight)
	}
}

// weight returns the weight of a feature.
func (f *featureSum) weight(g group, says ...string) float32 {
	sum := g.sum
	for n, say := range says {
		if n > 0 {
			sum = (sum ^ '|') * fnvmap.Prime
		}
		for i := range len(say) {
			sum = (sum ^ uint64(say[i])) * fnvmap.Prime
		}
	}
	return f.w.of.Get(sum)
}
