package privacy

import (
	"strings"

	"keepmum/lazyregexp"
	"keepmum/privacy/denylist"
	"keepmum/privacy/known"
	"keepmum/privacy/value"
)

// afterName returns the position of the value in a line NAME=value, -1 if it is not such a line. Blanks, the mark of a
// list or a diff, and "export" may precede the name.
func afterName(line string) int {
	const longest = 64
	at := blanksFrom(line, 0)
	if at < len(line) && strings.IndexByte("-+>|", line[at]) >= 0 {
		behind := blanksFrom(line, at+1)
		if behind == at+1 {
			return -1
		}
		at = behind
	}
	if rest, ok := strings.CutPrefix(line[at:], "export"); ok {
		if n := blanksFrom(rest, 0); n > 0 {
			at = len(line) - len(rest) + n
		}
	}
	from := at
	for at < len(line) && (value.WordByte(line[at]) || line[at] == '.' && at > from) {
		at++
	}
	if at == from || at-from > longest || value.Digit(line[from]) || at == len(line) || line[at] != '=' {
		return -1
	}
	return at + 1
}

// blank contains the bytes that separate words.
const blank = " \t\n\f\r"

// blanksFrom skips blanks.
func blanksFrom(text string, at int) int {
	for at < len(text) && strings.IndexByte(blank, text[at]) >= 0 {
		at++
	}
	return at
}

// isSetting reports whether a line is only NAME=value, perhaps with a comment. Words after an unquoted value make it a
// command; below a setting they belong to the value.
func isSetting(line string) bool {
	at := afterName(line)
	if at < 0 {
		return false
	}
	rest := line[at:]
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		if n := strings.IndexByte(rest[1:], rest[0]); n >= 0 && closes(rest[n+2:]) {
			return true
		}
	}
	word := rest
	if n := strings.IndexAny(rest, blank); n >= 0 {
		word = rest[:n]
	}
	return strings.IndexByte(word, '#') >= 0 || closes(rest[len(word):])
}

// closes reports whether only blanks and a comment follow.
func closes(rest string) bool {
	at := blanksFrom(rest, 0)
	return at == len(rest) || rest[at] == '#'
}

// reachOfName is how many lines above a block of settings its file may be named: the sentence, an empty line, a fence.
const reachOfName = 3

// withoutSettings drops the values of settings that a person or an agent pasted below the name of a denied file ("here
// is my .env:"), or in a fence with such a name.
func (w *withholding) withoutSettings(text string) string {
	return w.withoutSettingsBelow(text, w.namesSettings)
}

// withoutShown drops the values of settings below a shell line in which a command prints a denied file ("ann@web:~$ cat
// .env").
func (w *withholding) withoutShown(text string) string {
	if strings.IndexByte(text, '=') < 0 || !mayShow(text) {
		return text
	}
	return w.withoutSettingsBelow(text,
		func(line string) bool { return mayShow(line) && shows.MatchString(line) && w.namesSettings(line) })
}

// shows matches a shell line in which a command prints a file.
var shows = lazyregexp.New(`^\s*(?:\S{1,128} ?)?[$#%>❯] +(?:sudo +)?(?:cat|bat|less|more|head|tail|type|gc) `)

// mayShow is a quick check for such lines.
func mayShow(text string) bool {
	for _, sign := range []byte{'$', '#', '%', '>', "❯"[2]} { // the last byte of each
		for at := 0; ; {
			n := strings.IndexByte(text[at:], sign)
			if n < 0 {
				break
			}
			if at += n + 1; at < len(text) && text[at] == ' ' && printsFile(text[at:]) {
				return true
			}
		}
	}
	return false
}

// printsFile reports whether a text starts with a command that prints a file.
func printsFile(text string) bool {
	text = strings.TrimLeft(text, " ")
	if rest, ok := strings.CutPrefix(text, "sudo "); ok {
		text = strings.TrimLeft(rest, " ")
	}
	const longest = len("less ")
	name, _, ok := strings.Cut(text[:min(len(text), longest)], " ")
	return ok && value.InList(name, " cat bat less more head tail type gc ")
}

// withoutSettingsBelow drops the values of settings shortly below a line for which names is true.
func (w *withholding) withoutSettingsBelow(text string, names func(line string) bool) string {
	if strings.IndexByte(text, '=') < 0 || strings.IndexByte(text, '\n') < 0 {
		return text
	}
	var out strings.Builder
	kept := 0  // everything before it has been written
	named := 0 // lines below a name in which a block may start
	for at := 0; at < len(text); {
		if block := settingsFrom(text[at:]); block > 0 {
			if named > 0 {
				out.WriteString(text[kept:at] + w.settingValues(text[at:at+block]))
				kept = at + block
			}
			at, named = at+block, 0
			continue
		}
		end := value.NextLine(text, at)
		if named--; names(text[at:end]) {
			named = reachOfName
		}
		at = end
	}
	if kept == 0 {
		return text
	}
	out.WriteString(text[kept:])
	return out.String()
}

// settingsFrom returns how many bytes at the start are lines of settings, including the lines between them.
func settingsFrom(text string) (block int) {
	for at := 0; at < len(text); {
		end := value.NextLine(text, at)
		line := strings.TrimRight(text[at:end], "\r\n")
		switch {
		case isSetting(line), at > 0 && afterName(line) >= 0:
			block = end
		case at == 0 || strings.TrimSpace(line) != "" && !strings.HasPrefix(strings.TrimSpace(line), "#"):
			return block
		}
		at = end
	}
	return block
}

// settingValues returns a block with its names and without its values.
func (w *withholding) settingValues(block string) string {
	var out strings.Builder
	w.secrets = append(w.secrets, known.Harvest(block)...)
	for line := range strings.Lines(block) {
		if name, value, ok := strings.Cut(line, "="); ok && afterName(line) >= 0 {
			end := value[len(strings.TrimRight(value, "\r\n")):]
			line = name + "=" + w.drop(strings.TrimRight(value, "\r\n"), denylist.Excluded) + end
		}
		out.WriteString(line)
	}
	return out.String()
}

// namesSettings reports whether a line names a denied file, or opens a fence named after one.
func (w *withholding) namesSettings(line string) bool {
	line = strings.TrimSpace(line)
	if kind := strings.TrimLeft(line, "`~"); len(line)-len(kind) >= 3 {
		line = strings.TrimSpace(kind)
		if value.InList(strings.ToLower(line), " env dotenv ") {
			return true
		}
	}
	if len(line) > 1024 {
		return false
	}
	for word := range strings.FieldsFuncSeq(line,
		func(r rune) bool { return strings.ContainsRune(" \t\"'`()[]<>,;*", r) }) {
		if w.Denies(strings.TrimRight(word, ".:!?")) {
			return true
		}
	}
	return false
}

// tellsOthers reports whether a tool's output is text from another agent.
func tellsOthers(tool string) bool {
	return value.InList(strings.ToLower(tool), " agent task subagent ")
}
