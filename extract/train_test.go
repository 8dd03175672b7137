package extract

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"os"
	"slices"
	"strings"
	"testing"

	"keepmum/tools/sessions/judged"
)

// example is a user's sentence with its label.
type example struct {
	repo  string
	marks marks
	words []string
	y     float64
}

func examples(h *Heuristic, sessions []realSession) (out []example) {
	for _, s := range sessions {
		for _, e := range converse(s.Session) {
			for i, x := range e.user.list {
				if y, ok := s.label(x.text.String()); ok {
					out = append(out, example{s.repo, h.marks(&e, i, true), distinct(x.words), y})
				}
			}
		}
	}
	return out
}

// label returns the average of the labels that a sentence has.
func (s realSession) label(text string) (float64, bool) {
	const borderline = .5
	var sum, n float64
	if s.judged.Session != "" {
		n = float64(len(s.judged.Labels))
		sum = n * worth(s, text, borderline)
	}
	if y, ok := s.said[judged.Sentence(text)]; ok {
		sum, n = sum+2*y, n+2 // by two readers
	}
	return sum / max(1, n), n > 0
}

// worth returns the average label of a text: 1 for keep, border for borderline.
func worth(s realSession, text string, border float64) (y float64) {
	for _, items := range s.judged.Labels {
		w, _ := judged.Worth(items, text)
		y += []float64{0, border, 1}[w] / float64(len(s.judged.Labels))
	}
	return y
}

// fold is a part of the repositories with a heuristic that was fitted without them.
type fold struct {
	h        *Heuristic
	sessions []realSession
}

// owner returns whose repository it is.
func owner(repo string) string {
	name, _, _ := strings.Cut(repo, "+")
	return name
}

var foldsOf = map[*realSession][]fold{} // by the first session, because fitting takes seconds

// folds divides the repositories into ten parts. Repositories of one owner are in one part.
func folds(h *Heuristic, sessions []realSession) []fold {
	const parts = 10
	if out, ok := foldsOf[&sessions[0]]; ok {
		return out
	}
	part := func(repo string) int {
		return int(sha256.Sum256([]byte(owner(repo)))[0]) % parts
	}
	rows := examples(h, sessions)
	whole := *h.cues
	whole.words = frequent(rows)
	out := make([]fold, parts)
	for i := range out {
		rest := slices.DeleteFunc(slices.Clone(rows), func(r example) bool { return part(r.repo) == i })
		out[i].h = &Heuristic{fit(&whole, rest), h.bar, h.least}
	}
	for _, s := range sessions {
		f := &out[part(s.repo)]
		f.sessions = append(f.sessions, s)
	}
	foldsOf[&sessions[0]] = out
	return out
}

// frequent returns the words that many sentences of several owners have.
func frequent(rows []example) map[string]float64 {
	const sentences, owners = 20, 5
	count, by := map[string]int{}, map[string]map[string]bool{}
	for _, r := range rows {
		for _, w := range r.words {
			if by[w] == nil {
				by[w] = map[string]bool{}
			}
			count[w]++
			by[w][owner(r.repo)] = true
		}
	}
	out := map[string]float64{}
	for w, n := range count {
		if n >= sentences && len(by[w]) >= owners {
			out[w] = 0
		}
	}
	return out
}

// weight is a weight to be fitted, and the rows that it counts in.
type weight struct {
	now, prior, ridge float64
	rows              []int
	part              []float64 // how much of it counts in each of these rows
}

func (w *weight) add(row int, part float64) {
	w.rows, w.part = append(w.rows, row), append(w.part, part)
}

// How strongly weights are drawn towards those set by hand, and those of words towards 0. From 0.5 to 6, the results on
// left-out repositories are equally good for cues; the strongest keeps what is rarely said.
const ridge, wordRidge = 6.0, 1.0

// fit finds the weights of a logistic regression by coordinate descent. Weights are drawn towards those set by hand,
// because explicit statements are rare.
func fit(t *table, rows []example) *table {
	cues := make([]weight, len(t.cues))
	for i, c := range t.cues {
		cues[i] = weight{now: c.hand, prior: c.hand, ridge: ridge}
	}
	words := map[string]*weight{}
	for w := range t.words {
		words[w] = &weight{ridge: wordRidge}
	}
	z := make([]float64, len(rows))
	for i, r := range rows {
		for a := uint64(r.marks); a != 0; a &= a - 1 {
			c := &cues[bits.TrailingZeros64(a)]
			c.add(i, 1)
			z[i] += c.now
		}
		for _, w := range r.words {
			if c := words[w]; c != nil {
				c.add(i, share(len(r.words)))
			}
		}
	}
	const rounds = 40
	for range rounds {
		for i := range cues {
			cues[i].step(z, rows)
		}
		for _, w := range slices.Sorted(maps.Keys(words)) {
			words[w].step(z, rows)
		}
	}
	out := *t
	out.cues, out.words = slices.Clone(t.cues), map[string]float64{}
	for i := range cues {
		out.cues[i].weight = cues[i].now
	}
	for w, c := range words {
		out.words[w] = c.now
	}
	return &out
}

