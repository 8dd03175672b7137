package transcript

import (
	"encoding/json"
	"strings"
)

// claudeAttachment is an attached file, or a prompt that waited until the agent could read it.
type claudeAttachment struct {
	Type     string          `json:"type"`
	Filename string          `json:"filename"`
	FilePath string          `json:"filePath"`
	Path     string          `json:"path"`
	Prompt   json.RawMessage `json:"prompt"`
	Mode     string          `json:"commandMode"`
	IsMeta   bool            `json:"isMeta"`
	Origin   struct {
		Kind string `json:"kind"`
	} `json:"origin"`
}

// byPerson reports whether a person typed a queued prompt. Programs queue their notifications in the same way.
func (a claudeAttachment) byPerson() bool {
	return !a.IsMeta && (a.Mode == "" || a.Mode == "prompt") && (a.Origin.Kind == "" || a.Origin.Kind == "human")
}

// queued yields what was typed while the agent worked. It is in no other record that is read.
func (r *claudeReader) queued(rec claudeRecord, a claudeAttachment, e Entry) error {
	if err := r.flush(); err != nil {
		return err
	}
	r.about(rec)
	e.Dir, e.Branch, e.Text = rec.Cwd, rec.GitBranch, joined(a.Prompt)
	if rec.IsMeta || !a.byPerson() {
		return r.aside(e)
	}
	if err := r.unsaid(e, false); err != nil {
		return err
	}
	e.Role, e.Text = User, typed(e.Text)
	return r.put(e)
}

// questionTool is the tool with which the agent asks its user.
const questionTool = "AskUserQuestion"

// replied yields what the user said in the result of a call of tool: answers, or why the call was rejected.
func (r *claudeReader) replied(e, res Entry, tool string) error {
	if res.Failed {
		e.Role = User
		out, _ := res.Output.(string)
		e.Text = typed(rejection(out))
		return r.put(e)
	}
	for _, said := range Answered(tool, res.Beside) {
		said.At, said.Dir, said.Branch, said.Sidechain, said.Ref = e.At, e.Dir, e.Branch, e.Sidechain, e.Ref
		if err := r.put(said); err != nil {
			return err
		}
	}
	return nil
}

// rejection returns the reason that the user typed for rejecting a call, or "".
func rejection(out string) string {
	if !strings.HasPrefix(out, "The user doesn't want to proceed with this tool use.") {
		return ""
	}
	for _, mark := range []string{"The user provided the following reason for the rejection:",
		"To tell you how to proceed, the user said:"} {
		if _, said, ok := strings.Cut(out, mark); ok {
			said, _, _ = strings.Cut(said, "\n\nNote: The user's next message may contain")
			if said = strings.TrimSpace(said); strings.HasPrefix(said, "The user wants to clarify these questions.") {
				return "" // a button
			}
			return said
		}
	}
	return ""
}

// Answered returns the agent's questions and the user's answers in the result of the tool that asks the user: for each
// question an entry of the agent and one of the user, which name the tool. The tool is "" if it is unknown.
func Answered(tool string, result any) (out []Entry) {
	if tool != "" && tool != questionTool {
		return nil
	}
	m, _ := result.(map[string]any)
	questions, _ := m["questions"].([]any)
	answers, _ := m["answers"].(map[string]any)
	annotations, _ := m["annotations"].(map[string]any)
	for _, q := range questions {
		one, _ := q.(map[string]any)
		question, _ := one["question"].(string)
		answer, _ := answers[question].(string)
		note, _ := annotations[question].(map[string]any)
		words, _ := note["notes"].(string)
		if said := strings.TrimSpace(answer + "\n" + words); question != "" && said != "" {
			out = append(out, Entry{Role: Assistant, Tool: questionTool, Text: question},
				Entry{Role: User, Tool: questionTool, Text: said})
		}
	}
	return out
}
