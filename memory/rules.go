package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The markers around the rules that mum writes into an agent's file. The first marker records what is needed to remove
// them without a trace: how many line ends before it are ours (gap), whether the file was created for them (new), and a
// hash of each line written.
const (
	rulesName  = "mum:rules"
	rulesBegin = "<!-- " + rulesName + " begin "
	rulesEnd   = "<!-- " + rulesName + " end -->"
	rulesNote  = `made by "mum memory rules"; what you change below is kept -->`
)

// ErrMarkers says what is wrong with the markers in a file.
type ErrMarkers struct {
	Line int
	Why  string
}

func (e *ErrMarkers) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Why) }

// RulesFile is a file with or without rules between markers.
type RulesFile struct {
	before, after string // the rest of the file
	there         bool
	gap           int
	made          bool     // the file was created for the rules
	written       []string // hashes of the lines that were written
	lines         []string // the lines there now
	first         int      // line number of the first of them
}

// HandLine is a line between the markers that someone wrote by hand.
type HandLine struct {
	No   int    `json:"line"`
	Text string `json:"text"`
}

// ParseRules finds the rules in a file.
func ParseRules(text string) (*RulesFile, error) {
	f := &RulesFile{before: text}
	var begin, end, at, no int
	for line := range strings.Lines(text) {
		no++
		bare := strings.TrimRight(line, "\r\n")
		switch {
		case !strings.Contains(bare, rulesName):
			if begin > 0 && end == 0 && strings.TrimSpace(bare) != "" {
				f.lines = append(f.lines, bare)
			}
		case f.header(bare):
			if begin > 0 {
				return nil, &ErrMarkers{no, "the rules begin a second time"}
			}
			begin, f.before = no, text[:at]
		case bare != rulesEnd:
			return nil, &ErrMarkers{no, "a marker of " + rulesName + " was cut in half"}
		case begin == 0 || end > 0:
			return nil, &ErrMarkers{no, "the rules end here and do not begin before"}
		default:
			end, f.after = no, text[at+len(line):]
		}
		at += len(line)
	}
	if begin > 0 && end == 0 {
		return nil, &ErrMarkers{begin, "the rules begin here and do not end"}
	}
	f.there, f.first = begin > 0, begin+1
	return f, nil
}

// header parses the first marker, and reports whether a line is one.
func (f *RulesFile) header(line string) bool {
	line, ok1 := strings.CutPrefix(line, rulesBegin)
	line, ok2 := strings.CutSuffix(line, rulesNote)
	fields := strings.Fields(line)
	if !ok1 || !ok2 || len(fields) != 3 {
		return false
	}
	var err1, err2 error
	f.gap, err1 = strconv.Atoi(strings.TrimPrefix(fields[0], "gap="))
	f.made, err2 = strconv.ParseBool(strings.TrimPrefix(fields[1], "new="))
	list, ok := strings.CutPrefix(fields[2], "lines=")
	if list != "" {
		f.written = strings.Split(list, ",")
	}
	return errors.Join(err1, err2) == nil && ok && f.gap >= 0 && f.gap <= 2
}

func lineHash(s string) string {
	sum := sha256.Sum256([]byte(strings.TrimSpace(s)))
	return hex.EncodeToString(sum[:4])
}

// ByHand returns the lines between the markers that mum did not write.
func (f *RulesFile) ByHand() (out []HandLine) {
	for i, l := range f.lines {
		if !slices.Contains(f.written, lineHash(l)) {
			out = append(out, HandLine{f.first + i, l})
		}
	}
	return out
}

// Taken reports whether someone removed or changed a line by hand; such a line is not written again.
func (f *RulesFile) Taken(rule string) bool {
	h := lineHash(rule)
	return slices.Contains(f.written, h) &&
		!slices.ContainsFunc(f.lines, func(l string) bool { return lineHash(l) == h })
}

// With returns the file with these rules and the lines written by hand. A new file begins with head.
func (f *RulesFile) With(rules []string, head string, exists bool) string {
	before, gap, made := f.before, f.gap, f.made
	if !f.there {
		switch made = !exists; {
		case before == "":
			before, gap = head, 0
		case strings.HasSuffix(before, "\n"):
			gap = 1
		default:
			gap = 2
		}
		before += strings.Repeat("\n", gap)
	}
	var lines, hashes []string
	for _, r := range rules {
		if hashes = append(hashes, lineHash(r)); !f.Taken(r) {
			lines = append(lines, r)
		}
	}
	for _, l := range f.ByHand() {
		lines = append(lines, l.Text)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s%sgap=%d new=%t lines=%s %s\n", before, rulesBegin, gap, made,
		strings.Join(hashes, ","), rulesNote)
	for _, l := range lines {
		b.WriteString(l + "\n")
	}
	b.WriteString(rulesEnd + "\n" + f.after)
	return b.String()
}

// Without returns the file without the rules, but with the lines written by hand. gone means that nothing is left of a
// file that was created for the rules.
func (f *RulesFile) Without(head string) (text string, gone bool) {
	if !f.there {
		return f.before, false
	}
	before := f.before
	hand := f.ByHand()
	if len(hand) == 0 {
		for range f.gap {
			before = strings.TrimSuffix(before, "\n")
		}
	}
	for _, l := range hand {
		before += l.Text + "\n"
	}
	text = before + f.after
	return text, f.made && (text == "" || text == head)
}
