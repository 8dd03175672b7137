package denylist

import (
	"path"
	"slices"
	"strings"
	"time"

	"keepmum/privacy/shell"
)

// Passages finds, as [from, to), what belongs to denied files in a text of many files: lines of a search (path:3:text),
// sections of a diff, parts under a heading.
func (i *Inspection) Passages(text string) (out [][2]int) {
	var part section
	colon := -1 // the next colon that is followed by a digit
	for at, end := 0, 0; at < len(text); at = end {
		end = len(text)
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		if colon < at {
			colon = numberAfterColon(text, at)
		}
		if part.kind == plain && !i.listing && colon >= end && !startsPart(text[at:]) && !startsNumber(text[end:]) {
			continue // as nearly all lines
		}
		line := strings.TrimSuffix(strings.TrimSuffix(text[at:end], "\n"), "\r")
		part = i.next(part, line, text[end:])
		if part.hides() || part.searched() && i.deniedLine(line) {
			if last := len(out) - 1; last >= 0 && out[last][1] == at {
				out[last][1] = end
			} else {
				out = append(out, [2]int{at, end})
			}
		}
	}
	return out
}

// numberAfterColon returns the next colon before a digit, the end of the text if there is none.
func numberAfterColon(text string, at int) int {
	for {
		n := strings.IndexByte(text[at:], ':')
		if n < 0 {
			return len(text)
		}
		if at += n + 1; startsNumber(text[at:]) {
			return at - 1
		}
	}
}

func startsNumber(text string) bool { return text != "" && isDigit(text[0]) }

// startsPart reports whether a line starts with a heading that [Inspection.next] knows.
func startsPart(line string) bool {
	switch line[0] {
	case 'd':
		return strings.HasPrefix(line, "diff --")
	case 'I':
		return strings.HasPrefix(line, "Index: ")
	case '=', '-', '+':
		return len(line) > 3 && (line[1:4] == "-- " || line[1:4] == "++ " || line[1:4] == "=> ")
	}
	return false
}

// section is the part of a text of many files that a line is in.
type section struct {
	kind    sectionKind
	hidden  bool // of a denied file
	heading bool // the line that names the file
}

// hides reports whether a line of the section is of a denied file.
func (s section) hides() bool { return s.hidden && !s.heading }

// searched reports whether a line may itself name the file that it is of.
func (s section) searched() bool { return s.kind == plain || s.kind == matchPart && !s.hidden }

type sectionKind int

const (
	plain     sectionKind = iota
	diffPart              // diff --git, until the next one
	tailPart              // ==> file <==, until the next one
	matchPart             // a file name above its lines, until an empty line
)

// next returns the section that a line is in.
func (i *Inspection) next(s section, line, rest string) section {
	s.heading = false
	switch {
	case line == "" && s.kind == matchPart:
		return section{}
	case line == "":
		return s
	case strings.HasPrefix(line, "diff --"), strings.HasPrefix(line, "Index: "):
		return section{diffPart, slices.ContainsFunc(strings.Fields(line)[1:], i.Denies), true}
	case strings.HasPrefix(line, "==> ") && strings.HasSuffix(line[4:], " <=="):
		return section{tailPart, i.Denies(line[4 : len(line)-4]), true}
	case i.changes(s, line, rest):
		return section{diffPart, true, false}
	case s.kind == plain && couldName(line) && (i.headings || numberedBelow(rest)):
		if hidden := i.Denies(strings.TrimSuffix(line, ":")); hidden || i.headings {
			return section{matchPart, hidden, true}
		}
	}
	return s
}

// numberedBelow reports whether a text starts with a line of a search below the name of its file: "3:text", or
// "  Line 3: text" as OpenCode writes it.
func numberedBelow(text string) bool {
	return numbered(strings.TrimPrefix(strings.TrimLeft(text, " \t"), "Line "))
}

// changes reports whether a line is the header of a diff of a denied file.
func (i *Inspection) changes(s section, line, rest string) bool {
	name, ok := diffHeader(line)
	return ok && (s.kind == diffPart || strings.HasPrefix(rest, "+++ ") || line[0] == '+') && i.Denies(name)
}

// diffHeader returns the file of a "--- a/file" or "+++ b/file" line.
func diffHeader(line string) (string, bool) {
	if !strings.HasPrefix(line, "--- ") && !strings.HasPrefix(line, "+++ ") {
		return "", false
	}
	name, _, _ := strings.Cut(line[4:], "\t")
	return strings.TrimSpace(name), true
}

// Denies is [Inspection.file] for a name in an output: it checks only the name, not the file system.
func (i *Inspection) Denies(name string) bool {
	if name == "" || len(name) > 1024 {
		return false
	}
	hit, known := i.named[name]
	if known {
		return hit
	}
	if file := plainName(name); file != "" {
		file = strings.ToLower(shell.Path(i.event.Dir, file, i.d.home))
		hit = i.d.rules.match(file) || i.d.copies.has(i.event.Session, file)
	}
	if len(i.named) > 4096 {
		clear(i.named)
	}
	i.named[name] = hit
	return hit
}

// numbered reports whether a text starts with the line number of a search.
func numbered(text string) bool {
	n := 0
	for n < len(text) && n < 8 && isDigit(text[n]) {
		n++
	}
	return n > 0 && n < len(text) && (text[n] == ':' || text[n] == '-' && !isDate(text))
}

// isDate reports whether a text starts with a date, as log lines do.
func isDate(text string) bool {
	const day = "2006-01-02"
	if len(text) < len(day) {
		return false
	}
	_, err := time.Parse(day, text[:len(day)])
	return err == nil
}

// couldName is a quick check whether a line may be only a file name.
func couldName(line string) bool {
	return len(line) < 512 && !strings.ContainsAny(line, "=(){};<>|")
}

// numberedName returns what is before the first number between colons or dashes (.env-4-NAME=value), "" if none is.
func numberedName(line string) string {
	for at := 1; at < min(len(line), 512); at++ {
		if (line[at] == ':' || line[at] == '-') && numbered(line[at+1:]) {
			return line[:at]
		}
	}
	return ""
}

// deniedLine reports whether a search result is a line of a denied file.
func (i *Inspection) deniedLine(line string) bool {
	name, rest := cutPath(line)
	if rest == "" && strings.HasSuffix(line, ":") {
		return false // a heading, or an empty line of the file
	}
	if (i.listing || numbered(rest)) && couldName(path.Base(shell.Slashes(name))) && i.Denies(name) {
		return true
	}
	if !i.listing {
		return false
	}
	if name, _, ok := strings.Cut(line, "\x00"); ok { // grep -Z
		return i.Denies(name)
	}
	return i.Denies(numberedName(line)) // context lines: .env-4-NAME=value
}

// cutPath cuts a line at the colon after its path.
func cutPath(line string) (name, rest string) {
	from := 0
	if shell.HasDrive(line) {
		from = len("C:")
	}
	name, rest, ok := strings.Cut(line[from:], ":")
	if !ok || len(name) > 512 {
		return "", ""
	}
	return line[:from+len(name)], rest
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
