package recall

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"keepmum/gotcha"
	"keepmum/lazyregexp"
	"keepmum/store"
)

const (
	digestLines = 300 // lines of a session that are read, newest first
	maxTask     = 160 // characters of the main request,
	maxCameTo   = 240 // of its result,
	maxNext     = 120 // of what is next,
	maxFailed   = 80  // and of the command that failed
	maxEdits    = 4
	fewWords    = 3 // a prompt with fewer content words is not a task: "go on"
)

// digest is what was being done in a session. It is computed, never stored.
type digest struct {
	request
	past      []request   // the ones before it
	before    request     // the main one of these, if the task has no answer
	open      *store.Line // the next request, for which nothing happened
	withdrawn *store.Line // the next message, if it took the task back
	edits     []string
	files     []File
	again     bool // the session goes on: what it read is told, too
	failed    *store.Line
	unchanged []string // files of a patch that failed
	branch    string   // the unmerged branch on which it was; "" = the one checked out, or merged
	raw       []string // titles of the tools that changed files, as stored
}

// request is something that was asked for, and what it came to.
type request struct {
	task, answer *store.Line
	unsure       bool    // the answer may be to something else: a later prompt, or one that was not stored
	work         []int64 // the uses of tools since the task,
	edits        int     // and how many of them changed files
}

// last is what is known of the last prompt of a session.
type last struct {
	isTask bool   // it is the task itself
	about  bool   // it is about the task
	ends   bool   // it thanks for the work, or ends it
	other  bool   // since the task something else was asked
	closed bool   // it was answered, and nothing happened since
	worked bool   // a tool was used for it,
	edited bool   // and a file was changed
	said   string // what the agent answered
}

// digestOf reads the newest lines of a session, given oldest first.
func digestOf(lines []store.Line) digest {
	var d digest
	p := last{isTask: true, about: true}
	for i := range lines {
		l := &lines[i]
		switch {
		case l.Type == store.KindObservation && !l.Excluded:
			d.work = append(d.work, l.ID)
			d.worked(l)
			p.closed, p.worked, p.edited = false, true, p.edited || len(changed(l)) > 0
		case l.Type != store.KindPrompt || l.Who != "": // what a program says may be the end of the work
			p.closed = false
		case l.Role != string(store.RoleAssistant):
			p = d.asked(l, p)
		default:
			d.answered(l, &p)
		}
	}
	d.choose()
	return d
}

// answered reads an answer. A short one to "go on" is none to the task, nor is "you are welcome" or "committed".
func (d *digest) answered(l *store.Line, p *last) {
	about := p.about || p.ends && (p.edited || p.worked && d.answer == nil)
	if p.isTask || about && len(store.Words(l.Text)) >= fewWords {
		d.answer, d.unsure = l, p.other || p.closed
	}
	p.closed, p.said = true, p.said+"\n"+l.Text
}

// asked reads a prompt, given what is known of the one before it.
func (d *digest) asked(l *store.Line, before last) last {
	switch {
	case d.task != nil && before.isTask && !before.edited && withdraws(l.Text, before.said, d.task.Text):
		d.withdrawn = l
		return last{about: true}
	case d.task == nil && !bareCommand(l.Text) || isTask(l.Text):
		d.begin(l, before.closed)
		return last{isTask: true, about: true}
	}
	said := remarkOf(l.Text)
	if said == thanking || said == ending {
		return last{ends: true, other: before.other}
	}
	about := said != specific || goesOn(l.Text)
	return last{about: about, other: before.other || !about}
}

// begin notes a new request. What failed before it was reported if the last turn is closed.
func (d *digest) begin(l *store.Line, closed bool) {
	if d.task != nil && d.answer != nil && d.withdrawn == nil && isTask(d.task.Text) {
		d.past = append(d.past, d.request)
	}
	if closed {
		d.failed = nil
	}
	d.request, d.withdrawn = request{task: l}, nil
}

// goesOn reports whether a prompt that asks for nothing specific continues what was asked for: "this one". A question
// is about something else.
func goesOn(text string) bool {
	return !strings.Contains(text, "?") && len(store.Words(text)) < fewWords-1
}

// isTask reports whether a prompt asks for something specific.
func isTask(text string) bool {
	return len(store.Words(text)) >= fewWords && !bareCommand(text) && remarkOf(text) == specific
}

