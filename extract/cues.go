package extract

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

//go:embed cues.txt
var cuesText string

// cue is something that speaks for or against keeping what a sentence says.
type cue struct {
	name   string
	hand   float64 // the weight that was set by hand; training begins there
	weight float64 // what it adds to the logarithm of the odds
	act    bool    // who says so says something on purpose
	re     *regexp.Regexp
}

// table is all cues. A sentence that has none of the acts is never kept.
type table []cue

// marks are the cues that a sentence has, by their places in the table.
type marks uint64

func newTable() (table, error) {
	var out table
	act := false
	for line := range strings.Lines(cuesText) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			act = act && line != "# more" || line == "# acts"
			continue
		}
		c, err := newCue(line)
		if err != nil {
			return nil, fmt.Errorf("cues.txt: %w", err)
		}
		c.act = act
		out = append(out, c)
	}
	const bits = 64
	if len(out) > bits {
		return nil, fmt.Errorf("cues.txt: more than %d cues", bits)
	}
	return out, nil
}

// newCue reads a line of the table.
func newCue(line string) (c cue, err error) {
	const fields = 4
	parts := append(strings.SplitN(line, "\t", fields), make([]string, fields)...)
	c.name = parts[0]
	var errHand, errWeight, errRE error
	c.hand, errHand = strconv.ParseFloat(parts[1], 64)
	c.weight, errWeight = strconv.ParseFloat(parts[2], 64)
	if parts[3] != "" { // else it is told by where the sentence stands
		c.re, errRE = regexp.Compile(parts[3])
	}
	if err = errors.Join(errHand, errWeight, errRE); err != nil {
		err = fmt.Errorf("%s: %w", c.name, err)
	}
	return c, err
}

// find looks for the cues that stand in a text. The acts come first: without one of
// them nothing else matters.
func (t table) find(plain string) (m marks) {
	for i, c := range t {
		if !c.act && m == 0 {
			return 0
		}
		if c.re != nil && c.re.MatchString(plain) {
			m |= 1 << i
		}
	}
	return m
}

// mark adds a cue that is no text.
func (t table) mark(m *marks, name string, is bool) {
	for i, c := range t {
		if is && c.name == name {
			*m |= 1 << i
		}
	}
}

// has reports whether one of the named cues is there.
func (t table) has(m marks, names ...string) bool {
	for i, c := range t {
		if m&(1<<i) == 0 {
			continue
		}
		for _, name := range names {
			if c.name == name {
				return true
			}
		}
	}
	return false
}

// acts reports whether one of the acts is there.
func (t table) acts(m marks) bool {
	for i, c := range t {
		if c.act && m&(1<<i) != 0 {
			return true
		}
	}
	return false
}

// chance is how likely it is that a person would keep what has these cues.
func (t table) chance(m marks) float64 {
	z := 0.0
	for i, c := range t {
		if m&(1<<i) != 0 {
			z += c.weight
		}
	}
	return 1 / (1 + math.Exp(-z))
}
