package privacy

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/dlclark/regexp2/v2"

	"keepmum/lazyregexp"
	"keepmum/privacy/cputime"
	"keepmum/privacy/known"
	"keepmum/privacy/scan"
)

const (
	patternTimeout = 100 * time.Millisecond // for all matches of one pattern in one text
	compileAlone   = 250 * time.Millisecond // for all patterns, in a process that an agent waits for
	floodTimeout   = 250 * time.Millisecond // processor time for one flood input, when loading
	floodSize      = 64 << 10
	maxMatches     = 100000
)

// errPatternTimeout means that a pattern ran out of time; the text must then be withheld.
var errPatternTimeout = errors.New("pattern timeout")

// ErrSlowPatterns means that patterns that are fast enough on their own take too long together.
var ErrSlowPatterns = errors.New("the patterns are too slow together")

// patterns are the user's own rules.
type patterns struct {
	list    []userPattern
	timeout time.Duration
}

type userPattern struct {
	rule     string
	re       *regexp2.Regexp
	secret   int      // group that contains the secret; 0 = the whole match
	keywords []string // lower case; a text without any of them cannot match
}

// newPatterns compiles the user's patterns and runs each one on inputs that make a bad one slow. An invalid or slow
// pattern is an error that names it, because a pattern that is silently skipped protects nobody.
//
// trial limits the time for compiling and testing all of them. A negative trial skips the tests and leaves little time
// to compile, for a process that has one text to clean while an agent waits.
func newPatterns(list []Pattern, trial time.Duration) (*patterns, error) {
	p := &patterns{timeout: patternTimeout}
	seen, spent, limit := map[string]bool{}, time.Duration(0), trial
	if trial < 0 {
		limit = compileAlone
	}
	for _, one := range list {
		if limit > 0 && spent > limit {
			return nil, fmt.Errorf("privacy pattern %q: %w: trying the patterns before it took more than %s",
				one.Name, ErrSlowPatterns, limit)
		}
		compiled, tried, err := compilePattern(one, trial >= 0)
		if err != nil {
			return nil, err
		}
		spent += tried
		if seen[compiled.rule] {
			return nil, fmt.Errorf("privacy pattern %q: there are two of this name", one.Name)
		}
		seen[compiled.rule] = true
		p.list = append(p.list, compiled)
	}
	return p, nil
}

// compilePattern also returns the time that compiling took, and the processor time for all flood inputs.
func compilePattern(p Pattern, try bool) (u userPattern, tried time.Duration, err error) {
	u.rule = ruleName(p.Name)
	if u.rule == "" {
		return u, 0, fmt.Errorf("privacy pattern %q: the name must have 2 to 48 letters or digits", p.Name)
	}
	began := time.Now()
	re, err := regexp2.Compile(p.Regex)
	tried = time.Since(began)
	if err != nil {
		return u, 0, fmt.Errorf("privacy pattern %q: not a valid regular expression: %w", p.Name, err)
	}
	if p.Regex == "" {
		return u, 0, fmt.Errorf("privacy pattern %q: the regular expression is empty", p.Name)
	}
	u.re, u.secret = re, max(0, re.GroupNumberFromName("secret"))
	if try {
		flooded, err := flood(p, re)
		if tried += flooded; err != nil {
			return u, tried, err
		}
	}
	re.MatchTimeout = floodTimeout
	for _, k := range p.Keywords {
		u.keywords = append(u.keywords, strings.ToLower(k))
	}
	return u, tried, nil
}

// ruleName converts a pattern's name to one that a placeholder may contain.
func ruleName(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	rule := strings.Trim(b.String(), "-")
	if len(rule) < 2 || len(rule) > 48 {
		return ""
	}
	return rule
}

// flood times a pattern on inputs that make backtracking explode.
func flood(p Pattern, re *regexp2.Regexp) (all time.Duration, err error) {
	for _, f := range floods(p) {
		took, err := timed(re, f.text, floodTimeout, cputime.Spent)
		if all += took; err != nil {
			return all, fmt.Errorf("privacy pattern %q: too slow: 64 KiB of %s took more than %s of the processor",
				p.Name, f.name, floodTimeout)
		}
	}
	return all, nil
}

