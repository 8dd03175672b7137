package value

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestEveryBoundOnIrregularityStandsInTheTable(t *testing.T) {
	bare := regexp.MustCompile(`(Surprise|Entropy)\([^()\n]*\) *[<>]=? *[0-9]`)
	files, err := filepath.Glob("../*/*.go")
	own, _ := filepath.Glob("../*.go")
	if files = append(files, own...); err != nil || len(files) < 50 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || strings.Contains(file, "egress") {
			continue // the second detector shares nothing with the first
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if found := bare.Find(text); found != nil {
			t.Errorf("%s: %s: the bound belongs into thresholds.go", file, found)
		}
	}
}

func TestWhatAValueLooksLike(t *testing.T) {
	for v, want := range map[string]string{
		"":                                     "nothing",
		"66f8ec73-c22d-4671-81ba-22c60b81f161": "a UUID",
		"8061e833a55f6fc0157c98b883e91fcfeeb1a71a": "a key in hex",
		"12345678":                     "a number",
		"9fk2Lw7QxZ4mVt8RbNc1Hs6D":     "drawn",
		"Tulpe77feld!":                 "several sorts of characters",
		"violet77rhino":                "letters with digits",
		"Kuh!stall":                    "words with signs",
		"qwxzkjvbpqxz":                 "letters in no order of words",
		"correct-horse-battery-staple": "words",
	} {
		if got := Describe(v); got != want {
			t.Errorf("%q looks like %s, want %s", v, got, want)
		}
	}
}
