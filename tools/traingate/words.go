package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"keepmum/privacy/scan"
)

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