// works reports whether a tool changes files or runs commands.
func works(tool string) bool { return isEdit(tool) || runs(tool) }

// worked records what a tool changed, and a command that failed and has not succeeded since, alone or in a wider one. A
// patch that failed has succeeded when all its files are changed.
func (d *digest) worked(l *store.Line) {
	files := changed(l)
	command, isCommand := strings.CutPrefix(l.Title, l.Tool+" ")
	isCommand = isCommand && !isEdit(l.Tool)
	switch {
	case l.Failed && (l.Who != "" || !works(l.Tool) || isCommand && gotcha.OnlyLooks(command)):
		return // a search without a result, or a subagent's
	case l.Failed:
		d.failed, d.unchanged = l, files
		return
	case d.failed != nil && (d.failed.Title == l.Title || d.patched(files) || isCommand && d.covers(l.Tool, command)):
		d.failed = nil
	}
	d.edited(files)
	if len(files) > 0 {
		d.raw = append(d.raw, l.Title)
	}
}

// edited notes changed files of the project.
func (d *digest) edited(files []string) {
	for _, file := range files {
		if outside(file) {
			continue
		}
		file = quote(file, 80)
		d.request.edits++
		d.edits = append(slices.DeleteFunc(d.edits, func(f string) bool { return f == file }), file)
	}
	d.edits = d.edits[max(0, len(d.edits)-maxEdits):]
}

// patched reports whether all files of a patch that failed are changed now.
func (d *digest) patched(files []string) bool {
	before := len(d.unchanged)
	d.unchanged = slices.DeleteFunc(d.unchanged, func(f string) bool { return slices.Contains(files, f) })
	return before > 0 && len(d.unchanged) == 0
}

// covers reports whether a command that succeeded shows that the one that failed would, too.
func (d *digest) covers(tool, command string) bool {
	failed, same := strings.CutPrefix(d.failed.Title, tool+" ")
	return same && gotcha.Covers(command, failed)
}

// changed returns the files that a tool changes.
func changed(l *store.Line) []string {
	files := strings.TrimPrefix(l.Title, l.Tool+" ")
	switch {
	case !isEdit(l.Tool) || strings.HasPrefix(files, "*** "): // the first line of a patch, as an earlier version stored it
		return nil
	case strings.HasSuffix(strings.ToLower(l.Tool), "patch"): // changes several
		return strings.Split(files, ", ")
	}
	return []string{files}
}

// recentTask is how long an interrupted task without a result is worth mentioning.
const recentTask = 24 * time.Hour

// says reports whether there is anything worth telling.
func (d *digest) says(since time.Duration) bool {
	return d.task != nil && (d.hasResult() || since < recentTask && isTask(d.task.Text))
}

// hasResult reports whether the task, or the one before it, came to anything.
func (d *digest) hasResult() bool {
	return d.answer != nil || len(d.edits) > 0 || d.failed != nil || d.before.answer != nil
}

// onlyAsked reports whether it is only known of a session what was asked in it: nothing was done for it, or, for a
// question, nothing came of it.
func (d *digest) onlyAsked() bool {
	return d.task != nil && !d.hasResult() && (len(d.work) == 0 || onlyAsks(d.task.Text))
}

// whatIsNext matches how agents say what is left to do: as the beginning of a sentence, or that it is open.
var whatIsNext = lazyregexp.New(
	`(?i)^(?:what(?:'s| is) )?(?:next(?: up| steps?)?(?: is| are)?|to ?do|remaining(?: [a-z]+)?|left(?: to do)?|` +
		`follow[- ]?ups?) ?:|\b(?:remains? to be|still (?:open|missing|to do|needs?)|left to do|not (?:yet )?done)\b`)

// next returns what an answer says is left to do.
func next(answer string) string {
	said := reported(answer)
	for i, s := range said {
		switch {
		case !whatIsNext.MatchString(s):
		case strings.HasSuffix(s, ":"):
			return strings.Join(said[i:min(i+2, len(said))], " ")
		default:
			return s
		}
	}
	return ""
}

