package recall

import (
	"fmt"
	"strings"
	"time"

	"keepmum/store"
)

// maxRemedy is how much of a remedy is told, in characters: with what is around it a
// line is within 60 tokens.
const maxRemedy = 110

// Remedy is a command or a file that fixed a failure, as a document tells it.
func Remedy(doc store.ObservationRow, how string) string {
	s := strings.TrimSpace(strings.TrimPrefix(doc.Title, doc.Tool))
	if how == "edited" && len(doc.Files) > 0 && s == "" {
		s = doc.Files[0]
	}
	return quote(s, maxRemedy)
}

// Mended writes the line for a failure that was fixed before; "" where nothing may be
// told of it, because it speaks to a model.
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