// timed returns the processor time that a pattern takes for a text. If the pattern runs out of time without having had
// the processor that long, it gets another try, with more time in proportion to how busy the machine was.
func timed(
	re *regexp2.Regexp, text string, allowed time.Duration, cpu func() time.Duration,
) (spent time.Duration, err error) {
	const busiest = 32 // on a busier machine, no time can be measured
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for limit := allowed; limit <= busiest*allowed; {
		re.MatchTimeout = limit
		began, before := time.Now(), cpu()
		_, err = searchAll(re, 0, text, began.Add(limit))
		spent = min(time.Since(began), cpu()-before)
		if err == nil || spent >= allowed {
			break
		}
		limit *= min(4, max(2, 1+allowed/max(1, spent)))
	}
	return spent, err
}

type floodInput struct{ name, text string }

var (
	regexSyntax = lazyregexp.New(`\\[a-zA-Z]|\[[^\]]*\]|\(\?[^)]*|\{[0-9,]+\}|[\\^$.|?*+()]`)
	regexWords  = lazyregexp.New(`[A-Za-z0-9_=:/ -]{2,}`)
)

// floods returns long inputs: of one character, of alternating characters, and of the literal parts and keywords of the
// pattern, each ending so that a match fails.
func floods(p Pattern) []floodInput {
	units := []floodInput{{"the letter a", "a"}, {"digits", "0"}, {"spaces", " "}, {"line ends", "\n"}, {"a1", "a1"},
		{"words", "word "}, {"equal signs", "="}, {"assignments", "key=value "}, {"quotes", `"a" `}, {"dots", "a."},
		{"dashes", "a-"}, {"capitals", "AB"}, {"addresses", "a@b.c "}, {"brackets", "((a)) "}}
	for _, w := range append(regexWords.FindAllString(regexSyntax.ReplaceAllString(p.Regex, "\x00"), 8), p.Keywords...) {
		if w != "" {
			own := fmt.Sprintf("its own literal %q", w)
			units = append(units, floodInput{own, w}, floodInput{own + " and letters", w + "aaaa"})
		}
	}
	for i, u := range units {
		units[i].text = strings.Repeat(u.text, floodSize/len(u.text)) + "\x00!"
	}
	return units
}

// searchAll returns every match as [from, to) in bytes. It fails at the deadline.
func searchAll(re *regexp2.Regexp, secret int, text string, deadline time.Time) ([][2]int, error) {
	var out [][2]int
	m, err := re.FindStringMatch(text)
	for ; m != nil && err == nil; m, err = re.FindNextMatch(m) {
		// The library's timeout applies to each match, so many slow matches would add up.
		if len(out) >= maxMatches || time.Now().After(deadline) {
			return nil, errPatternTimeout
		}
		from, length := m.ByteRange()
		if g := m.GroupByNumber(secret); secret != 0 && g != nil && len(g.Captures) > 0 {
			from, length = g.ByteRange()
		}
		if length > 0 {
			out = append(out, [2]int{from, from + length})
		}
	}
	if err != nil {
		return nil, errPatternTimeout // the library has no other error for a search
	}
	return out, nil
}

// spans returns an error if a pattern runs out of time; the text must then be withheld.
func (p *patterns) spans(text string) ([]scan.Span, error) {
	if len(p.list) == 0 || text == "" {
		return nil, nil
	}
	var out []scan.Span
	folded := ""
	for _, u := range p.list {
		if len(u.keywords) > 0 && folded == "" {
			folded = strings.ToLower(text)
		}
		if !u.applies(folded) {
			continue
		}
		found, err := searchAll(u.re, u.secret, text, time.Now().Add(p.timeout))
		if err != nil {
			return nil, err
		}
		out = append(out, known.AsSpans(found, u.rule)...)
	}
	return out, nil
}

// applies reports whether a text contains one of the pattern's keywords.
func (u userPattern) applies(folded string) bool {
	return len(u.keywords) == 0 ||
		slices.ContainsFunc(u.keywords, func(k string) bool { return strings.Contains(folded, k) })
}

// names returns the rule names of the patterns.
func (p *patterns) names() []string {
	out := make([]string, len(p.list))
	for i, u := range p.list {
		out[i] = u.rule
	}
	return out
}
