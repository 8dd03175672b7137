package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

var manDir = flag.String("man", "", "write the man pages here")

// TestManPages creates a page for every command that a person can find, and stores the pages where -man says. It is a
// test, so that the program that users install does not contain the writer of man pages.
func TestManPages(t *testing.T) {
	dir := *manDir
	if dir == "" {
		dir = t.TempDir()
	}
	root := newRoot(&app{getenv: os.Getenv})
	root.DisableAutoGenTag = true
	// The date comes from SOURCE_DATE_EPOCH; the version is that of the release.
	header := &doc.GenManHeader{Source: "keepmum", Manual: "keepmum"}
	if err := doc.GenManTree(root, header, dir); err != nil {
		t.Fatal(err)
	}
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		if c.IsAvailableCommand() && !c.IsAdditionalHelpTopicCommand() {
			file := filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1")
			page, err := os.ReadFile(file)
			if err != nil || bytes.Count(page, []byte("EXIT STATUS")) != 1 {
				t.Errorf("%s: no page, or one without the exit statuses (%v)", c.CommandPath(), err)
			}
			// man warns about other characters if the language is C.
			text := strings.ReplaceAll(string(page), "…", "...")
			if other := strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }); other >= 0 {
				t.Errorf("%s: %.40q is not ASCII", c.CommandPath(), text[other:])
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
}
