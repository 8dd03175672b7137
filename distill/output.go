package distill

import (
	"strings"

	"keepmum/lazyregexp"
	"keepmum/privacy"
)

const (
	maxHeard = 240 << 10 // of each end of an output, to learn its secrets
	maxEnd   = 1 << 10   // of each end of an output, to find why it failed
)

// withoutMiddle returns an output without its middle if it is too long to read completely.
func withoutMiddle(out any) any {
	s, ok := out.(string)
	if !ok || len(s) <= 2*maxHeard {
		return out
	}
	head, tail := cut(s, maxHeard)
	return strings.ToValidUTF8(s[:head], "") + "\n" + strings.ToValidUTF8(s[tail:], "")
}

// ends returns both ends of a long output. Only one line of it is kept later.
func ends(out privacy.Clean) privacy.Clean {
	s := out.String()
	if len(s) <= 2*maxEnd {
		return out
	}
	head, tail := cut(s, maxEnd)
	return privacy.Join("\n", out.Slice(0, head), out.Slice(tail, len(s)))
}

// cut returns where the middle of a text begins and ends, at line ends if possible.
func cut(s string, end int) (head, tail int) {
	head, tail = end, len(s)-end
	for head > 0 && s[head-1] != '\n' && head > end/2 {
		head--
	}
	for tail < len(s) && s[tail-1] != '\n' && tail < len(s)-end/2 {
		tail++
	}
	return head, tail
}

var errorLine = lazyregexp.New(
	`(?i)error|fail|panic|exception|fatal|undefined|cannot|can't|no such|not found|denied|refused|timed? ?out|mismatch|expected`)

// whyFailed returns the line of an output that says what went wrong: the first that looks like an error, otherwise the
// last.
func whyFailed(text privacy.Clean) privacy.Clean {
	last, s := privacy.Clean{}, text.String()
	for start := 0; start < len(s); {
		end := start + strings.IndexByte(s[start:], '\n')
		if end < start {
			end = len(s)
		}
		if line := strings.TrimSpace(s[start:end]); line != "" && !isPreamble(line) {
			at := start + strings.Index(s[start:end], line)
			last = text.Slice(at, at+len(line))
			if errorLine.MatchString(line) {
				break
			}
		}
		start = end + 1
	}
	return last
}

// isPreamble reports whether a line is one of those that agents put before the output of a command.
func isPreamble(line string) bool {
	low := strings.ToLower(line)
	return strings.HasPrefix(low, "exit code") || strings.HasPrefix(low, "process exited with code") ||
		strings.HasPrefix(low, "wall time")
}
