package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp/syntax"
	"strings"
)

// fill adds samples to the rules of a file that have none.
func fill(path string) func() ([]byte, error) {
	return func() ([]byte, error) {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var out bytes.Buffer
		for i, block := range strings.Split(strings.TrimRight(string(text), "\n"), "\n\n") {
			if i > 0 {
				out.WriteString("\n\n")
			}
			if !strings.HasPrefix(block, "rule ") || strings.Contains(block, "\nyes ") {
				out.WriteString(block)
				continue
			}
			c, id := parseBlock(block)
			re, err := syntax.Parse(c.regex, syntax.Perl)
			if err != nil {
				return nil, err
			}
			c.min, c.max = lengths(re)
			head, match, _ := strings.Cut(block, "\nmatch ")
			head, _, _ = strings.Cut(head, "\nsize ")
			fmt.Fprintf(&out, "%s\nsize %d %d\nmatch %s", head+entropyLine(block), c.min, c.max, match)
			var samples bytes.Buffer
			if err := writeSamples(&samples, id, c); err != nil {
				return nil, err
			}
			out.WriteString("\n" + strings.TrimRight(samples.String(), "\n"))
		}
		out.WriteByte('\n')
		return out.Bytes(), nil
	}
}

// entropyLine returns the entropy line of a block, which follows the size.
func entropyLine(block string) string {
	_, after, ok := strings.Cut(block, "\nsize ")
	if _, entropy, has := strings.Cut(after, "\nentropy "); ok && has {
		entropy, _, _ = strings.Cut(entropy, "\n")
		return "\nentropy " + entropy
	}
	return ""
}

func parseBlock(block string) (c converted, id string) {
	for _, line := range strings.Split(block, "\n") {
		key, arg, _ := strings.Cut(line, " ")
		switch key {
		case "rule":
			id = arg
		case "words":
			c.words = strings.Fields(arg)
		case "at":
			c.at = arg
		case "match":
			c.regex = arg
		}
	}
	return c, id
}
