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
)

// text is a line of a set.
type text struct {
	Kind    string   `json:"kind"`
	Text    string   `json:"text"`
	Secrets []string `json:"secrets"`
	Source  string   `json:"source"`
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
	says     string // what it is, for the list of errors
}

// trainer contains all examples.
type trainer struct {
	options
	names    []string
	number   map[string]uint32
	examples []example
	sets     []string
	second   bool // read the second half of a set
	origin   int32
	labels   map[string][]text
	taken    map[string][][]bool // for each text of a set: which of its values readers take out
	seen     map[string][][]seen // and its candidates
	bar      []barred            // ordinary text for setting the threshold
	barMB    map[string]float64
	sources  map[string]int32
	unmined  []text // ordinary text of which only what a first fit nearly takes out is used
}

// barred is a candidate of ordinary text of which only the score is used.
type barred struct {
	features []uint32
	value    string
	program  bool // it is on a line of a program
	kind     string
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
		for range t.swaps {
			t.look(name, -1, swapped(x, pool, rnd), 1/float32(t.swaps))
		}
	}
	t.second = false
	return err
}

// valuesOf returns the values of one half of a set: texts of the one half never contain values of the other.
func (t *trainer) valuesOf(name string, second bool) map[string][]string {
	pool := map[string][]string{}
	for n, x := range t.labels[name] {
		if second != (n*2 >= len(t.labels[name])) {
			continue
		}
		for _, s := range x.Secrets {
			pool[sort(s)] = append(pool[sort(s)], s)
		}
	}
	return pool
}

// sort returns how a value is written: only a value of the same sort may replace it.
func sort(v string) string {
	switch {
	case strings.Trim(v, "0123456789") == "":
		return fmt.Sprint("digits", len(v))
	case strings.ContainsAny(v, " \n"):
		return "words"
	case len(v) < 5 || len(v) > 40:
		return "odd" + fmt.Sprint(len(v))
	}
	return ""
}

func swapped(x text, pool map[string][]string, rnd *rand.Rand) text {
	out := text{Kind: x.Kind, Text: x.Text}
	for _, s := range x.Secrets {
		others := pool[sort(s)]
		other := others[rnd.IntN(len(others))]
		out.Text = strings.ReplaceAll(out.Text, s, other)
		out.Secrets = append(out.Secrets, other)
	}
	return out
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
		if n >= 0 {
			candidates = append(candidates, seen{[2]int{c.Start, c.End}, features})
		}
		sure := false
		for _, l := range labels {
			inter := min(l[1], c.End) - max(l[0], c.Start)
			if inter <= 0 {
				continue
			}
			if inter*5 < (c.End-c.Start)*4 || inter*2 < l[1]-l[0] {
				return // neither
			}
			sure = true
		}
		if !sure && (c.Taken || c.Vetoed || set == "" && real(x.Text[c.Start:c.End])) {
			return
		}
		t.examples = append(t.examples, example{
			features: features, origin: t.origin, weight: weight, secret: sure, group: set, second: t.second, text: n,
			where: [2]int{c.Start, c.End}, says: x.Text[max(0, c.Start-60):c.Start] + "«" + x.Text[c.Start:c.End] + "»" +
				x.Text[c.End:min(len(x.Text), c.End+30)],
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
				t.bars(kind, x)
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
func (t *trainer) bars(kind string, x text) {
	privacy.Weighed(x.Text, func(c scan.Judged) {
		if v := x.Text[c.Start:c.End]; !c.Taken && !c.Vetoed && !real(v) {
			t.bar = append(t.bar, barred{t.intern(c.Features), v, inProgram(c), kind, around(x.Text, c)})
		}
	})
}

func around(text string, c scan.Judged) string {
	return text[max(0, c.Start-60):c.Start] + "«" + text[c.Start:c.End] + "»" + text[c.End:min(len(text), c.End+30)]
}

// commonWords lists the parts of words in ordinary text by how common they are.
func commonWords(dir string) (string, error) {
	const perKind, least, most = 40 << 20, 6, 30000
	files, err := filepath.Glob(filepath.Join(dir, "*.tune.jsonl"))
	if err != nil {
		return "", err
	}
	seen := map[string]int{}
	for _, f := range files {
		read := 0
		if strings.HasPrefix(filepath.Base(f), "strings") {
			continue
		}
		err := texts(f, func(x text) bool {
			read += len(x.Text)
			here := map[string]bool{}
			for _, w := range wordParts(x.Text) {
				here[w] = true
			}
			for w := range here {
				seen[w]++
			}
			return read < perKind
		})
		if err != nil {
			return "", err
		}
	}
	return listCommon(seen, least, most), nil
}

func listCommon(seen map[string]int, least, most int) string {
	var words []string
	for w, n := range seen {
		if n >= least && len(w) <= 20 {
			words = append(words, w)
		}
	}
	slices.SortFunc(words, func(a, b string) int {
		if seen[a] != seen[b] {
			return seen[b] - seen[a]
		}
		return strings.Compare(a, b)
	})
	words = words[:min(len(words), most)]
	lines := map[int][]string{}
	top := 0
	for _, w := range words {
		level := 1
		for n := seen[w] / least; n > 1; n /= 2 {
			level++
		}
		lines[level] = append(lines[level], w)
		top = max(top, level)
	}
	var out strings.Builder
	for level := top; level > 0; level-- {
		slices.Sort(lines[level])
		for row := range slices.Chunk(lines[level], 12) {
			fmt.Fprintf(&out, "%d %s\n", level, strings.Join(row, " "))
		}
	}
	return out.String()
}

// wordParts returns the parts of words with three or more letters, split as the judge splits them.
func wordParts(s string) (out []string) {
	from := -1
	end := func(to int) {
		if from >= 0 && to-from >= 3 {
			out = append(out, lowerASCII(s[from:to]))
		}
		from = -1
	}
	for i := range len(s) {
		c := s[i]
		letter, capital := scan.LetterByte(c), c >= 'A' && c <= 'Z'
		if hump := capital && i > 0 && s[i-1] >= 'a' && s[i-1] <= 'z'; !letter || hump {
			end(i)
		}
		if letter && from < 0 {
			from = i
		}
	}
	end(len(s))
	return out
}
