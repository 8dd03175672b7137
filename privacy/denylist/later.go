package denylist

import (
	"encoding/json"
	"path"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/privacy/shell"
	"keepmum/privacy/wordlist"
)

// The output of a withheld command may also be shown after the command was answered: of background tasks by their id,
// in terminals, and in the files that both write.

// taskKey reports whether a member names a running command.
func taskKey(key string) bool {
	return wordlist.In(plainKey(key),
		" backgroundtaskid taskid shellid bashid sessionid processid terminalid jobid execid pid ")
}

// taskID returns the id in a member, "" if there is none.
func taskID(v any) string {
	switch v := v.(type) {
	case string:
		if len(v) <= 128 {
			return strings.ToLower(strings.TrimSpace(v))
		}
	case json.Number:
		return v.String()
	}
	return ""
}

// member checks a member of an input: if it names a task whose command was withheld, it asks for the output of that
// command.
func (i *Inspection) member(key string, v any) {
	if !taskKey(key) {
		return
	}
	if id := taskID(v); id != "" {
		i.tasks = append(i.tasks, id)
		if i.d.copies.has(i.event.Session, "task "+id) {
			i.Verdict.Output = shell.DropOutput
		}
	}
}

// terminalTool matches the names of tools that type into a terminal.
var terminalTool = lazyregexp.New(`stdin|terminal|keys|pty`)

// types reports whether a member of an input is typed into a terminal. The name of the tool is in lower case.
func types(tool, key string) bool {
	return wordlist.In(strings.ToLower(key), " chars text input keys data command ") && terminalTool.MatchString(tool)
}

// outputOf reports whether a file is one in which an agent stores the output of a task, and the command of that task
// was withheld.
func (i *Inspection) outputOf(file string) bool {
	switch base := path.Base(file); path.Ext(base) {
	case "", ".output", ".out", ".log", ".txt", ".stdout", ".stderr":
		return i.d.copies.has(i.event.Session, "task "+strings.TrimSuffix(base, path.Ext(base)))
	}
	return false
}

// screens checks what a command does with terminals.
func (i *Inspection) screens(s *shell.Reading) {
	i.ran = true
	if s.Types != "" {
		i.terminals = append(i.terminals, s.Types)
	}
	if s.Shows != "" && i.d.copies.has(i.event.Session, "terminal "+s.Shows) {
		i.Verdict.Output = shell.DropOutput
	}
}

var (
	namesTask = lazyregexp.New(
		`(?i)\b(?:task|shell|session|process|terminal|background)[^\n]{0,40}?\bid:?[ \t]*["'` + "`" + `]?([\w-]{1,64})`,
	)
	namesFile = lazyregexp.New(
		`(?i)\boutput[^\n]{0,40}?(?:written|saved|redirected|logged) (?:to|in)(?: file)?:?[ \t]*["'` + "`" + `]?([^\s"'` + "`" + `]{2,512})`,
	)
)

// remember records where the output of a withheld command appears.
func (i *Inspection) remember() {
	if i.event.Session == "" || !i.ran || i.Verdict.Denied == "" && i.Verdict.Output == shell.Keep {
		return
	}
	for _, name := range i.terminals {
		i.d.copies.add(i.event.Session, "terminal "+name)
	}
	if i.typed {
		for _, id := range i.tasks {
			i.d.copies.add(i.event.Session, "task "+id)
		}
	}
	i.answered(i.event.Output, "", 0)
}

// answered searches the answer of a withheld command for task ids.
func (i *Inspection) answered(v any, key string, depth int) {
	if depth > 3 {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			i.answered(e, key, depth+1)
		}
		return
	case map[string]any:
		for k, e := range v {
			i.answered(e, k, depth+1)
		}
		return
	}
	if id := taskID(v); id != "" && taskKey(key) {
		i.d.copies.add(i.event.Session, "task "+id)
	}
	text, _ := v.(string)
	text = text[:min(len(text), 4096)]
	for _, m := range namesTask.FindAllStringSubmatch(text, 4) {
		i.d.copies.add(i.event.Session, "task "+strings.ToLower(m[1]))
	}
	for _, m := range namesFile.FindAllStringSubmatch(text, 4) {
		for _, p := range i.resolve.paths(strings.TrimRight(m[1], ".,;"), i.event.Dir) {
			i.d.copies.add(i.event.Session, p)
		}
	}
}
