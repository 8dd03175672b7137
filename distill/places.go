package distill

import (
	"context"
	"strings"
	"time"

	"keepmum/extract"
	"keepmum/store"
)

const (
	maxKnown  = 2000      // stored documents of a session that are compared with its file
	sameThing = time.Hour // maximum time between a tool call in a file and its hook event
)

// nameDocuments appends to the reference of a step the stored document of the same event, as in 38#12, so that whoever
// asks where a memory comes from sees what was stored. The reference keeps its place in the file: a memory that names a
// place is known to come from that place, not from any particular document.
func (r *run) nameDocuments(ctx context.Context, f *found, steps []extract.Step) error {
	if f.stored == nil || f.fromHooks() {
		return nil
	}
	lines, err := r.w.DB.SessionLines(ctx, f.stored.ID, maxKnown)
	if err != nil {
		return err
	}
	for i := range steps {
		id := documentOf(&steps[i], lines)
		if id == 0 {
			continue
		}
		if ref, found := r.w.Gate.Text(steps[i].Ref.String() + "#" + decimal(id)); len(found) == 0 {
			steps[i].Ref = ref
		}
	}
	return nil
}

// documentOf returns the document with the same content as a step; if there are several, the one nearest in time.
func documentOf(s *extract.Step, lines []store.Line) int64 {
	var id int64
	best := time.Duration(-1)
	for i := range lines {
		l := &lines[i]
		off := s.At.Sub(time.UnixMilli(l.At)).Abs()
		if says(l, s) && (best < 0 || off < best) && (s.Role != extract.Tool || off <= sameThing) {
			id, best = l.ID, off
		}
	}
	return id
}

// says reports whether a stored document may be of the same event as a step.
func says(l *store.Line, s *extract.Step) bool {
	switch s.Role {
	case extract.User:
		return l.Type == store.KindPrompt && l.Role == string(store.RoleUser) && begins(s.Text.String(), l.Text)
	case extract.Assistant:
		return l.Type == store.KindPrompt && l.Role == string(store.RoleAssistant) && begins(s.Text.String(), l.Text)
	case extract.Tool:
		if l.Tool == "" || l.Tool != s.Tool.String() {
			return false
		}
		what := s.Command.String()
		if what == "" && len(s.Files) > 0 {
			what = s.Files[0].String()
		}
		what, _, _ = strings.Cut(strings.TrimSpace(what), "\n")
		return what != "" && strings.Contains(l.Title, what[:min(len(what), 40)])
	}
	return false
}

// lineText is how many characters of a text a [store.Line] has.
const lineText = 1000

// begins reports whether a text begins with what a line shows.
func begins(text, shown string) bool {
	text, short := strings.TrimSpace(text), strings.TrimSpace(shown)
	return short != "" && (text == short || len([]rune(shown)) >= lineText && strings.HasPrefix(text, short))
}
