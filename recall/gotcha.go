package recall

import (
	"fmt"
	"strings"
	"time"

	"keepmum/store"
)

// maxRemedy is the maximum length of a remedy in characters: with the text around it, a line stays within 60 tokens.
const maxRemedy = 110

// Remedy returns the command or the file that fixed a failure, from its document.
func Remedy(doc store.ObservationRow, how string) string {
	s := strings.TrimSpace(strings.TrimPrefix(doc.Title, doc.Tool))
	if how == "edited" && len(doc.Files) > 0 && s == "" {
		s = doc.Files[0]
	}
	return quote(s, maxRemedy)
}

// Mended writes the line for a failure that was fixed before, or "" if it may not be told because it addresses a model.
func Mended(g store.GotchaRow, doc store.ObservationRow, here bool) string {
	what := Remedy(doc, g.How)
	if what == "" || SpeaksToAModel(doc.Title) || SpeaksToAModel(beginning(doc.Text, judged)) {
		return ""
	}
	where := ""
	if !here {
		where = " of " + quote(g.ProjectName, 30)
	}
	by := map[string]string{"ran": "passed after `%s`", "edited": "passed after an edit of %s",
		"instead": "this passed instead: `%s`"}[g.How]
	sessions := "1 earlier session"
	if g.Sessions != 1 {
		sessions = fmt.Sprintf("%d earlier sessions", g.Sessions)
	}
	line := fmt.Sprintf("- %s, %s%s had this failure: "+by+" (%d)\n", day(time.UnixMilli(g.At)),
		sessions, where, what, g.MendedBy)
	if SpeaksToAModel(line) {
		return ""
	}
	return line
}
