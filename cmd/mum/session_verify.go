package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
)

// verified is what happened to the files of a session.
type verified struct {
	Row   int64             `json:"row"`
	Files map[string]string `json:"files"` // changed | unchanged | gone
	Noted []api.NoteInfo    `json:"noted"` // with what happened to their files, by content
	// Superseded is what the session taught and another statement has replaced since.
	Superseded []api.Replaced `json:"superseded,omitempty"`
}

func newSessionVerifyCmd(a *app) *cobra.Command {
	var o placeFlags
	cmd := &cobra.Command{
		Use: "verify [ID]", Short: "Show which files of a session changed since", Args: cobra.MaximumNArgs(1),
		Long: "Show which files changed or were deleted since: those that notes of the session name, and those\n" +
			"that it read or changed, compared by a keyed hash of their content (if there is none, by the time of\n" +
			"their last change). Also show which memories learned from it were replaced since.",
		Example: "  mum session verify\n  mum session verify 12 --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := a.digest(cmd.Context(), o, strings.Join(args, ""))
			if err != nil {
				return err
			}
			out := verified{Row: d.Row, Superseded: d.Superseded, Files: map[string]string{}, Noted: []api.NoteInfo{}}
			for _, n := range d.Notes {
				if n.FileIs != "" {
					out.Noted = append(out.Noted, n)
				}
			}
			for _, f := range d.Edited {
				out.Files[f] = fileSince(d, f)
			}
			for _, f := range d.Files {
				out.Files[f.Path] = f.Is
			}
			if o.json {
				return a.printJSON(out)
			}
			a.printVerified(d, out)
			return nil
		},
	}
	o.register(cmd, false)
	return cmd
}

func (a *app) printVerified(d api.SessionDigest, v verified) {
	for _, n := range v.Noted {
		a.printf("%-10s %s  %s %d: %s\n", n.FileIs, n.File, n.Type, n.ID, oneLine(n.Text, 80))
	}
	number := map[string]string{}
	for _, f := range d.Files {
		number[f.Path] = f.Number + " "
	}
	for _, f := range slices.Sorted(maps.Keys(v.Files)) {
		a.printf("%-10s %s%s\n", v.Files[f], number[f], f)
	}
	for _, r := range v.Superseded {
		a.printf("%-10s %d %s (by %d %s)\n", "superseded", r.Entry, oneLine(r.Title, 70), r.By, oneLine(r.ByTitle, 70))
	}
	if len(v.Files)+len(v.Noted) == 0 {
		a.printf("nothing to compare: this session used no file that is known here\n")
	}
}

func fileSince(d api.SessionDigest, file string) string {
	path := file
	if !filepath.IsAbs(path) {
		path = filepath.Join(d.Dir, path)
	}
	st, err := os.Lstat(path)
	switch {
	case err != nil:
		return "gone"
	case st.ModTime().After(d.Last.Add(time.Second)):
		return "changed"
	}
	return "unchanged"
}
