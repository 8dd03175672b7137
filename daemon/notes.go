package daemon

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/capture"
	"keepmum/hooks"
	"keepmum/project"
	"keepmum/recall"
	"keepmum/safefile"
	"keepmum/store"
)

// liveFor is how long a session without an end counts as active: a working day.
const liveFor = 12 * time.Hour

// notesAgent is the agent name of the user's notes outside any agent's session.
const notesAgent = "user"

// ownNotes begins the id of a session that has only notes, because none was active.
const ownNotes = "notes-"

func noteTypes() []string {
	return []string{store.NoteTask, store.NoteFinding, store.NoteDecision, store.NoteNext, store.NoteCheckpoint,
		store.NoteDone}
}

// maxNoteText limits the length of a note: far more than is ever shown of it, and far less than a document.
const maxNoteText = 8 << 10

func checkNote(in *api.Note) error {
	switch {
	case !slices.Contains(noteTypes(), in.Type):
		return failure(api.Invalid, "type must be one of "+strings.Join(noteTypes(), ", "), "mum session --help")
	case in.Type != store.NoteCheckpoint && in.Type != store.NoteDone && strings.TrimSpace(in.Text) == "":
		return failure(api.Invalid, "text is missing", "mum session "+in.Type+" TEXT")
	case len(in.Text) > maxNoteText:
		return failure(api.Invalid, "text is longer than 8 KiB: a note is a sentence or two", "mum session --help")
	case in.Progress != nil && in.Type != store.NoteTask:
		return failure(api.Invalid, "only a task has progress", "mum session task TEXT --progress 40")
	case in.Progress != nil && (*in.Progress < 0 || *in.Progress > 100):
		return failure(api.Invalid, "progress must be 0..100", "mum session task TEXT --progress 40")
	case in.File != "" && in.Type != store.NoteFinding:
		return failure(api.Invalid, "only a finding has a file", "mum session finding TEXT --file PATH")
	}
	return firstError(checkOrigin(in.Origin), need("directory", in.Directory), checkIDs(in.Agent, in.Session, in.File),
		checkPath(in.Directory))
}

func (d *Daemon) postNote(c echo.Context) error {
	var in api.Note
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	if err := checkNote(&in); err != nil {
		return err
	}
	ctx := c.Request().Context()
	ses, own, err := d.sessionFor(ctx, in)
	if err != nil {
		return err
	}
	in.File = d.fileBelow(in.Directory, in.File)
	e := hooks.Event{Agent: ses.Agent, Kind: hooks.Note, Session: ses.Native, Dir: in.Directory, Text: in.Text,
		Source: in.Type, SubType: in.Origin, NoteFile: in.File, Progress: -1}
	if in.Progress != nil {
		e.Progress = *in.Progress
	}
	out, err := d.ingest(ctx, capture.Incoming{Event: e})
	if err != nil {
		return err
	}
	if out.status == statusSkipped {
		next := "mum status"
		if out.reason == "paused" {
			next = "mum resume"
		}
		return failure(api.Conflict, "the note was not stored: "+out.reason, next)
	}
	row, err := d.db.FindSession(ctx, out.event.Agent, out.event.Session)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, api.Noted{NoteID: out.id, Row: row.ID, Session: row.Agent + "/" + row.Native, Own: own,
		Findings: out.findings})
}

// maxMarked is the size of the largest file whose contents are recorded.
const maxMarked = 16 << 20

// fileMark returns the keyed hash of a project's file; "" if it cannot be read.
func (d *Daemon) fileMark(root, file string) string {
	if root == "" || file == "" {
		return ""
	}
	rel := file
	if filepath.IsAbs(file) {
		if rel, _ = filepath.Rel(root, file); rel == "" {
			return ""
		}
	}
	if !filepath.IsLocal(rel) {
		return ""
	}
	content, err := safefile.ReadBelow(root, rel, maxMarked)
	if err != nil {
		return ""
	}
	return d.db.FileMark(content)
}

