package daemon

import (
	"net/http"
	"strings"
	"time"
	"unicode"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/capture"
	"keepmum/hooks"
)

// maxID limits the length of session ids, tool names and project names.
const maxID = 512

// checkIDs rejects ids that no agent would create: they would be stored as names and displayed in lists.
func checkIDs(ids ...string) error {
	for _, id := range ids {
		if len(id) > maxID {
			return failure(api.Invalid, "an id or name is longer than 512 bytes", "docs/api.md")
		}
		if strings.ContainsFunc(id, func(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar }) {
			return failure(api.Invalid, "an id or name contains characters that cannot be displayed", "docs/api.md")
		}
	}
	return nil
}

// maxPath limits the length of directories; no operating system allows longer ones.
const maxPath = 4096

func checkPath(dir string) error {
	if len(dir) > maxPath {
		return failure(api.Invalid, "directory is longer than 4096 bytes", "docs/api.md")
	}
	return nil
}

// firstYear is long before any session that could be sent, and after the times that a program gets by mistake: zero in
// seconds, and the least that its type can hold.
const firstYear = 2000

// checkAt refuses a time that no event can have. A missing one is fine.
func checkAt(at time.Time) error {
	if !at.IsZero() && at.Year() < firstYear {
		return failure(api.Invalid, "field at must be a time since the year 2000", "docs/api.md")
	}
	return nil
}

func need(name, value string) error {
	if strings.TrimSpace(value) == "" {
		return failure(api.Invalid, name+" is missing", "docs/api.md")
	}
	return nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func agentOr(agent string) string {
	if agent == "" {
		return "api"
	}
	return agent
}

func (d *Daemon) postObserve(c echo.Context) error {
	var in api.Observe
	if err := d.readJSON(c, &in); err != nil {
		return err
	}
	if err := firstError(need("session_id", in.SessionID), need("tool_name", in.ToolName),
		checkIDs(in.SessionID, in.ToolName, in.Project, in.Agent), checkPath(in.Directory), checkAt(in.At)); err != nil {
		return err
	}
	if _, isObject := in.ToolInput.(map[string]any); in.ToolInput != nil && !isObject {
		return failure(api.Invalid, "field tool_input must be an object", "docs/api.md")
	}
	out, err := d.ingest(c.Request().Context(), capture.Incoming{Project: in.Project, Event: hooks.Event{
		Agent: agentOr(in.Agent), Kind: hooks.Observation, Session: in.SessionID, Dir: in.Directory,
		Tool: in.ToolName, Input: in.ToolInput, Output: in.ToolOutput, At: in.At,
	}})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK,
		api.Observed{Status: out.status, ObservationID: out.id, Reason: out.reason, Findings: out.findings})
}

func (d *Daemon) postPrompt(c echo.Context) error {
	var in api.Prompt
	if err := d.readJSON(c, &in); err != nil {
		return err
	}
	kind, ok := map[string]hooks.Kind{"": hooks.Prompt, "user": hooks.Prompt, "assistant": hooks.Answer}[in.Role]
	if !ok {
		return failure(api.Invalid, "field role must be user or assistant", "docs/api.md")
	}
	if err := firstError(need("session_id", in.SessionID), need("text", in.Text),
		checkIDs(in.SessionID, in.Project, in.Agent), checkPath(in.Directory), checkAt(in.At)); err != nil {
		return err
	}
	out, err := d.ingest(c.Request().Context(), capture.Incoming{Project: in.Project, Event: hooks.Event{
		Agent: agentOr(in.Agent), Kind: kind, Session: in.SessionID, Dir: in.Directory, Text: in.Text, At: in.At,
	}})
	if err != nil {
		return err
	}
	answer := api.Prompted{Status: out.status, PromptID: out.id, Findings: out.findings, Reason: out.reason}
	if in.WithContext && kind == hooks.Prompt && out.status == statusOK {
		r := d.recallFor(c.Request().Context(), out)
		answer.Context, answer.Reason, answer.Entries, answer.InjectionID = r.text, r.reason, r.entries, r.id
	}
	return c.JSON(http.StatusOK, answer)
}

func (d *Daemon) postSessionStart(c echo.Context) error {
	var in api.SessionStart
	if err := d.readJSON(c, &in); err != nil {
		return err
	}
	return d.postSession(c, in.Project, hooks.Event{
		Agent: agentOr(in.Agent), Kind: hooks.SessionStart, Session: in.SessionID, Dir: in.Directory,
		Branch: in.Branch, Source: in.Source, At: in.At,
	})
}

func (d *Daemon) postSessionEnd(c echo.Context) error {
	var in api.SessionEnd
	if err := d.readJSON(c, &in); err != nil {
		return err
	}
	return d.postSession(c, in.Project, hooks.Event{
		Agent: agentOr(in.Agent), Kind: hooks.SessionEnd, Session: in.SessionID, Dir: in.Directory, Reason: in.Reason,
		At: in.At,
	})
}

func (d *Daemon) postSession(c echo.Context, project string, e hooks.Event) error {
	if err := firstError(need("session_id", e.Session),
		checkIDs(e.Session, project, e.Agent, e.Branch, e.Source, e.Reason), checkPath(e.Dir), checkAt(e.At)); err != nil {
		return err
	}
	out, err := d.ingest(c.Request().Context(), capture.Incoming{Project: project, Event: e})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, api.Done{Status: out.status})
}

func (d *Daemon) postStop(c echo.Context) error {
	time.AfterFunc(50*time.Millisecond, d.stop) // after the answer has been sent
	return c.JSON(http.StatusOK, api.Done{Status: statusOK})
}
