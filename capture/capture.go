package capture

import (
	"time"

	"keepmum/hooks"
	"keepmum/privacy"
	"keepmum/project"
)

// Event is a [hooks.Event] after the gate, with the project it belongs to.
type Event struct {
	Kind       hooks.Kind
	At         time.Time
	Failed     bool
	DurationMS int64
	Progress   int // of a note; negative = not stated

	Agent, Name, Session, Parent privacy.Clean
	Subagent, SubType            privacy.Clean
	Dir, Transcript, Model       privacy.Clean
	Source, Reason, Text         privacy.Clean
	PromptID, Tool, CallID       privacy.Clean
	Error, NoteFile              privacy.Clean
	Input, Output                privacy.Tree
	Project                      Project

	Title    privacy.Clean   // one line: the tool and its target
	Body     privacy.Clean   // text to search
	Files    []privacy.Clean // paths in the event
	Findings []privacy.Finding
	Excluded privacy.Clean // the denied path because of which the content was withheld
	Private  bool          // must not be stored
	Key      privacy.Clean // the same for every delivery of the same event
	Same     string        // keyed hash that Key is made of: for the spool, which keeps no raw text to make it again
}

// Project is a [project.Identity] after the gate.
type Project struct {
	Name, Root, CommonDir, Remote, Branch, Worktree privacy.Clean
}

// clean passes every string of e and id through the gate as one event.
func clean(g *privacy.Gate, e hooks.Event, id project.Identity) Event {
	if e.Branch != "" {
		id.Branch = e.Branch
	}
	c := g.Event(privacy.Raw{
		Session: scope(e),
		Speaker: speaker(e.Kind),
		Dir:     e.Dir,
		Tool:    e.Tool,
		Input:   WithoutMedia(e.Input),
		Output:  WithoutMedia(withoutCopies(e.Output)),
		Fields:  fields(e, id),
	})
	f := c.Fields
	out := Event{
		Kind: e.Kind, At: e.At, Failed: e.Failed, DurationMS: e.DurationMS, Progress: e.Progress,
		Agent: f["agent"], Name: f["name"], Session: f["session"], Parent: f["parent"],
		Subagent: f["subagent"], SubType: f["sub_type"],
		Dir: f["dir"], Transcript: f["transcript"], Model: f["model"],
		Source: f["source"], Reason: f["reason"], Text: f["text"],
		PromptID: f["prompt_id"], CallID: f["call_id"], Error: f["error"], NoteFile: f["note_file"],
		Tool: c.Tool, Input: c.Input, Output: c.Output,
		Project: Project{
			Name: f["project.name"], Root: f["project.root"], CommonDir: f["project.common_dir"],
			Remote: f["project.remote"], Branch: f["project.branch"], Worktree: f["project.worktree"],
		},
		Files: c.Paths, Findings: c.Findings, Excluded: c.Excluded, Private: c.Private,
	}
	out.Title, out.Body = title(out), body(out)
	return out
}

// scope returns the key under which the gate remembers a session, so that sessions of different agents stay apart.
func scope(e hooks.Event) string {
	if e.Session == "" {
		return ""
	}
	return e.Agent + "/" + e.Session
}

// speaker says who wrote the text of an event.
func speaker(k hooks.Kind) privacy.Speaker {
	switch k {
	case hooks.Prompt, hooks.Note:
		return privacy.User
	case hooks.Answer:
		return privacy.Agent
	}
	return ""
}

func fields(e hooks.Event, id project.Identity) map[string]string {
	return map[string]string{
		"agent": e.Agent, "name": e.Name, "session": e.Session, "parent": e.Parent,
		"subagent": e.Subagent, "sub_type": e.SubType,
		"dir": e.Dir, "transcript": e.Transcript, "model": e.Model,
		"source": e.Source, "reason": e.Reason, "text": textWithoutMedia(e.Text),
		"prompt_id": e.PromptID, "call_id": e.CallID, "error": textWithoutMedia(e.Error), "note_file": e.NoteFile,
		"project.name": id.Name, "project.root": id.Root, "project.common_dir": id.CommonDir,
		"project.remote": id.Remote, "project.branch": id.Branch, "project.worktree": id.Worktree,
	}
}

// withoutCopies drops the copy of the whole file that an editing tool reports next to its change: it is not part of the
// event and would fill the disk.
func withoutCopies(output any) any {
	m, ok := output.(map[string]any)
	if !ok {
		return output
	}
	if _, has := m["originalFile"]; !has {
		return output
	}
	kept := make(map[string]any, len(m))
	for k, v := range m {
		if k != "originalFile" {
			kept[k] = v
		}
	}
	return kept
}
