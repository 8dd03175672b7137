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

// cue is evidence for or against keeping what a sentence says.
type cue struct {
	name   string
	weight float64 // what it adds to the log-odds
	hand   float64 // the initial weight, set by hand; training starts there
	act    bool    // a speech act: a sentence with it may be meant as a rule
	within bool    // counts only in a sentence with an act
	re     *regexp.Regexp
}

// table holds all cues. A sentence without an act is never kept.
type table struct {
	cues  []cue
	place map[string]int     // index of each cue, by name
	sorry *regexp.Regexp     // how an agent acknowledges a correction
	work  *regexp.Regexp     // what people work with: tests, branches, servers
	words map[string]float64 // weights of single words
	curve curve

	rule, now *regexp.Regexp // the form of a rule (always, never, only), and of an order for this turn only
	told      *regexp.Regexp // what asks to remember
	noise     *regexp.Regexp // complaints, absences, doubts: what only sounds like a rule,
	still     *regexp.Regexp // and what shows that a text with such words states a rule all the same
	toDo      *regexp.Regexp // what asks to remember to do something,
	general   *regexp.Regexp // and what shows that it is to be done more than once
}

// marks is the set of cues that a sentence has, as indices into the table.
type marks uint64

// languages lists the languages that have cues, each in its own file.
var languages = []string{"cs", "de", "en", "es", "fr", "pt", "ru", "zh"}

func newTable() (table, error) {
	t := table{place: map[string]int{}}
	says, err := expressions()
	if err != nil {
		return t, err
	}
	t.sorry, t.work, t.rule, t.now = says["sorry"], says["of the work"], says["rule"], says["only now"]
	t.told, t.noise, t.still = says["told to remember"], says["no rule"], says["still a rule"]
	t.toDo, t.general = says["to do"], says["in general"]
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
	return t, errors.Join(err, t.readWords())
}

// readWords reads the weights of single words.
func (t *table) readWords() (err error) {
	text, err := cueFiles.ReadFile("cues/words.tsv")
	if err != nil {
		return err
	}
	t.words = map[string]float64{}
	for line := range strings.Lines(string(text)) {
		word, weight, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		x, bad := strconv.ParseFloat(weight, 64)
		if bad != nil {
			err = errors.Join(err, fmt.Errorf("words.tsv: %s: %w", word, bad))
		}
		t.words[word] = x
	}
	return err
}

// add parses a line of the weights.
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

// beside begins the name of a cue that counts only together with an act.
const beside = "act and "

// expressions returns the patterns of the cues in all languages. They match lower case.
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

// acts finds the acts in a text.
func (t *table) acts(plain string) (m marks) {
	for i, c := range t.cues {
		if c.act && c.re.MatchString(plain) {
			m |= 1 << i
		}
	}
	return m
}

// find adds the other cues of a text with these acts.
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

// mark adds a cue that does not come from a pattern, if the sentence has it.
func (t *table) mark(m *marks, name string, has bool) {
	if i, ok := t.place[name]; ok && has {
		*m |= 1 << i
	}
}

// has reports whether one of the named cues is present.
func (t *table) has(m marks, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		i, ok := t.place[name]
		return ok && m&(1<<i) != 0
	})
}

// without returns marks without the named ones.
func (t *table) without(m marks, names ...string) marks {
	for _, name := range names {
		if i, ok := t.place[name]; ok {
			m &^= 1 << i
		}
	}
	return m
}

// noRule reports whether a text only sounds like a rule, as "from now on it crashes" does.
func (t *table) noRule(plain string) bool {
	return t.noise.MatchString(plain) && !t.still.MatchString(t.noise.ReplaceAllString(plain, ","))
}

// once reports whether a text asks to remember to do something once, as "remember to buy milk" does.
func (t *table) once(plain string) bool {
	return t.toDo.MatchString(plain) && !t.general.MatchString(plain)
}

// chance returns the probability that the weights give to a sentence with these cues and words.
func (t *table) chance(m marks, words []token) float64 {
	z := 0.0
	for i, c := range t.cues {
		if m&(1<<i) != 0 {
			z += c.weight
		}
	}
	list := distinct(words)
	for _, w := range list {
		z += t.words[w] * share(len(list))
	}
	return 1 / (1 + math.Exp(-z))
}

// share is the part of its weight that each of n words adds. Words of one sentence often say the same, so that the sum
// should grow with the root of their number, not with the number.
func share(n int) float64 {
	const few = 4
	return 1 / math.Sqrt(float64(max(few, n)))
}

// distinct returns the words in lower case, each once.
func distinct(words []token) []string {
	out := make([]string, 0, len(words))
	for _, w := range words {
		if w.lower != "" {
			out = append(out, w.lower)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// curve maps a chance to the share of such findings that were worth keeping, measured in real sessions of repositories
// that were not used for training.
type curve []struct{ chance, share float64 }

func (c *curve) add(chance string, share float64) error {
	x, err := strconv.ParseFloat(chance, 64)
	*c = append(*c, struct{ chance, share float64 }{x, share})
	return err
}

// share returns the value of the step at or below a chance. Without a curve it is the chance itself.
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

// reaches returns the chance from which at least that share is worth keeping, or a number above 1 if there is none.
func (c curve) reaches(share float64) float64 {
	for _, step := range c {
		if step.share >= share {
			return step.chance
		}
	}
	return 2
}
