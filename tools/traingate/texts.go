package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepmum/privacy"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// text is a line of a set.
type text struct {
	Kind    string   `json:"kind"`
	Text    string   `json:"text"`
	Secrets []string `json:"secrets"`
	Source  string   `json:"source"`
	kind    string   // of ordinary text
}

// texts calls do with each text of a set until it returns false.
func texts(path string, do func(text) bool) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	for lines := json.NewDecoder(bufio.NewReaderSize(f, 1<<20)); ; {
		var t text
		if err := lines.Decode(&t); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if !do(t) {
			return nil
		}
	}
}

// harmless reads texts that must stay: one per line, or blocks below "== NAME".
func (t *trainer) harmless(path string) error {
	const weight = 4 // each was written as a text from which a gate wrongly takes something out
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(filepath.Base(path), ".txt")
	blocks := strings.Split("\n"+string(raw), "\n== ")
	for line := range strings.Lines(blocks[0]) {
		t.look(name, -1, text{Kind: "fp", Text: line}, weight)
	}
	t.look(name, -1, text{Kind: "fp", Text: blocks[0]}, weight)
	for _, b := range blocks[1:] {
		_, body, _ := strings.Cut(b, "\n")
		t.look(name, -1, text{Kind: "fp", Text: body}, weight)
	}
	return nil
}

// example is a candidate and whether it is a secret.
type example struct {
	features []uint32
	origin   int32 // the text it comes from, or is a copy of; of ordinary text, the source
	weight   float32
	secret   bool
	group    string // the set it belongs to, "" = ordinary text
	second   bool   // from the second half of that set
	text     int    // its text in that set
	where    [2]int
	class    string // of a value with a name, "" = a word near a cue
	sure     bool   // its form decides
	fixture  bool   // it has the form of a secret, in test code
	says     string // what it is, for the list of errors
}

// trainer contains all examples.
type trainer struct {
	options
	names       []string
	number      map[string]uint32
	examples    []example
	sets        []string
	second      bool // read the second half of a set
	origin      int32
	labels      map[string][]text
	taken       map[string][][]bool // for each text of a set: which of its values readers take out
	seen        map[string][][]seen // and its candidates
	bar         []barred            // ordinary text for setting the threshold
	namedBar    []barred            // the same for values with a name
	barMB       map[string]float64
	sources     map[string]int32
	namedValues []namedValue // of the set that is read
	kept        []string     // lines of weights that stay
	unmined     []text       // ordinary text of which only what a first fit nearly takes out is used
}

// barred is a candidate of ordinary text of which only the score is used.
type barred struct {
	features []uint32
	value    string
	program  bool // it is on a line of a program
	kind     string
	class    string // as in example
	sure     bool
	says     string
}

func newTrainer(o options) *trainer {
	return &trainer{
		options: o, number: map[string]uint32{}, labels: map[string][]text{}, taken: map[string][][]bool{},
		seen: map[string][][]seen{}, barMB: map[string]float64{}, sources: map[string]int32{},
	}
}

