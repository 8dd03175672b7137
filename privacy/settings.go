package privacy

import (
	"strings"

	"keepmum/lazyregexp"
	"keepmum/privacy/denylist"
	"keepmum/privacy/known"
	"keepmum/privacy/value"
)

// A setting is a line NAME=value. Words behind a value without quotes make the
// first one a command; below a setting they belong to the value.
var (
	setting     = lazyregexp.New(`^\s*(?:[-+>|]\s+)?(?:export\s+)?[A-Za-z_][\w.]{0,63}=(?:"[^"]*"|'[^']*'|\S*)\s*(?:#.*)?$`)
	nextSetting = lazyregexp.New(`^\s*(?:[-+>|]\s+)?(?:export\s+)?[A-Za-z_][\w.]{0,63}=`)
)

// reachOfName is how many lines above a block of settings name its file: the
// sentence, an empty line, a fence.
const reachOfName = 3

// withoutSettings drops the values of the settings that a person or an agent
// pasted below the name of a denied file ("here is my .env:"), or in a fence
// that is one.
func (w *withholding) withoutSettings(text string) string {
	return w.withoutSettingsBelow(text, w.namesSettings)
}

// withoutShown drops the values of the settings that a shell shows in a text, below
// the line in which a command prints a denied file ("ann@web:~$ cat .env").
func (w *withholding) withoutShown(text string) string {
	return w.withoutSettingsBelow(text,
		func(line string) bool { return shows.MatchString(line) && w.namesSettings(line) })
}

// shows matches the line of a shell in which a command prints a file.
var shows = lazyregexp.New(`^\s*(?:\S{1,128} ?)?[$#%>❯] +(?:sudo +)?(?:cat|bat|less|more|head|tail|type|gc) `)

func (w *withholding) withoutSettingsBelow(text string, names func(line string) bool) string {
	if strings.IndexByte(text, '=') < 0 || strings.IndexByte(text, '\n') < 0 {
		return text
	}
	var out strings.Builder
	named := 0 // lines below a name in which a block may begin
	lines := strings.SplitAfter(text, "\n")
	for i := 0; i < len(lines); i++ {
		if block := settingsFrom(lines[i:]); block > 0 {
			part := strings.Join(lines[i:i+block], "")
			if named > 0 {
				part = w.settingValues(part)
			}
			out.WriteString(part)
			i, named = i+block-1, 0
			continue
		}
		if named--; names(lines[i]) {
			named = reachOfName
		}
		out.WriteString(lines[i])
	}
	return out.String()
}

// settingsFrom returns how many lines at the beginning are settings, with what
// is between them.
func settingsFrom(lines []string) (block int) {
	for n, line := range lines {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case setting.MatchString(line), n > 0 && nextSetting.MatchString(line):
			block = n + 1
		case n == 0 || strings.TrimSpace(line) != "" && !strings.HasPrefix(strings.TrimSpace(line), "#"):
			return block
		}
	}
	return block
}

// settingValues keeps the names of a block.
func (w *withholding) settingValues(block string) string {
	var out strings.Builder
	w.secrets = append(w.secrets, known.Harvest(block)...)
	for line := range strings.Lines(block) {
		if name, value, ok := strings.Cut(line, "="); ok && nextSetting.MatchString(line) {
			end := value[len(strings.TrimRight(value, "\r\n")):]
			line = name + "=" + w.drop(strings.TrimRight(value, "\r\n"), denylist.Excluded) + end
		}
		out.WriteString(line)
	}
	return out.String()
}

// namesSettings reports whether a line names a denied file, or opens a fence of one.
func (w *withholding) namesSettings(line string) bool {
	line = strings.TrimSpace(line)
	if kind := strings.TrimLeft(line, "`~"); len(line)-len(kind) >= 3 {
		line = strings.TrimSpace(kind)
		if value.In(value.Lower(line), " env dotenv ") {
			return true
		}
	}
	if len(line) > 1024 {
		return false
	}
	for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(" \t\"'`()[]<>,;*", r) }) {
		if w.Denies(strings.TrimRight(word, ".:!?")) {
			return true
		}
	}
	return false
}

// tellsOthers reports whether a tool's output is what another agent says.
func tellsOthers(tool string) bool {
	return value.In(value.Lower(tool), " agent task subagent ")
}
