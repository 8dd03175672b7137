package denylist

import (
	"path"
	"slices"
	"strings"
	"time"

	"keepmum/privacy/shell"
)

// Passages finds, as [from, to), what belongs to denied files in a text of many files: lines of a search (path:3:text),
// sections of a diff, parts under a heading. If there is nothing to find, it costs a search for line ends and colons.
func (i *Inspection) Passages(text string) (out [][2]int) {
	section, colon := noSection, -1
	for at := 0; at < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		if colon < at {
			colon = len(text)
			if n := strings.IndexByte(text[at:], ':'); n >= 0 {
				colon = at + n
			}
		}
		if section == noSection && !i.listing && !mayName(text, at, end, colon) {
			at = end
			continue
		}
		line := strings.TrimSuffix(strings.TrimSuffix(text[at:end], "\n"), "\r")
		section = i.next(section, line, text[end:])
		if section.hidden && !section.heading || section == noSection && i.deniedLine(line) {
			if last := len(out) - 1; last >= 0 && out[last][1] == at {
				out[last][1] = end
			} else {
				out = append(out, [2]int{at, end})
			}
		}
		at = end
	}
	return out
}

// mayName reports whether the line at [at, end) can start a section or be a search result; colon is the offset of the
// next colon.
func mayName(text string, at, end, colon int) bool {
	switch text[at] {
	case 'd', 'I', '-', '+', '=':
		return true
	}
	if end < len(text) && isDigit(text[end]) {
		return true
	}
	return colon < end && (colon == at+1 || colon+1 < end && isDigit(text[colon+1]))
}

// section is the part of a text of many files that a line is in.
type section struct {
	kind    sectionKind
	hidden  bool // of a denied file
	heading bool // the line that names the file
}

type sectionKind int

const (
	plain     sectionKind = iota
	diffPart              // diff --git, until the next one
	tailPart              // ==> file <==, until the next one
	matchPart             // a file name above numbered lines, until an empty line
)

var noSection = section{}

// next returns the section that a line is in.
func (i *Inspection) next(s section, line, rest string) section {
	s.heading = false
	switch {
	case line == "" && s.kind == matchPart:
		return noSection
	case line == "":
		return s
	case strings.HasPrefix(line, "diff --"), strings.HasPrefix(line, "Index: "):
		return section{diffPart, slices.ContainsFunc(strings.Fields(line)[1:], i.Denies), true}
	case strings.HasPrefix(line, "==> ") && strings.HasSuffix(line[4:], " <=="):
		return section{tailPart, i.Denies(line[4 : len(line)-4]), true}
	case i.changes(s, line, rest):
		return section{diffPart, true, false}
	case s.kind == plain && numbered(rest) && couldName(line) && i.Denies(line):
		return section{matchPart, true, true}
	}
	return s
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
	if len(name) == 0 || len(name) > 1024 {
		return false
	}
	if i.unlikely(name) {
		return false
	}
	hit, known := i.named[name]
	if known {
		return hit
	}
	if file := plainName(name); file != "" {
		file = strings.ToLower(shell.Path(i.event.Dir, file, i.d.home))
		hit = i.rules.match(file) || i.d.copies.has(i.event.Session, file)
	}
	if i.named == nil || len(i.named) > 4096 {
		i.named = map[string]bool{}
	}
	i.named[name] = hit
	return hit
}

// unlikely reports whether a name cannot belong to a denied file. The working directory may be one where everything is
// denied.
func (i *Inspection) unlikely(name string) bool {
	if i.odd == unknownOdd {
		i.odd = ordinaryDir
		if i.d.copies.any(i.event.Session) || strings.Contains(i.event.Dir, "/.") ||
			strings.Contains(i.event.Dir, `\.`) || i.d.quick.placed(i.event.Dir) {
			i.odd = oddDir
		}
	}
	return i.odd == ordinaryDir && !i.d.quick.possible(name)
}

// oddness is whether names alone decide.
type oddness int

const (
	unknownOdd oddness = iota
	ordinaryDir
	oddDir
)

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

// couldName is a quick check whether a line can only be a file name.
func couldName(line string) bool {
	return len(line) < 512 && !strings.ContainsAny(line, "=(){};<>|")
}

// numberedName returns what is before the first number between colons or dashes (.env-4-NAME=value).
func numberedName(line string) (string, bool) {
	for at := 1; at < len(line) && at <= 512; at++ {
		if (line[at] == ':' || line[at] == '-') && numbered(line[at+1:]) {
			return line[:at], true
		}
	}
	return "", false
}

// deniedLine reports whether a search result is a line of a denied file.
func (i *Inspection) deniedLine(line string) bool {
	if end := strings.IndexByte(line, 0); end > 0 && i.listing { // grep -Z
		return i.Denies(line[:end])
	}
	name, rest, ok := cutPath(line)
	if !ok {
		if i.listing && len(line) < 4096 { // context lines: .env-4-NAME=value
			if name, ok := numberedName(line); ok {
				return i.Denies(name)
			}
		}
		return false
	}
	if !i.listing && !numbered(rest) {
		return false
	}
	if suspicious(name) && i.Denies(name) {
		return true
	}
	if longer, ok := numberedName(line); ok && i.listing && longer != name {
		return i.Denies(longer)
	}
	return false
}

// cutPath cuts a line at the colon after its path.
func cutPath(line string) (name, rest string, ok bool) {
	from := 0
	if len(line) > 2 && line[1] == ':' && (line[2] == '\\' || line[2] == '/') {
		from = 2 // a drive letter
	}
	colon := strings.IndexByte(line[from:], ':')
	if colon <= 0 || colon > 512 {
		return "", "", false
	}
	return line[:from+colon], line[from+colon+1:], true
}

// suspicious is a quick check that most names fail: denied names contain a dot, id_ or credentials, or are in such a
// directory. The user's globs may be anything, so it only checks the shape.
func suspicious(name string) bool {
	base := path.Base(shell.Slashes(name))
	return base != "." && base != "" && !strings.ContainsAny(base, "{}()=;<>|\"")
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