// step moves a weight to where the likelihood is greatest if the others stay, by Newton's method.
func (w *weight) step(z []float64, rows []example) {
	slope, curvature := -w.ridge*(w.now-w.prior), w.ridge
	for k, i := range w.rows {
		p := 1 / (1 + math.Exp(-z[i]))
		slope += w.part[k] * (rows[i].y - p)
		curvature += w.part[k] * w.part[k] * p * (1 - p)
	}
	by := max(-1, min(1, slope/curvature))
	w.now += by
	for k, i := range w.rows {
		z[i] += by * w.part[k]
	}
}

// outcome is a memory from a repository that was not used for fitting.
type outcome struct{ chance, strict, border float64 }

// outcomes returns what would be kept with the lowest threshold.
func outcomes(t *testing.T, h *Heuristic, sessions []realSession) (out []outcome) {
	for _, f := range folds(h, sessions) {
		bare := *f.h.cues
		bare.curve = nil
		low := &Heuristic{&bare, floor, floor}
		for _, s := range f.sessions {
			for _, c := range low.Extract(t.Context(), s.Session, nil).Candidates {
				strict, border := s.value(statementOf(c))
				out = append(out, outcome{c.Confidence, strict, border})
			}
		}
	}
	slices.SortFunc(out, func(a, b outcome) int { return cmp.Compare(a.chance, b.chance) })
	return out
}

// step is a range of chances with the same share worth keeping.
type step struct{ from, strict, border, n float64 }

// isotonic fits a rising step function to outcomes, with a minimum number of outcomes per step.
func isotonic(all []outcome) (out []step) {
	const size = 20 // memories per step: a share of fewer says little
	for chunk := range slices.Chunk(all, size) {
		s := step{from: chunk[0].chance}
		for _, o := range chunk {
			s.strict, s.border, s.n = s.strict+o.strict, s.border+o.border, s.n+1
		}
		if s.n < size/2 && len(out) > 0 {
			s.from = math.Inf(1) // merge with the step before
		}
		out = append(out, s)
		for len(out) > 1 {
			a, b := out[len(out)-2], out[len(out)-1]
			if !math.IsInf(b.from, 1) && b.strict/b.n > a.strict/a.n {
				break
			}
			out = append(out[:len(out)-2], step{a.from, a.strict + b.strict, a.border + b.border, a.n + b.n})
		}
	}
	return out
}

// TestTrain writes the weights that fit all real sessions best, and the curve of what was worth keeping, measured on
// left-out repositories.
func TestTrain(t *testing.T) {
	if !*train {
		t.Skip("-train is not given")
	}
	h := New()
	sessions := realSessions(t)
	rows := examples(h, sessions)
	whole := *h.cues
	whole.words = frequent(rows)
	fitted := fit(&whole, rows)
	text, err := cueFiles.ReadFile("cues/weights.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		name, _, _ := strings.Cut(line, "\t")
		if i, ok := h.cues.place[name]; ok {
			line = fmt.Sprintf("%s\t%.2f\t%g\n", name, fitted.cues[i].weight, h.cues.cues[i].hand)
		}
		b.WriteString(line)
		if strings.HasPrefix(line, "# calibration") {
			break
		}
	}
	for _, s := range isotonic(outcomes(t, h, sessions)) {
		fmt.Printf("  from %.2f: %3.0f memories, %.0f %% worth keeping, %.0f %% with borderline\n",
			s.from, s.n, 100*s.strict/s.n, 100*s.border/s.n)
		fmt.Fprintf(&b, "%.2f\t%.2f\n", s.from, s.strict/s.n)
	}
	var words strings.Builder
	for _, w := range slices.Sorted(maps.Keys(fitted.words)) {
		fmt.Fprintf(&words, "%s\t%.2f\n", w, fitted.words[w])
	}
	for name, text := range map[string]string{"weights": b.String(), "words": words.String()} {
		if err := os.WriteFile("cues/"+name+".tsv", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
