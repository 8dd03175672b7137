package compress

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Limits of a summary, in bytes.
const (
	maxText  = 300
	maxTitle = 80
	maxFiles = 20
)

// isWorthwhile reports whether there is anything to say about a turn: an unanswered "continue" is not worth a summary.
func (t turn) isWorthwhile() bool {
	return len(t.Steps) > 0 || t.Answer != "" || len(strings.TrimSpace(t.Prompt)) >= 20
}

// draft is a summary before the gate.
type draft struct {
	Title    string
	Text     string
	Type     string
	Files    []string
	Concepts []string
}

// heuristic says what happened without a model, and always in the same way: first what changed, then what was run and
// how it ended, then why.
func heuristic(t turn) draft {
	d := draft{Type: t.kind(), Files: t.files(), Text: t.text()}
	d.Title = cmp.Or(firstSentence(t.Prompt, maxTitle), shorten(d.Text, maxTitle))
	return d
}

// text returns the summary: what was done, with what was found or said, and why. Of a turn without deeds it is the
// decision or the answer.
func (t turn) text() string {
	what := t.what()
	why := firstSentence(t.Prompt, min(100, max(30, maxText-len(what)-len(". Asked: "))))
	said := firstSentence(t.Answer, 140)
	switch {
	case what == "" && why == "":
		return shorten(cmp.Or(said, "Nothing was recorded but the session itself"), maxText)
	case what == "" && (t.kind() == "decision" || t.kind() == "pattern"):
		return shorten("Decided: "+prose(t.Prompt), maxText)
	case what == "" && said == "":
		return shorten("Asked: "+why, maxText)
	case what == "":
		return shorten(fmt.Sprintf("Answered “%s”: %s", why, said), maxText)
	}
	text := what
	if why != "" {
		text += ". Asked: " + why
	}
	if !t.changed() && said != "" {
		text = what + ". Found: " + said + after(". Asked: ", why)
	}
	const least = 40 // minimum length of an answer that is worth including
	if room := maxText - len(text) - len(". Said: "); t.changed() && said != "" && room >= least {
		text = what + ". Said: " + shorten(said, room) + after(". Asked: ", why)
	}
	return shorten(withoutStops(text), maxText)
}

// withoutStops removes the full stop after each text that was cut.
func withoutStops(text string) string { return strings.ReplaceAll(text, "….", "…") }

// what lists what was done, most informative first.
func (t turn) what() string {
	deeds := append(t.edits(), t.runs()...)
	if !t.changed() {
		deeds = append(deeds, t.looks()...)
	}
	deeds = append(deeds, t.others()...)
	return upperFirst(joinWithin(deeds, 220))
}

// joinWithin joins as many deeds as fit and adds how many were omitted.
func joinWithin(deeds []string, n int) string {
	text := ""
	for i, d := range deeds {
		next := d
		if i > 0 {
			next = text + "; " + d
		}
		if len(next) > n && i > 0 {
			return fmt.Sprintf("%s; %d more %s", text, len(deeds)-i, plural(len(deeds)-i, "step"))
		}
		text = next
	}
	return shorten(text, n+40)
}

// changed reports whether a file was changed.
func (t turn) changed() bool {
	return slices.ContainsFunc(t.Steps, func(s step) bool { return (s.Action == edit || s.Action == write) && !s.Failed })
}

// change is everything that was done to one file.
type change struct {
	File  string
	Names []string
	New   bool
}

func (t turn) changes() []change {
	var out []change
	for _, s := range t.Steps {
		if s.Action != edit && s.Action != write || s.Failed || s.File == "" {
			continue
		}
		i := slices.IndexFunc(out, func(c change) bool { return c.File == s.File })
		if i < 0 {
			out, i = append(out, change{File: s.File, New: s.Action == write}), len(out)
		}
		for _, n := range s.Names {
			out[i].Names = addName(out[i].Names, n)
		}
	}
	return out
}

func (t turn) edits() []string {
	all := t.changes()
	const few = 3
	if len(all) > few {
		names := make([]string, len(all))
		for i, c := range all {
			names[i] = c.File
		}
		return []string{fmt.Sprintf("changed %d files (%s)", len(all), list(names, few))}
	}
	var deeds []string
	for _, c := range all {
		deeds = append(deeds, c.say())
	}
	return deeds
}