// fileBelow returns the path of a file relative to the top of the repository, so that it can be found from other
// directories of it.
func (d *Daemon) fileBelow(dir, file string) string {
	if file == "" || filepath.IsAbs(file) || strings.Contains(file, "://") { // the gate knows an address by its slashes
		return file
	}
	rel, err := filepath.Rel(project.Of(project.Path(dir)).Root, filepath.Join(project.Path(dir), file))
	if err != nil || !filepath.IsLocal(rel) {
		return file
	}
	return filepath.ToSlash(rel)
}

// fileSince returns what happened to the file of a note since: unchanged, changed or gone; "" = its contents were not
// recorded.
func (d *Daemon) fileSince(root string, n store.NoteRow) string {
	if n.FileMark == "" {
		return ""
	}
	switch d.fileMark(root, n.File) {
	case n.FileMark:
		return "unchanged"
	case "":
		return "gone"
	}
	return "changed"
}

// sessionFor returns the session for a note: the given one, or the latest active one in the directory, for a note of an
// agent one of that agent, or else one of its own, of which there is one per day for the user and for each agent.
func (d *Daemon) sessionFor(ctx context.Context, in api.Note) (row store.SessionRow, own bool, err error) {
	id, err := d.projectToWrite(ctx, in.Directory)
	if err != nil {
		return row, false, err
	}
	agent := in.Origin == byAgent
	if in.Session != "" {
		row, err = d.db.SessionNamed(ctx, id, in.Session)
		switch {
		case err == nil && (!agent || row.Ended == nil): // an agent may continue under another id
			return row, false, nil
		case !agent: // an agent without hooks may be active
			return row, false, failure(api.NotFound, "there is no such session here", "mum session list")
		}
	}
	name := agentNamed(in.Agent)
	row, ok, err := d.db.LiveSession(ctx, id, project.Path(filepath.Clean(in.Directory)), name, d.o.Now().Add(-liveFor))
	writer := notesAgent
	if agent {
		writer = cmp.Or(name, byAgent)
	}
	notes := strings.HasPrefix(row.Native, ownNotes)
	if err != nil || ok && (!notes || row.Agent == writer) {
		return row, notes, err
	}
	row = store.SessionRow{Agent: writer}
	row.Native = fmt.Sprintf("%s%d-%s", ownNotes, id, d.o.Now().UTC().Format("20060102"))
	return row, true, nil
}

// agentNamed returns the agent of an MCP client, as its hooks are named; "" = another one. Clients are called
// claude-code, codex-mcp-client, cursor-vscode, opencode.
func agentNamed(client string) string {
	client = strings.ToLower(client)
	if i := slices.IndexFunc(hooks.Agents(), func(a string) bool { return strings.HasPrefix(client, a) }); i >= 0 {
		return hooks.Agents()[i]
	}
	return ""
}

// digest sums up what was done in a session, including the state of the files that it read or changed.
func (d *Daemon) digest(ctx context.Context, row store.SessionRow, failed int64, look bool) (api.SessionDigest, error) {
	dig, err := recall.DigestOf(ctx, d.db, row)
	if err != nil {
		return api.SessionDigest{}, err
	}
	gate := d.intake.Gate()
	shown := func(s string) string { c, _ := gate.Text(s); return c.String() }
	files := []api.FileRef{}
	if look {
		if files, err = d.filesOf(ctx, row, dig.Done); err != nil {
			return api.SessionDigest{}, err
		}
	}
	dig.Files = fileGroups(files)
	out := api.SessionDigest{SessionInfo: wireSession(&row, failed), Outcome: dig.Outcome(), Digest: []string{},
		Files: files, Notes: []api.NoteInfo{}, Edited: []string{}}
	for _, line := range dig.Lines() {
		out.Digest = append(out.Digest, shown(line))
	}
	out.Tokens = recall.Tokens(strings.Join(out.Digest, "\n"))
	for _, f := range dig.Edited {
		out.Edited = append(out.Edited, shown(f))
	}
	notes, _, err := d.db.Notes(ctx, row.ID)
	root := d.intake.Project(row.Dir).Root.String()
	for _, n := range notes {
		out.Notes = append(out.Notes, api.NoteInfo{ID: n.ID, At: time.UnixMilli(n.At).UTC(), Type: n.Type,
			Text: shown(n.Text), File: shown(n.File), FileIs: d.fileSince(root, n), Progress: n.Progress, Agent: n.Who})
	}
	if err == nil {
		var resumed int64
		resumed, err = d.db.Resumed(ctx, row.Project)
		out.Resumed = resumed == row.ID
	}
	return out, err
}