func (t *trainer) intern(names []string) []uint32 {
	out := make([]uint32, 0, len(names))
	for _, n := range names {
		id, ok := t.number[n]
		if !ok {
			id = uint32(len(t.names))
			t.number[n] = id
			t.names = append(t.names, n)
		}
		out = append(out, id)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// lookAlike is the weight of a candidate in a text that was written to look like one with a secret.
const lookAlike = 6

// labelled reads a set: each text as it is, and with other values in it.
func (t *trainer) labelled(name, path string) error {
	t.sets = append(t.sets, name)
	err := texts(path, func(x text) bool {
		t.labels[name] = append(t.labels[name], x)
		return true
	})
	rnd := rand.New(rand.NewPCG(20, 26))
	pool := map[string][]string{}
	for n, x := range t.labels[name] {
		if second := n*2 >= len(t.labels[name]); n == 0 || second != t.second {
			t.second, pool = second, t.valuesOf(name, second)
		}
		weight := float32(1)
		if x.Kind == "fp" {
			weight = lookAlike
		}
		t.origin++
		t.taken[name] = append(t.taken[name], t.look(name, n, x, weight))
		if x.Kind == "fp" || t.swaps == 0 {
			continue
		}
		for i := range t.swaps {
			t.look(name, -1, swapped(x, pool, rnd, i*2 < t.swaps), 1/float32(t.swaps))
		}
	}
	t.reframe(name, rnd)
	t.second = false
	return err
}

// spansOf returns where the labelled values of a text are.
func spansOf(x text) (out [][2]int) {
	for _, s := range x.Secrets {
		for at := 0; s != ""; {
			i := strings.Index(x.Text[at:], s)
			if i < 0 {
				break
			}
			out = append(out, [2]int{at + i, at + i + len(s)})
			at += i + len(s)
		}
	}
	return out
}

// look turns a text's candidates into examples, and returns which of its values readers take out.
func (t *trainer) look(set string, n int, x text, weight float32) []bool {
	labels := spansOf(x)
	var candidates []seen
	spans := privacy.Weighed(x.Text, func(c scan.Judged) {
		features := t.intern(c.Features)
		if n >= 0 && c.Name == "" {
			candidates = append(candidates, seen{[2]int{c.Start, c.End}, features})
		}
		sure, partly := labelOf(c, labels)
		if partly {
			return
		}
		v := x.Text[c.Start:c.End]
		if n >= 0 && c.Name != "" {
			t.namedValues = append(t.namedValues, namedValue{c.Name, v, sure})
		}
		decided := c.Name == "" && (c.Taken || c.Vetoed)
		if !sure && (decided || set == "" && real(v)) {
			return
		}
		t.examples = append(t.examples, example{
			features: features, origin: t.origin, weight: weight, secret: sure, group: set, second: t.second, text: n,
			where: [2]int{c.Start, c.End}, class: c.Class, sure: c.Sure, fixture: x.kind == "test" && fixture(v),
			says: around(x.Text, c),
		})
	})
	if n >= 0 {
		t.seen[set] = append(t.seen[set], candidates)
	}
	left := cut(x.Text, spans)
	var gone []bool
	for _, s := range x.Secrets {
		gone = append(gone, !strings.Contains(left, s))
	}
	return gone
}

// labelOf reports whether a candidate is a labelled value, or only a part of one, or more than one.
func labelOf(c scan.Judged, labels [][2]int) (is, partly bool) {
	for _, l := range labels {
		inter := min(l[1], c.End) - max(l[0], c.Start)
		if inter <= 0 {
			continue
		}
		if inter*5 < (c.End-c.Start)*4 || inter*2 < l[1]-l[0] {
			return false, true
		}
		is = true
	}
	return is, false
}

// fixture reports whether a value with a name is one that people use for a secret in test code: it is no example of
// what is harmless.
func fixture(v string) bool { return value.Mixed(v) }

// cut returns a text without some spans.
func cut(text string, spans []scan.Span) string {
	return scan.Replace(text, scan.Merge(slices.Clone(spans)), func(scan.Span) string { return "\x00" })
}

// ordinary reads the ordinary text for tuning: part is for fitting, part for setting the threshold. It does not read
// the text for reporting.
func (t *trainer) ordinary() error {
	files, err := filepath.Glob(filepath.Join(t.benign, "*.tune.jsonl"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no ordinary text in %s (tools/gatediff/benign.sh collects it): %w", t.benign, err)
	}
	for _, f := range files {
		kind, _, _ := strings.Cut(filepath.Base(f), ".")
		info, err := os.Stat(f)
		if err != nil {
			return err
		}
		part := func(mb int) float64 { return float64(mb<<20) / float64(info.Size()) }
		fit, bar := part(t.options.fit), part(t.options.bar)
		if sum := fit + bar; sum > 1 {
			fit, bar = fit/sum, bar/sum
		}
		rnd := rand.New(rand.NewPCG(20, 26))
		err = texts(f, func(x text) bool {
			x.kind = kind
			at := shareOf(x.Source)
			if kind == "session" {
				at = rnd.Float64() // these are of a few repositories
			}
			switch {
			case at < fit:
				t.origin = t.source(x.Source)
				t.look("", -1, x, 1)
			case at < fit+bar:
				t.barMB[kind] += float64(len(x.Text)) / 1e6
				t.bars(x)
			default:
				t.unmined = append(t.unmined, x)
			}
			return true
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// shareOf returns a number from 0 to 1 for a source, as if it were drawn: text that sets the threshold must not have
// the names that the weights were fitted to.
func shareOf(source string) float64 {
	const steps = 1000
	h := fnv.New32a()
	h.Write([]byte("split " + source))
	return float64(h.Sum32()%steps) / steps
}

// source returns the number of a source: its texts are one where the fit counts in how many texts a feature is.
func (t *trainer) source(name string) int32 {
	n, ok := t.sources[name]
	if !ok {
		n = firstSource + int32(len(t.sources))
		t.sources[name] = n
	}
	return n
}

const firstSource = 1 << 20 // more than there are labelled texts

// bars records the candidates of a text for setting the threshold.
func (t *trainer) bars(x text) {
	privacy.Weighed(x.Text, func(c scan.Judged) {
		v := x.Text[c.Start:c.End]
		if c.Taken || c.Vetoed || real(v) {
			return
		}
		b := barred{
			features: t.intern(c.Features), value: v, program: inProgram(c), kind: x.kind, class: c.Class, sure: c.Sure,
			says: around(x.Text, c),
		}
		if c.Class == "" {
			t.bar = append(t.bar, b)
		} else {
			t.namedBar = append(t.namedBar, b)
		}
	})
}

func around(text string, c scan.Judged) string {
	return text[max(0, c.Start-60):c.Start] + "«" + text[c.Start:c.End] + "»" + text[c.End:min(len(text), c.End+30)]
}
