package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// avoided are the words of the list in CONTRIBUTING.md that no sentence needs.
var avoided = regexp.MustCompile(`(?i)\b(?:mend|mends|mended|anew|gave way|gives way|counts after|left alone|` +
	`(?:lies|lie|stands|stand) (?:in|beside|there)|by itself|had back|somebody|anybody|` +
	`(?:taken|takes|took) out|the (?:latest|newest) first|in force|for ever)\b`)

// TestHelpAndDocsUseTheUsualWords checks that no help text and no document contains one of them.
func TestHelpAndDocsUseTheUsualWords(t *testing.T) {
	texts := map[string]string{"mum help all": helpOf(t, "help", "all")}
	for path := range commands() {
		texts["mum "+path+" --help"] = helpOf(t, append(strings.Fields(path), "--help")...)
	}
	docs, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(docs) < 10 {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	for _, file := range append(docs, "../../README.md", "../../ARCHITECTURE.md", "../../install.sh") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = string(text)
	}
	for where, text := range texts {
		for i, line := range strings.Split(text, "\n") {
			if word := avoided.FindString(line); word != "" {
				t.Errorf("%s:%d has %q: %s", where, i+1, word, line)
			}
		}
	}
}
