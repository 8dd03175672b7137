package gotcha

import (
	"path"
	"strings"

	"keepmum/lazyregexp"
)

const (
	maxOutput = 32 << 10 // of a failing run: its beginning and end
	maxLine   = 240      // bytes of a line that says why
	maxSaid   = 400      // lines that are searched
)

var (
	ansi = lazyregexp.New(`\x1b\[[0-9;?]*[A-Za-z]`)
	// why matches a line that says what went wrong.
	why = lazyregexp.New(`(?i)\b(?:error|fatal|panic|exception|failed|failure|cannot|can't|could not|couldn't|undefined|` +
		`no such|not found|not installed|denied|refused|unexpected|invalid|missing|unknown|unable|unsupported|must|` +
		`not a|no module|does not|is not|already)\b|^\S+:\d+(?::\d+)?: |Error:|Exception:`)
	// nothing matches a line that only says that something went wrong, or that it went well.
	nothing = lazyregexp.New(`(?i)^(?:exit(?:ed with)?(?: code| status)?:? ?-?\d*|wall time:.*|output:|chunk id:.*|` +
		`original token count:.*|command failed.*|process exited.*|error:? *command failed.*|npm err!.*|npm error.*|` +
		`.*\belifecycle\b.*|.*exited with (?:code|status|exit).*|make.*\*\*\* .*error \d+.*|` +
		`\W*(?:error|errors?|failed|failure|fail|fatal|stderr)\W*(?:\d+\W*)?|.*\b\d+ (?:failed|errors|passed|failing)\b.*|.*\b1 error\W*|` +
		`traceback .*|\^+|\W*[✓✔√✅].*|(?:-+ )?(?:ok|pass(?:ed)?)\b.*)$`)
	// refused matches what is printed for a command that did not run because the user or a rule forbade it.
	refused = lazyregexp.New(`^permission to use|doesn t want to (?:proceed|take this action)|^user rejected|` +
		`(?:requires|needs|without|waiting for) (?:your |user |the user s )?approval|^command timed out|was blocked|` +
		`has been denied|hook (?:blocked|denied)`)
	traceback = lazyregexp.New(`(?m)^Traceback \(most recent call last\):$`)
)

// Sign identifies a failure by the program that failed and the line that says why, without what differs from run to
// run. It returns false if no line is specific enough to be recognised.
func Sign(command, output string) (string, bool) {
	calls := meant(parse(command))
	line := plain(Reason(output))
	if len(calls) == 0 || refused.MatchString(line) || !telling(line) {
		return "", false
	}
	last := calls[len(calls)-1]
	for _, c := range calls {
		if p := strings.ToLower(c.program()); len(p) > 1 && strings.HasPrefix(line, p) {
			last = c
		}
	}
	return last.name() + "\n" + line, true
}

// Reason returns the line of an output that says what went wrong, or "".
func Reason(output string) string {
	if len(output) > maxOutput {
		output = output[:maxOutput/2] + "\n" + output[len(output)-maxOutput/2:]
	}
	output = ansi.Get().ReplaceAllString(output, "")
	if at := traceback.FindStringIndex(output); at != nil {
		if line := raised(output[at[1]:]); line != "" {
			return line
		}
	}
	n := 0
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if line == "" || nothing.MatchString(line) {
			continue
		}
		if n++; n > maxSaid {
			break
		}
		if why.MatchString(line[:min(len(line), maxLine)]) {
			return line
		}
	}
	return ""
}

// raised returns the line of a Python traceback with the exception.
func raised(after string) string {
	for line := range strings.Lines(after) {
		if line = strings.TrimRight(line, "\r\n"); line != "" && line[0] != ' ' && line[0] != '\t' {
			return line
		}
	}
	return ""
}

var (
	link    = lazyregexp.New(`\b[a-z][a-z0-9+.-]*://[^\s"'<>)]+`)
	mark    = lazyregexp.New(`\[(?:redacted|REDACTED)[^\]]*\]`)
	clock   = lazyregexp.New(`\b\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:z|[+-]\d\d:?\d\d)?)?|\b\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?\b`)
	hex     = lazyregexp.New(`\b(?:0x[0-9a-f]+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]*\d[0-9a-f]*[a-f][0-9a-f]*|[0-9a-f]*[a-f][0-9a-f]*\d[0-9a-f]*)\b`)
	pathish = lazyregexp.New(`(?:[a-z]:)?[\w.@~+-]*[/\\][\w.@~+/\\-]*`)
	digits  = lazyregexp.New(`\d+`)
	between = lazyregexp.New("[\\s\"'`“”‘’│|>•✗×✖*-]+")
	word    = lazyregexp.New(`\pL{3,}`)
)

// plain returns a line without what differs from run to run: colours, times, numbers, hashes, addresses, and everything
// but the name of a path.
func plain(line string) string {
	line = strings.ToLower(line[:min(len(line), maxLine)])
	line = link.Get().ReplaceAllString(line, "url")
	line = mark.Get().ReplaceAllString(line, "redacted")
	line = clock.Get().ReplaceAllString(line, "#")
	line = pathish.Get().ReplaceAllStringFunc(line, base)
	line = hex.Get().ReplaceAllStringFunc(line, longHex)
	line = digits.Get().ReplaceAllString(line, "#")
	return strings.TrimSpace(between.Get().ReplaceAllString(line, " "))
}

// base returns the name at the end of a path.
func base(p string) string {
	return path.Base(strings.ReplaceAll(p, `\`, "/"))
}

func longHex(s string) string {
	if len(s) < 7 {
		return s
	}
	return "#"
}

// telling reports whether a line is specific enough to be recognised.
func telling(line string) bool { return len(word.Get().FindAllString(line, 3)) >= 3 }
