package recall

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"keepmum/sorting"
	"keepmum/store"
)

const (
	lineWithout = 60  // approximate length of a line besides what it quotes,
	minLine     = 260 // and the maximum reserved for each line that follows
	maxBranch   = 60  // characters of a branch's name
)

// needed returns the space to reserve for statements that follow.
func needed(told []statement) (room int) {
	for _, st := range told {
		room += min(lineWithout+len(st.asked)+len(st.said), minLine)
	}
	return room
}

// maxShown is the room for the line by which a statement is judged.
const maxShown = 800

// settled writes a line about something that was settled, with at most that many characters of it, and within the given
// room: earlier lines must leave space for the last one.
func (w *writer) settled(st statement, most, room int) {
	line := st.line(most, room)
	if st.branch != "" {
		line += ", on branch " + quote(st.branch, maxBranch)
	}
	switch {
	case st.withdrawn != 0:
		line += fmt.Sprintf(", taken back by %d", st.withdrawn)
	case st.replaced != 0:
		line += fmt.Sprintf(", replaced by %d", st.replaced)
	}
	about := store.Injected{ID: st.id, Type: st.kind, Score: math.Round(st.score*100) / 100}
	w.add(entry{line, line, []string{st.asked, st.said}, nil, []store.Injected{about}})
}

// line returns a statement as one line, with at most that many characters of it, and within the given room.
func (st *statement) line(most, room int) string {
	room = max(room, most/2)
	question := min(most+maxQuestion, room)
	most = min(most, room)
	title := beginning(st.title, most/2)
	said := quote(title+gist(strings.TrimPrefix(prose(st.said), st.title), most-len(title), st.about), most)
	asked := quote(gist(prose(st.asked), question, st.about), question)
	line := fmt.Sprintf("- %s %s", day(time.UnixMilli(st.at)), st.agent)
	switch {
	case st.kind != store.KindPrompt:
		line += ": " + said
	case st.asked == "":
		line += fmt.Sprintf(", the user: %q", said)
	case st.said == "":
		line += fmt.Sprintf(": %q", asked)
	default:
		line += fmt.Sprintf(": %q; the user: %q", asked, said)
	}
	return line + fmt.Sprintf(" (%d)", st.id)
}

// gist returns the sentences of a text that settle most and are most about the prompt, within a number of characters:
// all of a short text; of a long one the best sentences in their order.
func gist(text string, most int, about func(string) float64) string {
	if len(text) <= most {
		return text
	}
	type piece struct {
		at    int
		text  string
		score float64
	}
	if about == nil {
		about = func(string) float64 { return 0 }
	}
	var pieces []piece
	for i, s := range sentences(text) {
		pieces = append(pieces, piece{i, s, settles(s) + gistAbout*about(s)})
	}
	sorting.Stable(pieces, func(a, b piece) int { return cmp.Compare(b.score, a.score) })
	room := most
	var kept []piece
	for _, p := range pieces {
		if len(p.text)+3 <= room || len(kept) == 0 { // the best one in part rather than nothing
			room -= len(p.text) + 3
			kept = append(kept, p)
		}
	}
	sorting.Stable(kept, func(a, b piece) int { return cmp.Compare(a.at, b.at) })
	var b strings.Builder
	for i, p := range kept {
		switch {
		case i == 0:
		case p.at == kept[i-1].at+1:
			b.WriteByte(' ')
		default:
			b.WriteString(" … ")
		}
		b.WriteString(p.text)
	}
	return b.String()
}

// shortest is the minimum number of bytes of a sentence that another one follows on its line.
const shortest = 15

// endsSentence returns the length of the sign that ends a sentence at the beginning of a text; 0 = there is none.
func endsSentence(rest string) int {
	switch c := rest[0]; {
	case c < utf8.RuneSelf && strings.IndexByte(".!?", c) >= 0 && strings.HasPrefix(rest[1:], " "):
		return 1
	case c < utf8.RuneSelf:
		return 0
	}
	for _, end := range []string{"。", "！", "？"} {
		if strings.HasPrefix(rest, end) {
			return len(end)
		}
	}
	return 0
}

// sentences splits a text into lines and sentences.
func sentences(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		rest := strings.TrimSpace(line)
		for rest != "" {
			end := len(rest)
			for i := shortest; i < len(rest); i++ {
				if n := endsSentence(rest[i:]); n > 0 {
					end = i + n
					break
				}
			}
			out = append(out, strings.TrimSpace(rest[:end]))
			rest = strings.TrimSpace(rest[end:])
		}
	}
	return out
}
