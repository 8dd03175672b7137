package compress

import (
	"encoding/json"
	"path"
	"strings"

	"keepmum/store"
)

// turn is what was asked and done, as read from the documents of a unit.
type turn struct {
	Prompt string
	Answer string // the assistant's last message
	Steps  []step
}

// action is what a tool does, whatever an agent calls it.
type action int

const (
	other action = iota
	edit
	write
	run
	read
	look // search in files
	web
	delegate
)

// step is one use of a tool.
type step struct {
	Action  action
	Tool    string
	File    string   // path as short as possible
	Names   []string // functions and types that were changed or defined
	Command string
	Query   string // what was searched for, and where
	Output  string
	Failed  bool
	Hidden  bool // the denylist withheld the content
}

// readTurn converts the documents of a unit.
func readTurn(rows []store.ObservationRow) turn {
	var t turn
	for _, r := range rows {
		switch {
		case r.Type == store.KindPrompt && r.Role == string(store.RoleAssistant) && r.Who == "":
			t.Answer = r.Text
		case r.Type == store.KindPrompt && r.Role == string(store.RoleAssistant):
			// a subagent's report or the text of a compaction is not an answer
		case r.Type == store.KindPrompt && t.Prompt == "":
			t.Prompt = r.Text
		case r.Type == store.KindObservation:
			t.Steps = append(t.Steps, readSteps(r)...)
		}
	}
	return t
}

var separators = strings.NewReplacer("_", "", "-", "", " ", "")

// toolAction returns what a tool does, by the names that agents have for it.
func toolAction(tool string) action {
	switch separators.Replace(strings.ToLower(tool)) {
	case "edit", "multiedit", "notebookedit", "strreplace", "strreplacebasededittool", "searchreplace", "applypatch",
		"patch", "editfile", "afterfileedit":
		return edit
	case "write", "create", "createfile", "writefile":
		return write
	case "bash", "shell", "powershell", "execcommand", "runterminalcmd", "terminal", "localshell", "shellcommand",
		"unifiedexec", "aftershellexecution":
		return run
	case "read", "readfile", "view", "cat", "notebookread", "beforereadfile":
		return read
	case "grep", "glob", "search", "codebasesearch", "list", "ls", "filesearch", "grepsearch", "toolsearch":
		return look
	case "webfetch", "websearch", "fetch", "browser":
		return web
	case "agent", "task", "subagent", "spawnagent", "collaborationspawnagent":
		return delegate
	}
	return other
}

// readSteps returns what one use of a tool did: one step or, for a patch, one for each file.
func readSteps(r store.ObservationRow) []step {
	in, out := fields(r.Input), fields(r.Output)
	s := step{Action: toolAction(r.Tool), Tool: r.Tool, Output: outputText(r, out), Failed: r.Failed || exitCode(out) > 0,
		Hidden: r.Excluded}
	s.File = shortest(firstOf(in, "file_path", "filePath", "path", "notebook_path", "filename"), r)
	s.Command = firstOf(in, "command", "cmd", "script")
	if patch := patchText(s, in); patch != "" {
		return patchSteps(patch, s)
	}
	switch s.Action {
	case edit, write:
		s.Names = changedNames(in, out)
	case look:
		s.Query = firstOf(in, "pattern", "query", "glob", "path")
	case web:
		s.Query = webTarget(in, s.Output)
	case delegate:
		s.Query = firstOf(in, "description", "task_name", "prompt", "message")
	case other:
		s.Query = strings.TrimSpace(strings.TrimPrefix(r.Title, r.Tool))
	}
	return []step{s}
}

// fields decodes a JSON object; anything else has no fields.
func fields(s string) map[string]any {
	var m map[string]any
	if strings.HasPrefix(strings.TrimSpace(s), "{") {
		// Anything but an object is used as plain text.
		_ = json.Unmarshal([]byte(s), &m)
	}
	return m
}

// firstOf returns the value of the first key that has a text.
func firstOf(m map[string]any, keys ...string) string {
	for _, k := range keys {
		switch v := m[k].(type) {
		case string:
			if v != "" {
				return v
			}
		case []any: // an argument list
			if joined := joinArgs(v); joined != "" {
				return joined
			}
		}
	}
	return ""
}

func joinArgs(list []any) string {
	var words []string
	for _, e := range list {
		if w, ok := e.(string); ok {
			words = append(words, w)
		}
	}
	if len(words) == 3 && strings.HasSuffix(words[0], "sh") && strings.HasPrefix(words[1], "-") {
		return words[2] // bash -lc "…"
	}
	return strings.Join(words, " ")
}

// outputText returns what a person would have seen on the screen.
func outputText(r store.ObservationRow, out map[string]any) string {
	if out == nil {
		return plainText(r.Output)
	}
	var parts []string
	for _, k := range []string{"stdout", "stderr", "output", "error", "result", "text"} {
		if v, ok := out[k].(string); ok && v != "" {
			parts = append(parts, v)
		}
	}
	if len(parts) == 0 && r.Failed {
		return r.Text
	}
	return strings.Join(parts, "\n")
}

func plainText(s string) string {
	var text string
	if json.Unmarshal([]byte(s), &text) == nil {
		return text
	}
	return s
}

func exitCode(out map[string]any) int {
	for _, m := range []map[string]any{out, object(out["metadata"])} {
		for _, k := range []string{"exit", "exit_code", "exitCode", "returncode"} {
			if n, ok := m[k].(float64); ok {
				return int(n)
			}
		}
	}
	return 0
}

func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// shortest returns the path of a file as in the title, where the project's root is omitted.
func shortest(file string, r store.ObservationRow) string {
	short := strings.TrimSpace(strings.TrimPrefix(r.Title, r.Tool))
	if short != "" && strings.HasSuffix(file, short) {
		return short
	}
	if file != "" && strings.HasPrefix(file, "/") {
		return lastParts(file)
	}
	return file
}

// lastParts returns enough of a path to recognise the file.
func lastParts(file string) string {
	dir, base := path.Split(path.Clean(file))
	return path.Join(path.Base(dir), base)
}
