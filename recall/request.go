package recall

import (
	"strings"

	"keepmum/lazyregexp"
	"keepmum/store"
)

const (
	ofEdit     = 2   // what a changed file adds to the size of a request, beside the use of the tool,
	ofAnswer   = 400 // and how many characters of an answer add as much as one use of a tool
	clearWords = 5   // a request of fewer content words is as much smaller: it says less
	ofQuestion = 0.4 // a question is less of a task,
	maxErrand  = 240 // a longer request is no errand
	mostWork   = 0.5 // the latest request with this share of the largest size is the main one
)

// choose chooses what to tell of the requests of a session: the main one. One that was interrupted while something was
// done for it is told with the main one before it.
func (d *digest) choose() {
	if len(d.past) == 0 || d.withdrawn != nil {
		return
	}
	latest := d.request
	if d.answer != nil {
		d.past = append(d.past, latest)
	}
	d.request = *mainOf(d.past)
	switch {
	case latest.answer != nil || len(latest.work) > 0 && latest.housekeeping():
	case len(latest.work) == 0:
		d.open = latest.task
	default:
		d.request, d.before = latest, d.request
	}
}

// mainOf returns the main request of a session: the latest one that is large beside the largest. "Commit and push" is
// not what a session was about.
func mainOf(all []request) *request {
	main, most := &all[0], 0.0
	for i := range all {
		size := all[i].size()
		if most = max(most, size); size >= mostWork*most {
			main = &all[i]
		}
	}
	return main
}

// size returns how much was done for a request.
func (r *request) size() float64 {
	if r.housekeeping() {
		return 0
	}
	size := 1 + float64(len(r.work)) + float64(ofEdit*r.edits)
	if r.answer != nil {
		size += float64(len(r.answer.Text)) / ofAnswer
	}
	if r.edits == 0 && onlyAsks(r.task.Text) {
		size *= ofQuestion
	}
	return size * float64(min(clearWords, len(store.ContentWords(r.task.Text)))) / clearWords
}

// keepsHouse matches requests that are about the work done before them.
var keepsHouse = lazyregexp.New(`(?i)^(?:(?:please|pls|ok(?:ay)?|now|then|and|so|thanks?(?: you)?|great|good|perfect|` +
	`yes|yeah|no|saved|go ahead|can|could|would|you|i|want|let'?s|also|to|we|just)\b[,.!: ]*)*` +
	`(?:(?:commit|push|pull|rebase|squash|mark|(?:re)?install|format|lint)\b|use the -|` +
	`(?:merge|check ?out|switch|(?:get|go) back)\b.*\b(?:pr|main|master|branch)\b|` +
	`(?:pnpm|npm|yarn|bun|git|pip|cargo) [a-z]|` +
	`(?:create|open|make|write|draft|prepare|generate|add|give me)(?: \w+){0,3} (?:commit|pr|pull request|branch)\b)|` +
	`\b(?:create|write|draft|prepare|generate|give me|need)(?: \w+){0,3} commit message\b`)

// housekeeping reports whether a request only puts away what was done before it: no file was changed for it.
func (r *request) housekeeping() bool {
	return r.edits == 0 && len(r.task.Text) <= maxErrand && keepsHouse.MatchString(r.task.Text)
}

// bareCommand reports whether a prompt is a slash command that is no task: "/clear", "/compact keep the plan". One of a
// user has a namespace, and may be one: "/plan:feature export the invoices".
func bareCommand(text string) bool {
	name, rest, _ := strings.Cut(text, " ")
	return strings.HasPrefix(text, "/") && (rest == "" || !strings.Contains(name, ":"))
}

// outside reports whether a file is not in the project: of one that is, the path is relative.
func outside(file string) bool {
	return strings.HasPrefix(file, "/") || strings.HasPrefix(file, "~") || len(file) > 2 && file[1] == ':'
}
