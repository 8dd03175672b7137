package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

var manDir = flag.String("man", "", "write the man pages here")

// TestManPages makes a page of every command that a person can find, and keeps them where
// -man says: in a test, so that users do not carry the writer of man pages.
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
			page, err := os.ReadFile(filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1"))
			if err != nil || !bytes.Contains(page, []byte("EXIT STATUS")) {
				t.Errorf("%s: no page, or one without the exit statuses (%v)", c.CommandPath(), err)
			}
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
}
