package compress

import (
	"fmt"
	"strconv"
	"strings"

	"keepmum/lazyregexp"
)

// outcome is the result of a command.
type outcome struct {
	Tests  bool // it ran tests
	Passed int
	Failed int
	Unit   string // what was counted; "" = tests
	Error  string // the first line that says what went wrong
}

var (
	ansi = lazyregexp.New(`\x1b\[[0-9;?]*[A-Za-z]`)
	// testCommand matches commands that run tests.
	testCommand = lazyregexp.New(
		`\b(?:go test|playwright test|pytest|py\.test|jest|vitest|mocha|rspec|phpunit|cargo (?:test|nextest)|(?:npm|yarn|pnpm|bun)(?: run)? test|node --test|mvn \S*test|gradle\w* \S*test|dotnet test|make (?:test|check)|tox|ctest|(?:sh|bash|\.)\s*/?\.?/?\S*test\S*\.sh)\b`)
	passed     = lazyregexp.New(`(?i)\b(\d+) (?:tests? |checks? |specs? |examples? )?(?:passed|passing)\b|# pass (\d+)`)
	failed     = lazyregexp.New(`(?i)\b(\d+) (?:tests? |checks? |specs? )?(?:failed|failing|failures?)\b|# fail (\d+)`)
	goPass     = lazyregexp.New(`(?m)^ok\s+\S+\s`)
	goFail     = lazyregexp.New(`(?m)^FAIL\s+\S+\s`)
	goFailTest = lazyregexp.New(`(?m)^\s*--- FAIL: (\S+)`)
	errorLine  = lazyregexp.New(
		`(?i)\b(?:error|fatal|panic|exception|failed|failure|cannot|could not|undefined|no such|not found|denied|refused|unexpected|invalid|missing|unknown)\b|^\S+:\d+(?::\d+)?: `)
	exitLine = lazyregexp.New(
		`(?i)^(?:exit(?:ed with)?(?: code| status)?:? ?\d*|wall time:.*|output:|command failed.*|process exited.*)$`)
)

// judge reads the output of a command.
func (s step) judge() outcome {
	out := ansi.ReplaceAllString(s.Output, "")
	o := outcome{Tests: testCommand.MatchString(s.Command)}
	if o.Tests {
		o.Passed, o.Failed = countOf(passed, out), countOf(failed, out)
		if o.Passed == 0 && o.Failed == 0 {
			o.Passed, o.Failed, o.Unit = len(goPass.FindAllString(out, -1)), len(goFail.FindAllString(out, -1)), "package"
		}
		if m := goFailTest.FindStringSubmatch(out); m != nil {
			o.Error = m[1]
			return o
		}
	}
	if s.Failed || o.Failed > 0 {
		o.Error = firstError(out)
	}
	return o
}

// countOf returns the last count, because test tools end with their totals.
func countOf(re *lazyregexp.Regexp, out string) int {
	all := re.FindAllStringSubmatch(out, -1)
	if len(all) == 0 {
		return 0
	}
	last := all[len(all)-1]
	n, err := strconv.Atoi(last[1] + last[2])
	if err != nil {
		return 0 // too many digits for a count
	}
	return n
}

// firstError returns the first line that names an error, otherwise the last one with any text.
func firstError(out string) string {
	last := ""
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if line == "" || exitLine.MatchString(line) {
			continue
		}
		if errorLine.MatchString(line) {
			return line
		}
		last = line
	}
	return last
}

// say describes an outcome in a few words, or returns "" if there is nothing to add.
func (o outcome) say(failed bool) string {
	switch {
	case o.Failed > 0:
		return fmt.Sprintf("%s passed, %d failed%s", o.count(), o.Failed, after(": ", o.Error))
	case failed:
		return "failed" + after(": ", o.Error)
	case o.Tests && o.Passed > 0:
		return o.count() + " passed"
	}
	return ""
}

func (o outcome) count() string {
	if o.Unit == "" {
		return strconv.Itoa(o.Passed)
	}
	return fmt.Sprintf("%d %s", o.Passed, plural(o.Passed, o.Unit))
}

func after(sep, s string) string {
	if s == "" {
		return ""
	}
	return sep + shorten(s, 90)
}

// tidy puts a command on one line.
func tidy(command string) string {
	line := strings.TrimSpace(command)
	if i := strings.IndexByte(line, '\n'); i >= 0 {
		line = strings.TrimSpace(line[:i]) + " …"
	}
	if _, rest, ok := strings.Cut(line, " && "); ok && strings.HasPrefix(line, "cd ") {
		line = rest
	}
	return shorten(line, 60)
}
