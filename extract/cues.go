package extract

import (
	"embed"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed cues/*.tsv
var cueFiles embed.FS

// cue is something that speaks for or against keeping what a sentence says.
type cue struct {
	name   string
	weight float64 // what it adds to the logarithm of the odds
	hand   float64 // the weight that was set by hand; training begins there
	act    bool    // who says so may say something on purpose
	within bool    // counts in a sentence that has one of the acts
	re     *regexp.Regexp
}

// table is all cues. A sentence that has none of the acts is never kept.
type table struct {
	cues  []cue
	place map[string]int // where a cue stands, by its name
	sorry *regexp.Regexp // how an agent takes a correction
	work  *regexp.Regexp // names of what people work with: tests, branches, servers
	curve curve
}

// marks are the cues that a sentence has, by their places in the table.
type marks uint64

// languages that have cues, each in a file of its own.
var languages = []string{"cs", "de", "en", "es", "fr", "pt", "ru", "zh"}

func newTable() (table, error) {
	t := table{place: map[string]int{}}
	says, err := expressions()
	if err != nil {
		return t, err
	}
	t.sorry, t.work = says["sorry"], says["of the work"]
	text, err := cueFiles.ReadFile("cues/weights.tsv")
	if err != nil {
		return t, err
	}
	section := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "":
		case line[0] == '#':
			section = strings.TrimPrefix(line, "# ")
		default:
			err = errors.Join(err, t.add(section, line, says))
		}
	}
	const bits = 64
	if len(t.cues) > bits {
		return t, fmt.Errorf("weights.tsv: more than %d cues", bits)
	}
	return t, err
}

// add reads a line of the weights.
func (t *table) add(section, line string, says map[string]*regexp.Regexp) error {
	name, value, _ := strings.Cut(line, "\t")
	value, hand, _ := strings.Cut(value, "\t")
	x, err := strconv.ParseFloat(value, 64)
	y := 0.0
	if hand != "" && err == nil {
		y, err = strconv.ParseFloat(hand, 64)
	}
	if err != nil {
		return fmt.Errorf("weights.tsv: %s: %w", name, err)
	}
	if section == "calibration" {
		return t.curve.add(name, x)
	}
	c := cue{name: name, weight: x, hand: y, act: section == "acts", re: says[strings.TrimPrefix(name, beside)]}
	c.within = strings.HasPrefix(name, beside)
	t.place[name] = len(t.cues)
	t.cues = append(t.cues, c)
	return nil
}

// beside begins the name of a cue that counts only beside an act.
const beside = "act and "

// expressions are what the cues look like in a sentence in lower case, in any language.
func expressions() (map[string]*regexp.Regexp, error) {
	parts := map[string][]string{}
	for _, lang := range languages {
		text, err := cueFiles.ReadFile("cues/" + lang + ".tsv")
		if err != nil {
			return nil, err
		}
		verb := ""
		for line := range strings.Lines(string(text)) {
			name, expr, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
			if name == "a verb" {
				verb = expr
				continue
			}
			parts[name] = append(parts[name], strings.ReplaceAll(expr, "{verb}", verb))
		}
	}
	out := map[string]*regexp.Regexp{}
	for name, list := range parts {
		re, err := regexp.Compile(strings.Join(list, "|"))
		if err != nil {
			return nil, fmt.Errorf("cues: %s: %w", name, err)
		}
		out[name] = re
	}
	return out, nil
}

// acts looks for the acts in a text.
func (t *table) acts(plain string) (m marks) {
	for i, c := range t.cues {
		if c.act && c.re.MatchString(plain) {
			m |= 1 << i
		}
	}
	return m
}

// find adds what else is in a text that has these acts.
func (t *table) find(m *marks, plain string) {
	acts := *m != 0
	for i, c := range t.cues {
		if c.re == nil || c.act || c.within && !acts {
			continue
		}
		if c.re.MatchString(plain) {
			*m |= 1 << i
		}
	}
}

// mark adds a cue that is no text.
func (t *table) mark(m *marks, name string, is bool) {
	if i, ok := t.place[name]; ok && is {
		*m |= 1 << i
	}
}

// has reports whether one of the named cues is there.
func (t *table) has(m marks, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		i, ok := t.place[name]
		return ok && m&(1<<i) != 0
	})
}

// chance is what the weights say about what has these cues.
func (t *table) chance(m marks) float64 {
	z := 0.0
	for i, c := range t.cues {
		if m&(1<<i) != 0 {
			z += c.weight
		}
	}
	return 1 / (1 + math.Exp(-z))
}

// curve says which share of what has a chance was worth keeping, in real sessions of
// repositories that the weights had not seen.
type curve []struct{ chance, share float64 }

func (c *curve) add(chance string, share float64) error {
	x, err := strconv.ParseFloat(chance, 64)
	*c = append(*c, struct{ chance, share float64 }{x, share})
	return err
}

// share reads the curve: the step that begins at or below a chance. Without a curve it is the chance.
func (c curve) share(chance float64) (out float64) {
	if len(c) == 0 {
		return chance
	}
	for _, step := range c {
		if step.chance <= chance {
			out = step.share
		}
	}
	return out
}

// reaches is the chance from which on so much is worth keeping; beyond 1 if it never is.
func (c curve) reaches(share float64) float64 {
	for _, step := range c {
		if step.share >= share {
			return step.chance
		}
	}
	return 2
}
