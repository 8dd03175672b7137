package hooks

import (
	"cmp"
	"encoding/json"
	"strings"
)

// decodeOpenCode decodes what our own plugin posts: the name of the plugin hook with its input and output as OpenCode
// passed them, and what only the plugin knows: the directory and, for a child session, its root session as parent.
//
//	{"hook": "tool.execute.after", "directory": "/home/dev/shop", "parent": "ses_…", "input": {…}, "output": {…}}
//
// If it waits for context, until says how long, in milliseconds since 1970.
func decodeOpenCode(o object) (Event, error) {
	hook, err := o.needName("hook")
	if err != nil {
		return Event{}, err
	}
	e := Event{Kind: Ignored, Name: hook, Dir: o.text("directory"), Until: o.millis("until")}
	in, out := o.in("input"), o.in("output")
	switch hook {
	case "chat.message":
		err = openCodePrompt(&e, in, out)
	case "tool.execute.after":
		err = openCodeTool(&e, in, out)
	case "event":
		err = openCodeEvent(&e, in, out)
	}
	if parent := o.text("parent"); parent != "" && e.Kind != Ignored {
		e.adopt(parent)
	}
	return e, err
}

// adopt turns an event of a child session into an event of a subagent in the session that the user sees. Other agents
// report it that way.
func (e *Event) adopt(root string) {
	e.Session, e.Subagent = root, e.Session
	switch e.Kind {
	case Prompt: // the parent's tool call already contains the subagent's prompt
		e.Kind = Ignored
	case Answer, SessionStart:
		e.Kind = Subagent
	}
}

func openCodePrompt(e *Event, in, out object) (err error) {
	if e.Session, err = in.needName("sessionID"); err != nil {
		return err
	}
	message := out.in("message")
	e.Kind, e.Text = Prompt, openCodeText(out)
	e.Model = message.in("model").text("modelID")
	e.PromptID = message.text("id")
	e.CallID, e.At = e.PromptID, message.in("time").millis("created")
	return nil
}

// openCodeText joins the text parts that the user wrote. It removes the quotation marks that `opencode run` puts around
// the words of its command line.
func openCodeText(out object) string {
	parts, _ := out["parts"].([]any)
	var texts []string
	for _, v := range parts {
		m, _ := v.(map[string]any)
		p := object(m)
		if p.text("type") == "text" && p["synthetic"] != true && p["ignored"] != true {
			texts = append(texts, p.text("text"))
		}
	}
	text := strings.Join(texts, "\n")
	if inner, ok := strings.CutPrefix(text, `"`); ok {
		if inner, ok = strings.CutSuffix(inner, `"`); ok && !strings.Contains(inner, `"`) {
			return inner
		}
	}
	return text
}

func openCodeTool(e *Event, in, out object) (err error) {
	if e.Session, err = in.needName("sessionID"); err != nil {
		return err
	}
	if e.Tool, err = in.needName("tool"); err != nil {
		return err
	}
	e.Kind, e.CallID, e.Input = Observation, in.text("callID"), in["args"]
	openCodeResult(e, out)
	return nil
}

// openCodeResult keeps what the tool returned. Of the metadata it keeps only the exit status; the rest repeats the
// output, and whole files, for display.
func openCodeResult(e *Event, out object) {
	e.Output = out["output"]
	if e.Output == nil && len(out) > 0 {
		e.Output = map[string]any(out) // an MCP tool's own shape
	}
	exit, ok := out.in("metadata")["exit"].(json.Number)
	if ok && exit != "0" {
		e.Failed, e.Error = true, "exit code "+exit.String()
	}
}

func openCodeEvent(e *Event, in, out object) (err error) {
	if e.Name, err = in.needName("type"); err != nil {
		return err
	}
	p := in.in("properties")
	e.Session = openCodeSessionID(e.Name, p)
	switch e.Name {
	case "session.created", "session.resumed":
		openCodeSession(e, p)
	case "session.idle":
		e.Kind, e.Text, e.CallID = Answer, out.text("text"), out.text("messageID")
	case "session.compacted":
		e.Kind, e.Text, e.CallID = Compaction, out.text("text"), out.text("messageID")
	case "session.deleted":
		e.Kind, e.Reason = SessionEnd, "deleted"
	case "message.part.updated":
		openCodeFailure(e, p.in("part"))
	}
	if e.Kind != Ignored {
		_, err = object{"sessionID": e.Session}.needName("sessionID")
	}
	return err
}

// openCodeSessionID returns the session of an event. Releases differ in where they name it: next to what the event is
// about, or only inside it.
func openCodeSessionID(event string, p object) string {
	inside := p.in("part").text("sessionID")
	if strings.HasPrefix(event, "session.") {
		inside = p.in("info").text("id")
	}
	return cmp.Or(p.text("sessionID"), inside)
}

// openCodeSession reads the start of a session. Our plugin sends session.resumed itself, because OpenCode does not
// report that it continues an old session.
func openCodeSession(e *Event, p object) {
	info := p.in("info")
	e.Kind, e.Source = SessionStart, "startup"
	if e.Name == "session.resumed" {
		e.Source = "resume"
	}
	if dir := info.text("directory"); dir != "" {
		e.Dir = dir
	}
	e.SubType, e.At = info.text("agent"), info.in("time").millis("created")
	if parent := info.text("parentID"); parent != "" {
		e.adopt(parent)
		e.CallID = e.Subagent + "/start"
	}
}

// openCodeFailure reads a failed tool call. OpenCode does not call tool.execute.after for it; the message part is the
// only trace.
func openCodeFailure(e *Event, part object) {
	state := part.in("state")
	if part.text("type") != "tool" || part.text("tool") == "" || state.text("status") != "error" {
		return
	}
	e.Kind, e.Tool, e.CallID = Observation, part.text("tool"), part.text("callID")
	e.Input, e.Failed, e.Error = state["input"], true, state.text("error")
	times := state.in("time")
	e.At, e.DurationMS = times.millis("end"), times.integer("end")-times.integer("start")
}
