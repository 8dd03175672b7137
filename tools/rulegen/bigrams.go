package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// letterPairs counts which letter follows which in the names, strings and comments of Go's own sources, and writes how
// surprising each pair is, in sixteenths of a bit: 28 lines (a-z, digit, edge) of 28 two-digit hex numbers.
func letterPairs() ([]byte, error) {
	var counts [28][28]float64
	err := filepath.WalkDir(filepath.Join(runtime.GOROOT(), "src"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.Contains(path, "testdata") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		count(&counts, text)
		return nil
	})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for _, row := range counts {
		total := 0.0
		for _, n := range row {
			total += n + 1
		}
		for _, n := range row {
			fmt.Fprintf(&b, "%02x", min(255, int(math.Round(-16*math.Log2((n+1)/total)))))
		}
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}

// count adds the pairs of a text; a capital after a lower-case letter starts a new word.
func count(counts *[28][28]float64, text []byte) {
	last := 27
	for i, c := range text {
		next := class(c)
		if i > 0 && c >= 'A' && c <= 'Z' && text[i-1] >= 'a' && text[i-1] <= 'z' {
			counts[last][27]++
			last = 27
		}
		if last != 27 || next != 27 {
			counts[last][next]++
		}
		last = next
	}
}

func class(c byte) int {
	switch {
	case c|0x20 >= 'a' && c|0x20 <= 'z':
		return int(c|0x20) - 'a'
	case c >= '0' && c <= '9':
		return 26
	}
	return 27
}
