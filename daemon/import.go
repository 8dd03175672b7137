package daemon

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/capture"
	"keepmum/privacy"
	"keepmum/recall"
	"keepmum/store"
)

// importLine limits the size of one record; maxBody limits one event.
const importLine = 2 * maxBody

// postImport reads an export line by line. Each record passes the current gate and is stored before the next one is
// read, so an interrupted import can simply be repeated.
func (d *Daemon) postImport(c echo.Context) error {
	unhurried(c)
	in := d.newImporter()
	lines := bufio.NewReaderSize(c.Request().Body, 64<<10)
	for {
		line, err := readLine(lines)
		if errors.Is(err, io.EOF) {
			return c.JSON(http.StatusOK, in.out)
		}
		if err != nil {
			return failure(api.Invalid, "the import could not be read completely: "+err.Error(),
				"run it again: nothing is imported twice")
		}
		in.lines++
		if err := in.line(c.Request().Context(), line); err != nil {
			return err
		}
	}
}

func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, more, err := r.ReadLine()
		if err != nil {
			return nil, err
		}
		if line = append(line, part...); len(line) > importLine {
			return nil, fmt.Errorf("a line is longer than %d bytes", importLine)
		}
		if !more {
			return line, nil
		}
	}
}

// importer is the state of one import.
type importer struct {
	d      *Daemon
	out    api.Imported
	lines  int
	meta   store.SessionMeta
	native string
	turns  map[string]int64 // key of a prompt in this session → its id here
}

func (d *Daemon) newImporter() *importer {
	return &importer{d: d, out: api.Imported{Findings: map[string]int{}}, turns: map[string]int64{}}
}

func (im *importer) line(ctx context.Context, line []byte) error {
	line = bytes.TrimSpace(line)
	line = bytes.TrimPrefix(bytes.TrimPrefix(line, []byte(`{"records":[`)), []byte(","))
	if len(line) == 0 || bytes.Equal(line, []byte("]}")) {
		return nil
	}
	var r store.Record
	if json.Unmarshal(line, &r) != nil || r.Agent == "" || (r.Session == "") == (r.Commit == "") {
		im.skip()
		return nil
	}
	if err := im.known(r); err != nil {
		return err
	}
	return im.take(ctx, r)
}

// namedLines is how many of the lines that were skipped are named.
const namedLines = 10

// skip counts the current line as one that is not imported.
func (im *importer) skip() {
	if im.out.Skipped++; len(im.out.Lines) < namedLines {
		im.out.Lines = append(im.out.Lines, im.lines)
	}
}

// known returns an error for a record that says something that this version cannot store, as one of a newer version
// might.
func (im *importer) known(r store.Record) error {
	field, value := unknownIn(r)
	if field == "" {
		return nil
	}
	shown, _ := im.d.intake.Gate().Text(value)
	return failure(api.Invalid, fmt.Sprintf("line %d: field %s is %.40q, which this version does not know; "+
		"the lines before it are imported: %d new documents", im.lines, field, shown.String(), im.out.Documents),
		"install a newer mum or remove the line, and import again: nothing is imported twice")
}

// unknownIn returns the first field of a record with an unknown value; "" = none.
func unknownIn(r store.Record) (field, value string) {
	if !slices.Contains(store.Kinds(), r.Kind) {
		return "kind", string(r.Kind)
	}
	if s := r.Summary; s != nil && s.Scope != store.JobTurn && s.Scope != store.JobSession {
		return "summary.scope", string(s.Scope)
	}
	if r.Meta != nil {
		for _, a := range r.Meta.Aliases {
			if !slices.Contains(store.AliasKinds(), a.Kind) {
				return "meta.aliases.kind", string(a.Kind)
			}
		}
	}
	return "", ""
}

// take passes one record through the gate and stores it.
func (im *importer) take(ctx context.Context, r store.Record) error {
	rec, found, private, err := im.clean(r)
	if err != nil || private {
		im.skip()
		return nil
	}
	return im.keep(ctx, r, rec, found)
}

func (im *importer) keep(ctx context.Context, r store.Record, rec store.Imported, found []privacy.Finding) error {
	receipt, err := im.put(ctx, r, rec)
	switch {
	case errors.Is(err, store.ErrForgotten):
		im.out.Forgotten++
		return nil
	case err != nil:
		return err
	}
	if r.Kind == store.KindSession {
		if !receipt.Duplicate {
			im.out.Sessions++
		}
		return nil
	}
	im.turns[r.Key] = receipt.ID
	if receipt.Duplicate {
		im.out.Duplicates++
		return nil
	}
	im.out.Documents++
	if len(found) > 0 {
		im.out.Cleaned++
	}
	for _, f := range found {
		im.out.Findings[f.Rule]++
	}
	return nil
}

