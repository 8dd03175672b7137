package gotcha

import (
	"path"
	"slices"
	"strings"

	"keepmum/lazyregexp"
)

// Step is one use of a tool in a session.
type Step struct {
	ID       int64
	Subagent string // which of the session's agents it was
	Command  string // that was run, if any
	File     string // that was edited, if any
	Output   string
	Failed   bool
}

// How says how a failure was fixed.
type How string

// The ways.
const (
	Ran     How = "ran"     // it was run, then the same command passed
	Edited  How = "edited"  // it was edited, then the same command passed
	Instead How = "instead" // it was run instead, and passed
)

// Failure is a command that failed, and what fixed it.
type Failure struct {
	Step     int64
	Sign     string
	Passed   int64 // the run that passed
	Remedies []Remedy
}

// Remedy is one thing done between a failure and the run that passed.
type Remedy struct {
	Step int64
	How  How
	What string // identifies it
}

const (
	reach      = 60  // steps after a failure that are searched for its remedy
	near       = 6   // steps within which another command may replace the failed one
	related    = 0.5 // minimum similarity of two whole command lines
	likeness   = 0.6 // and of their main calls: at a half, both the verb and its object could differ
	candidates = 5   // remedies per failure, latest first
)

// Failures returns the failures of a session that were fixed in it.
func Failures(steps []Step) []Failure {
	bySubagent := map[string][]run{}
	var order []string
	for _, s := range steps {
		if _, known := bySubagent[s.Subagent]; !known {
			order = append(order, s.Subagent)
		}
		bySubagent[s.Subagent] = append(bySubagent[s.Subagent], newRun(s))
	}
	var out []Failure
	for _, subagent := range order {
		runs := bySubagent[subagent]
		for i := range runs {
			if f, ok := fixedBetween(runs, i); ok {
				out = append(out, f)
			}
		}
	}
	return out
}

// run is a step with its parsed command.
type run struct {
	Step
	calls []call
	key   string
	sign  string
}

func newRun(s Step) run {
	r := run{Step: s}
	if s.Command == "" {
		return r
	}
	if r.calls = parse(s.Command); r.calls != nil {
		r.key = key(r.calls)
	}
	if s.Failed {
		r.sign, _ = Sign(s.Command, s.Output)
	}
	return r
}

// fixedBetween finds what was done between a failing run and the next one that passed.
func fixedBetween(runs []run, at int) (Failure, bool) {
	f := &runs[at]
	if f.sign == "" {
		return Failure{}, false
	}
	var done []*run
	since := 0
	for i := at + 1; i < min(len(runs), at+reach); i++ {
		r := &runs[i]
		since++
		switch {
		case r.key != "" && r.key == f.key:
			if !f.passedIn(r) { // what was done before did not help
				return Failure{}, false
			}
			return f.by(r, done)
		case r.key != "" && since <= near && f.standsFor(r) && f.passedIn(r):
			return f.by(r, done)
		case r.changes():
			done = append(done, r)
		}
	}
	return Failure{}, false
}

// passedIn reports whether another run did not fail as this one did. A pipe or "|| true" hides a failure, but not its
// message.
func (r *run) passedIn(other *run) bool {
	return !other.Failed && plain(Reason(other.Output)) != plain(Reason(r.Output))
}

// by returns the failure with what fixed it.
func (r *run) by(passed *run, done []*run) (Failure, bool) {
	out := Failure{Step: r.ID, Sign: r.sign, Passed: passed.ID}
	if diff := differ(r.calls, passed.calls); len(done) == 0 && diff != "" && !reckless(passed.Command) {
		out.Remedies = []Remedy{{passed.ID, Instead, diff}}
		return out, true
	}
	for _, d := range slices.Backward(done) {
		m := Remedy{d.ID, Ran, shape(d.calls)}
		if d.File != "" {
			m.How, m.What = Edited, d.File
		}
		known := slices.ContainsFunc(out.Remedies, func(o Remedy) bool { return o.How == m.How && o.What == m.What })
		if !known && len(out.Remedies) < candidates && !reckless(d.Command) && !r.isAbout(d.File) {
			out.Remedies = append(out.Remedies, m)
		}
	}
	return out, len(out.Remedies) > 0
}

// isAbout reports whether a failing run names a file: then the mistake was in that file, and next time it will be in
// another one.
func (r *run) isAbout(file string) bool {
	name := path.Base(file)
	return file != "" && (strings.Contains(r.Output, name) || strings.Contains(r.Command, name))
}

// changes reports whether a step may have fixed something.
func (r *run) changes() bool {
	if r.Failed {
		return false
	}
	return r.File != "" || slices.ContainsFunc(r.calls, call.changes)
}

// standsFor reports whether a command that passed is another form of the one that failed: the same program with other
// words, or the same words with another program.
func (r *run) standsFor(passed *run) bool {
	before, after := meant(r.calls), meant(passed.calls)
	if len(before) == 0 || len(after) == 0 || looks(passed.calls) && !looks(r.calls) {
		return false
	}
	failed, other := before[len(before)-1], after[len(after)-1]
	if failed.name() == other.name() {
		return alike(words(before), words(after)) >= related && r.saysTheSame(failed, other)
	}
	return replaces(failed, other)
}

