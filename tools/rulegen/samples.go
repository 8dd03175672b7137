package main

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"strings"
)

// writeSamples adds a text in which the rule must find the secret between «», and one in which it must find nothing:
// the same with the secret cut in half.
func writeSamples(b *bytes.Buffer, seed string, c converted) error {
	h := fnv.New64a()
	h.Write([]byte(seed))
	rnd := rand.New(rand.NewPCG(h.Sum64(), 1))
	re, err := syntax.Parse(c.regex, syntax.Perl)
	if err != nil {
		return err
	}
	value := generate(rnd, re)
	for c.at == "start" &&
		!slices.ContainsFunc(c.words,
			func(w string) bool { return strings.HasPrefix(strings.ToLower(value), strings.ToLower(w)) }) {
		value = generate(rnd, re) // another form
	}
	switch c.at {
	case "name":
		fmt.Fprintf(b, "yes %s_setting = \"«%s»\"\n", c.words[0], value)
		fmt.Fprintf(b, "no %s_setting = \"\"\n", c.words[0])
	case "near":
		fmt.Fprintf(b, "yes %s: «%s»\n", c.words[0], value)
		fmt.Fprintf(b, "no about %s and nothing else\n", c.words[0])
	default:
		fmt.Fprintf(b, "yes used «%s» there\n", value)
		fmt.Fprintf(b, "no the prefix %s alone\n", c.words[0][:min(len(c.words[0]), 12)])
	}
	return nil
}

// generate returns a string that matches re.
func generate(rnd *rand.Rand, re *syntax.Regexp) string {
	var b strings.Builder
	emit(rnd, re, &b)
	return b.String()
}

func emit(rnd *rand.Rand, re *syntax.Regexp, b *strings.Builder) {
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(pick(rnd, re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('x')
	case syntax.OpCapture, syntax.OpPlus:
		emit(rnd, re.Sub[0], b)
	case syntax.OpRepeat:
		n := re.Min
		if n == 0 && re.Max != 0 {
			n = rnd.IntN(2)
		}
		for range n {
			emit(rnd, re.Sub[0], b)
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			emit(rnd, sub, b)
		}
	case syntax.OpAlternate:
		emit(rnd, re.Sub[rnd.IntN(len(re.Sub))], b)
	}
}

// pick returns one printable ASCII rune of a class, or a blank if there is none.
func pick(rnd *rand.Rand, ranges []rune) rune {
	var all []rune
	for i := 0; i < len(ranges); i += 2 {
		for r := max(ranges[i], '!'); r <= min(ranges[i+1], '~'); r++ {
			if r != '\'' && r != '"' && r != '`' && r != '\\' {
				all = append(all, r)
			}
		}
	}
	if len(all) == 0 {
		return ' '
	}
	return all[rnd.IntN(len(all))]
}
