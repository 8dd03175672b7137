package extract

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"
)

//go:embed weights.txt
var weightsText string

// classifier is a linear model: what each feature adds to the logarithm of the
// odds. It was fitted to the labelled talk in testdata/extract by `make train`.
type classifier map[string]float64

// judges are the questions that are asked of talk.
type judges struct {
	keep   classifier // is what a user said worth keeping?
	choice classifier // is it a decision rather than a learning?
	found  classifier // is what the assistant reports worth keeping?
}

func newJudges() (*judges, error) {
	j := &judges{classifier{}, classifier{}, classifier{}}
	var into classifier
	for line := range strings.Lines(weightsText) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "# "); ok {
			if into = j.named(name); into == nil {
				return nil, fmt.Errorf("weights.txt: %q is no question", name)
			}
			continue
		}
		number, feature, _ := strings.Cut(line, "\t")
		hundredths, err := strconv.Atoi(number)
		if err != nil {
			return nil, fmt.Errorf("weights.txt: %w", err)
		}
		into[feature] = float64(hundredths) / 100
	}
	return j, nil
}

func (j *judges) named(name string) classifier {
	switch name {
	case "keep":
		return j.keep
	case "choice":
		return j.choice
	case "found":
		return j.found
	}
	return nil
}

// chance is how likely the answer is yes, from 0 to 1.
func (c classifier) chance(f features) float64 {
	z := 0.0
	for name, value := range f {
		z += c[name] * value
	}
	return 1 / (1 + math.Exp(-z))
}

// gain is what the words of a sentence add, from one word to another.
func (c classifier) gain(s sentence, from, to int) float64 {
	sum, last := 0.0, start
	for _, w := range s.words[from:to] {
		name := w.name()
		sum += c[name] + c[last+" "+name]
		last = name
	}
	return sum
}