// saysTheSame reports whether a call of the same program is another form of the one that failed. What precedes it, or
// where it runs, may differ; its own words may differ only if the failure was about them.
func (r *run) saysTheSame(failed, other call) bool {
	if slices.Equal(failed.bare(), other.bare()) {
		return true
	}
	if alike(failed.bare(), other.bare()) < likeness || judgesOther(failed, other) {
		return false
	}
	reason := Reason(r.Output)
	return aboutWords.MatchString(reason) || slices.ContainsFunc(other, func(w string) bool {
		return strings.HasPrefix(w, "-") && !slices.Contains(failed, w) && strings.Contains(reason, w)
	})
}

// aboutWords matches what programs say about their arguments.
var aboutWords = lazyregexp.New(`(?i)\b(?:unknown|unrecogni[sz]ed|unexpected|invalid|illegal|unsupported|no such|bad) ` +
	`(?:\w+ )?(?:option|flag|argument|command|subcommand|switch|parameter|script|target|task|file)|not found|usage:|` +
	`missing script|accepts|too (?:many|few) arg|did you mean|requires? (?:at least|exactly|an? |\d)`)

// judgesOther reports whether two runs of a checking program check different things: one test that passes says nothing
// about all.
func judgesOther(before, after call) bool {
	of := func(c call) []string { return slices.DeleteFunc(slices.Clone(c[1:]), isOption) }
	return checking.MatchString(before.name()) && !slices.Equal(of(before), of(after))
}

func words(calls []call) []string {
	var out []string
	for _, c := range calls {
		out = append(out, c...)
	}
	return out
}

// alike returns the share of words that two commands have in common.
func alike(a, b []string) float64 {
	common := 0
	for _, w := range a {
		if slices.Contains(b, w) {
			common++
		}
	}
	return 2 * float64(common) / float64(max(len(a)+len(b), 1))
}

// differ returns the words that only one of two commands has. If they differ in a text, not just a name, it returns "":
// then they are different commands.
func differ(before, after []call) string {
	a, b := words(counting(before)), words(counting(after))
	out := append(missingFrom(a, b, "-"), missingFrom(b, a, "+")...)
	if slices.ContainsFunc(out, func(w string) bool { return w[1:] == aText }) {
		return ""
	}
	return strings.Join(out, " ")
}

const aText = "text"

// Fits reports whether the change that fixed an earlier command can be made to one that fails now: it has the words
// that were removed, and none of those that were added.
func Fits(now, before, after string) bool {
	failing := words(counting(parse(now)))
	for i, w := range failing {
		failing[i] = short(w)
	}
	a, b := words(counting(parse(before))), words(counting(parse(after)))
	out, in := missingFrom(a, b, ""), missingFrom(b, a, "")
	return len(failing) > 0 && len(out)+len(in) > 0 &&
		!slices.ContainsFunc(out, func(w string) bool { return !slices.Contains(failing, w) }) &&
		!slices.ContainsFunc(in, func(w string) bool { return slices.Contains(failing, w) })
}

// placing lists accompanying commands that can decide whether the main one works.
var placing = []string{"cd", "pushd", "source", ".", "export", "set"}

// counting returns the calls that matter when two forms of a command are compared, without those that only filter the
// output.
func counting(calls []call) []call {
	return slices.DeleteFunc(slices.Clone(calls), func(c call) bool {
		return slices.Contains(dressing, c.program()) && !slices.Contains(placing, c.program())
	})
}

// short returns a word in the form in which remedies are compared.
func short(w string) string {
	if simple.MatchString(strings.Trim(w, `"'`)) {
		return plain(w)
	}
	return aText
}

// shape returns what a command does, without calls that only read and without arguments: it identifies a remedy. The
// agent is told the whole command.
func shape(calls []call) string {
	var out []string
	for _, c := range calls {
		if !c.changes() {
			continue
		}
		name := c.name()
		out = append(out, name)
		for i, w := range c[1:] {
			script := strings.Contains(path.Base(c[i]), ".") && strings.HasSuffix(name, path.Base(c[i]))
			if strings.HasPrefix(w, "-") || script {
				out = append(out, short(w))
			}
		}
	}
	return strings.Join(out, " ")
}

// missingFrom returns the words of a that b does not have.
func missingFrom(a, b []string, sign string) (out []string) {
	for _, w := range a {
		if slices.Contains(b, w) {
			continue
		}
		if w = sign + short(w); !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// risky matches what a machine should never recommend: it destroys something, or disables a safeguard.
var risky = lazyregexp.New(`(?i)\brm -\w*[rf]|--force\b|\bgit (?:reset --hard|clean|checkout --|checkout \.|restore|stash)|` +
	`\bgit push\b.* -f\b|--no-verify\b|\bkill(?:all)?\b|\bpkill\b|\bdrop (?:table|database)\b|\btruncate\b|\bchmod 777\b|` +
	`\bcurl\b.*\|\s*(?:ba|z)?sh\b|--hard\b|\bprune\b`)

func reckless(command string) bool { return risky.MatchString(command) }