// session writes one line about what was being done in a session.
func (w *writer) session(s store.SessionRow, d digest) {
	since := w.a.Now.Sub(time.UnixMilli(s.Last))
	if !d.says(since) {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "- %s (%s ago) %s: %s", day(time.UnixMilli(s.Last)), ago(since), d.agentOf(s), d.asks())
	for _, part := range d.fileParts() {
		b.WriteString("; " + part)
	}
	for _, part := range d.answerParts() {
		b.WriteString("; " + part)
	}
	if d.failed != nil {
		fmt.Fprintf(&b, "; failed last: %s (%d)", quote(d.failed.Title, maxFailed), d.failed.ID)
	}
	lines := []*store.Line{d.task, d.answer, d.failed}
	if others, of := d.others(); b.Len()+len(others)+1 <= w.room {
		b.WriteString(others)
		lines = append(lines, of...)
	}
	raw := append(d.quoted(), texts(lines...)...)
	w.add(entry{b.String(), d.task.Text, raw, nil, about(lines...)})
}

// answerParts says what the last answer was, and what it says is next.
func (d *digest) answerParts() []string {
	if d.answer == nil {
		return nil
	}
	came, how := outcome(d.answer.Text), "answered"
	if d.unsure {
		how = "last answered"
	}
	var out []string
	if came != "" {
		out = append(out, fmt.Sprintf("%s %q (%d)", how, came, d.answer.ID))
	}
	if n := next(d.answer.Text); n != "" && !strings.Contains(came, n) {
		out = append(out, fmt.Sprintf("next %q", quote(n, maxNext)))
	}
	return out
}

// others says what else was asked if the last request has no answer. The request before it is omitted if it, or its
// answer, is withheld.
func (d *digest) others() (out string, of []*store.Line) {
	if d.open != nil {
		return fmt.Sprintf("; then asked %q (%d), not answered", quote(d.open.Text, maxTask), d.open.ID),
			[]*store.Line{d.open}
	}
	b := d.before
	if b.task == nil || withheld(b.task.Text) || withheld(b.answer.Text) {
		return "", nil
	}
	out = fmt.Sprintf("; before that asked %q (%d)", quote(b.task.Text, maxNext), b.task.ID)
	if came := outcome(b.answer.Text); came != "" {
		out += fmt.Sprintf(", answered %q (%d)", came, b.answer.ID)
	}
	return out, []*store.Line{b.task, b.answer}
}

// asks says what the task was.
func (d *digest) asks() string {
	out := fmt.Sprintf("asked %q (%d)", quote(d.task.Text, maxTask), d.task.ID)
	if d.withdrawn != nil {
		out += fmt.Sprintf(", taken back by %d", d.withdrawn.ID)
	}
	return out
}

// ago formats a duration in the one unit that fits best.
func ago(d time.Duration) string {
	const day = 24 * time.Hour
	for _, u := range []struct {
		of   time.Duration
		name string
	}{{365 * day, "year"}, {30 * day, "month"}, {day, "day"}, {time.Hour, "hour"}} {
		if n := int(d / u.of); n == 1 {
			return "1 " + u.name
		} else if n > 1 {
			return fmt.Sprintf("%d %ss", n, u.name)
		}
	}
	return fmt.Sprintf("%d min", max(int(d/time.Minute), 1))
}

// about returns the sources of a line, for its receipt.
func about(lines ...*store.Line) []store.Injected {
	var out []store.Injected
	for _, l := range lines {
		if l != nil {
			out = append(out, store.Injected{ID: l.ID, Type: l.Type})
		}
	}
	return out
}

func texts(lines ...*store.Line) []string {
	var out []string
	for _, l := range lines {
		if l != nil {
			out = append(out, l.Text)
		}
	}
	return out
}

// NamesFile reports whether a tool reads or changes the file that it names.
func NamesFile(tool string) bool {
	switch strings.ToLower(tool) {
	case "read", "read_file", "view":
		return true
	}
	return isEdit(tool)
}

// runs reports whether a tool runs commands: what else fails says nothing about the work.
func runs(tool string) bool {
	tool = strings.ToLower(tool)
	return !strings.HasPrefix(tool, "mcp__") && slices.ContainsFunc([]string{"bash", "shell", "exec", "run", "terminal"},
		func(part string) bool { return strings.Contains(tool, part) })
}

func isEdit(tool string) bool {
	switch strings.ToLower(tool) {
	case "edit", "write", "multiedit", "notebookedit", "apply_patch", "patch":
		return true
	default:
		return false
	}
}
