package compress

import (
	"fmt"
	"strings"

	"keepmum/store"
)

// heuristicSession sums a session up by its turns: what was asked first and
// last, how much was done, and the types of work in it.
func heuristicSession(rows []store.ObservationRow) draft {
	var asked, files []string
	for _, r := range rows {
		switch {
		case r.Type == store.KindPrompt && r.Role == string(store.RoleUser):
			if s := firstSentence(r.Text, 70); s != "" {
				asked = addOnce(asked, s)
			}
		case r.Type == store.KindSummary:
			for _, f := range r.Files {
				files = addOnce(files, f)
			}
		}
	}
	d := draft{Type: "note", Files: files[:min(len(files), maxFiles)]}
	if len(files) > 0 {
		d.Type = "change"
	}
	d.Text = shorten(sayAsked(asked)+sayFiles(files), maxText)
	d.Title = shorten("Session: "+strings.Join(asked, "; "), maxTitle)
	return d
}

func sayAsked(asked []string) string {
	const shown = 3
	switch {
	case len(asked) == 0:
		return "Nothing was asked in this session"
	case len(asked) <= shown:
		return fmt.Sprintf("Worked on %d %s: %s", len(asked), plural(len(asked), "request"), strings.Join(asked, "; "))
	}
	return fmt.Sprintf("Worked on %d requests: %s; %s; … %s", len(asked), asked[0], asked[1], asked[len(asked)-1])
}

func sayFiles(files []string) string {
	if len(files) == 0 {
		return ""
	}
	return ". Files: " + list(files, 4)
}