// getDigest returns the digest of the given session, or the one that the next session start in a directory would show.
func (d *Daemon) getDigest(c echo.Context) error {
	q := c.QueryParams()
	if err := onlyParams(q, "session", "directory", "project"); err != nil {
		return err
	}
	ctx := c.Request().Context()
	at, err := d.placeOf(ctx, q.Get("project"), q.Get("directory"))
	if err != nil {
		return err
	}
	row, err := d.sessionToTell(ctx, at.project, q.Get("session"))
	if err != nil {
		return err
	}
	failed, err := d.db.FailedIn(ctx, []int64{row.ID})
	if err != nil {
		return err
	}
	out, err := d.digest(ctx, row, failed[row.ID], true)
	if err != nil {
		return err
	}
	if out.Superseded, err = d.replacedOf(ctx, row); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

func (d *Daemon) sessionToTell(ctx context.Context, project int64, name string) (store.SessionRow, error) {
	none := failure(api.NotFound, "there is no such session here", "mum session list")
	if name == "" {
		none = failure(api.NotFound, "no session is known here yet", "mum session list --all")
	}
	if name != "" {
		row, err := d.db.SessionNamed(ctx, project, name)
		if err != nil {
			return row, none
		}
		return row, nil
	}
	resumed, err := d.db.Resumed(ctx, project)
	if err == nil && resumed != 0 {
		if row, err := d.db.Session(ctx, resumed); err == nil {
			return row, nil
		}
	}
	rows, err2 := d.db.RecentSessions(ctx, project, 1)
	if err := firstError(err, err2); err != nil {
		return store.SessionRow{}, err
	}
	if len(rows) == 0 || project == 0 {
		return store.SessionRow{}, none
	}
	return rows[0], nil
}

// postSessionResume selects the session that the next start shows.
func (d *Daemon) postSessionResume(c echo.Context) error {
	var none struct{}
	if err := d.exactly(c, &none); err != nil {
		return err
	}
	ctx := c.Request().Context()
	row, err := d.db.SessionNamed(ctx, 0, c.Param("row"))
	if err != nil {
		return failure(api.NotFound, "there is no such session", "mum session list")
	}
	if err := d.db.Resume(ctx, row.Project, row.ID); err != nil {
		return err
	}
	out, err := d.digest(ctx, row, 0, true)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

// getDigests lists the latest sessions of a place with their digests.
func (d *Daemon) getDigests(c echo.Context) error {
	q := c.QueryParams()
	if err := onlyParams(q, "directory", "project", "limit"); err != nil {
		return err
	}
	ctx := c.Request().Context()
	limit, err1 := intParam(q, "limit", 20, 1, 100)
	at, err2 := d.placeOf(ctx, q.Get("project"), q.Get("directory"))
	if err := firstError(err1, err2); err != nil {
		return err
	}
	out := api.SessionDigests{Sessions: []api.SessionDigest{}}
	rows, err := d.db.RecentSessions(ctx, at.project, limit)
	for _, row := range rows {
		one, err := d.digest(ctx, row, 0, false)
		if err != nil {
			return err
		}
		out.Sessions = append(out.Sessions, one)
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}