// put stores a record: a commit on its own, everything else in its session.
func (im *importer) put(ctx context.Context, r store.Record, rec store.Imported) (store.Receipt, error) {
	if r.Kind != store.KindCommit {
		return im.d.db.Import(ctx, rec)
	}
	c := store.Commit{Hash: rec.Commit, Title: rec.Title, Author: rec.Who, Files: rec.Files, At: r.At,
		Findings: rec.Findings}
	message := rec.Title.String()
	if rec.Text != nil && !rec.Text.IsZero() {
		c.Body = *rec.Text
		message += "\n\n" + c.Body.String()
	}
	c.Identity = commitIdentity(im.d.intake.Gate(), message, r.At, r.Files)
	c.Instruction = recall.SpeaksToAModel(message)
	return im.d.db.ImportCommit(ctx, rec.Session.Project, c)
}

// clean passes a record through the gate as the event that it once was.
func (im *importer) clean(r store.Record) (rec store.Imported, found []privacy.Finding, private bool, err error) {
	if r.Meta != nil {
		im.meta = *r.Meta
		clear(im.turns)
	} else if r.Session != im.native {
		im.meta = store.SessionMeta{Project: "imported", Started: r.At}
		clear(im.turns)
	}
	im.native = r.Session
	raw := privacy.Raw{Session: "import " + r.Agent + " " + r.Session, Dir: im.meta.Dir, Tool: r.Tool,
		Fields: im.fields(r)}
	if raw.Input, err = decoded(r.Input); err != nil {
		return rec, nil, false, err
	}
	if raw.Output, err = decoded(r.Output); err != nil {
		return rec, nil, false, err
	}
	raw.Input, raw.Output = capture.WithoutMedia(raw.Input), capture.WithoutMedia(raw.Output)
	c := im.d.intake.Gate().Event(raw)
	return im.record(r, c), c.Findings, c.Private, nil
}

func decoded(raw json.RawMessage) (v any, err error) {
	if len(raw) == 0 {
		return nil, nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return v, dec.Decode(&v)
}

// fields returns all strings of a record except those of the tool, by our own names.
func (im *importer) fields(r store.Record) map[string]string {
	m := im.meta
	f := map[string]string{
		"agent": r.Agent, "session": r.Session, "project": m.Project, "parent": m.Parent, "dir": m.Dir, "branch": m.Branch,
		"worktree": m.Worktree,
		"source":   m.Source, "model": m.Model, "transcript": m.Transcript, "reason": m.Reason, "who": r.Who,
		"title":    r.Title,
		"subagent": r.Subagent, "commit": r.Commit, "said_on": r.Branch,
	}
	if r.Text != nil {
		f["text"], _ = capture.WithoutMedia(*r.Text).(string)
	}
	for i, a := range m.Aliases {
		f[fmt.Sprint("alias.", i)] = a.Value
	}
	for i, file := range r.Files {
		f[fmt.Sprint("file.", i)] = file
	}
	if s := r.Summary; s != nil {
		f["type"], f["provider"], f["summary_model"], f["digest"], f["prompt_version"], f["input_hash"] = s.Type, s.Provider,
			s.Model, s.Digest, s.PromptVersion, s.InputHash
		for i, concept := range s.Concepts {
			f[fmt.Sprint("concept.", i)] = concept
		}
	}
	return f
}

func (im *importer) record(r store.Record, c privacy.Cleaned) store.Imported {
	f := c.Fields
	ref := store.SessionRef{Agent: f["agent"], Native: f["session"], Dir: f["dir"], Branch: f["branch"],
		Worktree: f["worktree"], Parent: f["parent"],
		Project: store.Project{Name: f["project"]}}
	for i, a := range im.meta.Aliases {
		ref.Project.Aliases = append(ref.Project.Aliases, store.Alias{Kind: a.Kind, Value: f[fmt.Sprint("alias.", i)]})
	}
	out := store.Imported{
		Session: store.Session{SessionRef: ref, At: im.meta.Started, Source: f["source"], Model: f["model"],
			Transcript: f["transcript"]}, Ended: im.meta.Ended, Reason: f["reason"], Kind: r.Kind, Turn: im.turns[r.Turn],
		At: r.At, Dedupe: r.Dedupe, Role: store.Role(r.Role), Who: f["who"], Tool: c.Tool, Title: f["title"],
		Failed: r.Failed, Excluded: r.Excluded ||
			!c.Excluded.IsZero(), DurationMS: r.DurationMS, Subagent: f["subagent"], Commit: f["commit"],
		Branch: f["said_on"], Findings: c.Findings,
	}
	if !c.Input.IsZero() {
		out.Input = c.Input.JSON()
	}
	if !c.Output.IsZero() {
		out.Output = c.Output.JSON()
	}
	if r.Text != nil {
		text := f["text"]
		out.Text = &text
	}
	for i := range r.Files {
		out.Files = append(out.Files, f[fmt.Sprint("file.", i)])
	}
	if s := r.Summary; s != nil {
		out.Summary = &store.ImportedSummary{Scope: s.Scope, Type: f["type"],
			Provenance: store.Provenance{Provider: f["provider"], Model: f["summary_model"], Digest: f["digest"],
				PromptVersion: f["prompt_version"], InputHash: f["input_hash"], Seconds: s.Seconds,
				Tokens: s.Tokens}}
		for i := range s.Concepts {
			out.Summary.Concepts = append(out.Summary.Concepts, f[fmt.Sprint("concept.", i)])
		}
	}
	return out
}
