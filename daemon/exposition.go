package daemon

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The text format of Prometheus, version 0.0.4. The official client would add 3 MiB to the program, mostly for a binary
// format that is not used here.
const expositionType = "text/plain; version=0.0.4; charset=utf-8"

// metricKind is the type of a metric.
type metricKind string

const (
	counter       metricKind = "counter"
	gauge         metricKind = "gauge"
	summary       metricKind = "summary"
	histogramKind metricKind = "histogram"
)

// exposition is a set of values that were read together.
type exposition struct{ families map[string]*family }

type family struct {
	help  string
	kind  metricKind
	lines []string
}

// add adds a value with its labels: pairs of name and value.
func (e *exposition) add(kind metricKind, name, help string, v float64, labels ...string) {
	e.part(kind, name, "", help, v, labels...)
}

// part adds a value that is one of several parts of a metric.
func (e *exposition) part(kind metricKind, name, suffix, help string, v float64, labels ...string) {
	if e.families == nil {
		e.families = map[string]*family{}
	}
	f := e.families[name]
	if f == nil {
		f = &family{help: help, kind: kind}
		e.families[name] = f
	}
	var all []string
	for i := 0; i+1 < len(labels); i += 2 {
		all = append(all, labels[i]+`="`+labelEscapes.Replace(labels[i+1])+`"`)
	}
	line := name + suffix
	if len(all) > 0 {
		line += "{" + strings.Join(all, ",") + "}"
	}
	f.lines = append(f.lines, line+" "+number(v))
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func number(v float64) string {
	if math.IsInf(v, 1) {
		return "+Inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// text returns the values in the format that Prometheus reads. Metrics without a natural order are sorted by name.
func (e *exposition) text() []byte {
	var names []string
	for name, f := range e.families {
		names = append(names, name)
		if f.kind != histogramKind {
			slices.Sort(f.lines)
		}
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		f := e.families[name]
		b.WriteString("# HELP " + name + " " + f.help + "\n# TYPE " + name + " " + string(f.kind) + "\n")
		b.WriteString(strings.Join(f.lines, "\n") + "\n")
	}
	return []byte(b.String())
}

// histogram counts values in buckets, each bound twice the one before.
type histogram struct {
	name, help string
	bounds     []float64
	mu         sync.Mutex
	counts     []uint64
	count      uint64
	sum        float64
}

func newHistogram(name, help string, first float64, bounds int) *histogram {
	h := &histogram{name: name, help: help, counts: make([]uint64, bounds)}
	for b := first; len(h.bounds) < bounds; b *= 2 {
		h.bounds = append(h.bounds, b)
	}
	return h
}

func (h *histogram) observe(v float64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if i, _ := slices.BinarySearch(h.bounds, v); i < len(h.counts) {
		h.counts[i]++
	}
	h.count++
	h.sum += v
}

func (h *histogram) tell(e *exposition) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var n uint64
	for i, b := range h.bounds {
		n += h.counts[i]
		e.part(histogramKind, h.name, "_bucket", h.help, float64(n), "le", number(b))
	}
	e.part(histogramKind, h.name, "_bucket", h.help, float64(h.count), "le", "+Inf")
	e.part(histogramKind, h.name, "_sum", h.help, h.sum)
	e.part(histogramKind, h.name, "_count", h.help, float64(h.count))
}