func (c change) say() string {
	switch {
	case c.New && len(c.Names) > 0:
		return fmt.Sprintf("wrote %s (%s)", c.File, list(c.Names, 3))
	case c.New:
		return "wrote " + c.File
	case len(c.Names) > 0:
		return fmt.Sprintf("changed %s in %s", list(c.Names, 3), c.File)
	}
	return "changed " + c.File
}

// runs describes commands: tests by their last result, failures, and commands with lasting effects. Commands that only
// read are mentioned if nothing else was done.
func (t turn) runs() []string {
	var deeds []string
	told := map[string]int{} // index in deeds; the last run of a command counts
	for _, s := range t.Steps {
		if s.Action != run || s.Command == "" {
			continue
		}
		o := s.judge()
		deed := s.sayRun(o)
		if i, again := told[tidy(s.Command)]; again {
			deeds[i] = retold(deeds[i], deed)
			continue
		}
		if !o.Tests && !s.Failed && !lasting.MatchString(s.Command) && (t.changed() || s.looksOnly()) {
			continue
		}
		told[tidy(s.Command)] = len(deeds)
		deeds = append(deeds, deed)
	}
	return deeds
}

func (s step) sayRun(o outcome) string {
	if m := commitMessage.FindStringSubmatch(s.Command); m != nil && !s.Failed {
		return "committed “" + shorten(m[1]+m[2], 60) + "”"
	}
	said := o.say(s.Failed)
	switch {
	case s.Failed && o.Failed == 0:
		return fmt.Sprintf("`%s` %s", tidy(s.Command), said)
	case said != "":
		return fmt.Sprintf("ran `%s`: %s", tidy(s.Command), said)
	}
	return fmt.Sprintf("ran `%s`", tidy(s.Command))
}

// retold keeps the fact that a command failed before it succeeded.
func retold(before, now string) string {
	if strings.Contains(before, "failed") && !strings.Contains(now, "failed") {
		return now + " after a failure"
	}
	return now
}

func (s step) looksOnly() bool { return readOnly.MatchString(strings.TrimSpace(s.Command)) }

// looks describes what was read and searched.
func (t turn) looks() []string {
	var files, queries, commands []string
	for _, s := range t.Steps {
		switch {
		case s.Action == read && s.Hidden && s.File != "":
			files = addOnce(files, s.File+" (withheld)")
		case s.Action == read && s.File != "":
			files = addOnce(files, s.File)
		case s.Action == look && s.Query != "":
			queries = addOnce(queries, "“"+shorten(s.Query, 40)+"”")
		case s.Action == run && s.looksOnly() && !s.Failed:
			commands = addOnce(commands, "`"+shorten(tidy(s.Command), 40)+"`")
		}
	}
	var deeds []string
	if len(files) > 0 {
		deeds = append(deeds, "read "+list(files, 3))
	}
	if len(queries) > 0 {
		deeds = append(deeds, "looked for "+list(queries, 3))
	}
	if len(commands) > 0 {
		deeds = append(deeds, "ran "+list(commands, 3))
	}
	return deeds
}

// addOnce appends a text that is not in the list yet.
func addOnce(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// others describes the use of the web, of subagents and of unknown tools.
func (t turn) others() []string {
	var deeds []string
	for _, s := range t.Steps {
		switch {
		case s.Action == web && s.Query != "":
			deeds = addOnce(deeds, "consulted "+shorten(s.Query, 80))
		case s.Action == delegate && s.Query != "":
			deeds = addOnce(deeds, "delegated “"+shorten(s.Query, 60)+"”")
		case s.Action == other && s.Query != "" && !t.changed():
			deeds = addOnce(deeds, "used "+s.Tool+" on "+shorten(s.Query, 60))
		}
	}
	return deeds
}

func (t turn) files() []string {
	var files []string
	for _, c := range t.changes() {
		files = addOnce(files, c.File)
	}
	for _, s := range t.Steps {
		if s.File != "" && len(files) < maxFiles {
			files = addOnce(files, s.File)
		}
	}
	return files[:min(len(files), maxFiles)]
}
