package daemon

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/store"
)

// Confidence of a memory that nobody rated.
const (
	toldConfidence  = 0.9 // by the user
	agentConfidence = 0.6
	twiceConfidence = 0.75 // by an agent, in two sessions
)

func (d *Daemon) postMemory(c echo.Context) error {
	var in api.MemoryAdd
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	if err := firstError(need("title", in.Title), checkIDs(in.Project, in.Agent, in.Session), checkAdd(&in),
		d.checkFrom(in.ValidFrom)); err != nil {
		return err
	}
	ctx := c.Request().Context()
	t, err := d.treeFor(ctx, in.Project, in.Directory, in.Global)
	if err != nil {
		return memoryError(err)
	}
	out, err := d.addMemory(ctx, t, in)
	if err != nil {
		return memoryError(err)
	}
	return c.JSON(http.StatusOK, out)
}

// checkAdd fills in defaults and rejects invalid values.
func checkAdd(in *api.MemoryAdd) error {
	fillAdd(in)
	if err := checkKey(in); err != nil {
		return err
	}
	switch {
	case in.Primitive != string(memory.Learning) && in.Primitive != string(memory.Decision):
		return failure(api.Invalid, "primitive must be decision or learning", "docs/api.md")
	case in.Kind != string(memory.Fact) && strings.TrimSpace(in.Body) == "":
		return failure(api.Invalid, "body is missing; only a fact needs none", "mum memory add --help")
	case in.Primitive == string(memory.Decision) && in.Kind != "":
		return failure(api.Invalid, "a decision has no kind", "docs/api.md")
	case in.ValidFrom != "" && !isMoment(in.ValidFrom):
		return failure(api.Invalid, "valid_from must be a day like 2026-03-01 or a time like 2026-03-01T14:23:05Z",
			"docs/api.md")
	}
	return firstError(checkOrigin(in.Origin), checkConfidence(in), checkKind(in.Primitive, in.Kind))
}

// checkKey joins the category and the key. A category alone is a tag and no key: otherwise, everything in a room would
// answer one question.
func checkKey(in *api.MemoryAdd) error {
	key, err := memory.ParseKey(in.Category, in.Key)
	if err != nil {
		return failure(api.Invalid, err.Error(), "mum memory add --help")
	}
	if key != "" && strings.TrimSpace(in.Key) == "" {
		if !slices.Contains(in.Tags, key) {
			in.Tags = append(in.Tags, key)
		}
		key = ""
	}
	in.Key, in.Category = key, ""
	return nil
}

// checkFrom rejects a time that has not come: until then, the memory that it replaces is the valid one.
func (d *Daemon) checkFrom(from string) error {
	at, err := parseMoment(from)
	if err == nil && at.After(d.o.Now().AddDate(0, 0, 1)) { // a day begins earlier in the east
		return failure(api.Invalid, "valid_from is in the future: until then something else is valid", "add it on that day")
	}
	return nil
}

// checkOrigin rejects an origin that is neither the user nor an agent.
func checkOrigin(origin string) error {
	if err := api.CheckOrigin(origin); err != nil {
		return failure(api.Invalid, err.Error(), "docs/api.md")
	}
	return nil
}

// checkLength rejects a title that is longer than a statement.
func checkLength(title string) error {
	if utf8.RuneCountInString(title) > memory.MaxTitle {
		return failure(api.Invalid, fmt.Sprintf("the title has more than %d characters", memory.MaxTitle),
			"the title is the statement; the rest belongs in the body")
	}
	return nil
}

func checkConfidence(in *api.MemoryAdd) error {
	switch {
	case in.Origin == "agent" && (in.Confidence < 0 || in.Confidence > agentConfidence):
		return failure(api.Invalid, "confidence must be 0..0.6 from an agent", "docs/api.md")
	case in.Confidence < 0 || in.Confidence > 1:
		return failure(api.Invalid, "confidence must be 0..1", "docs/api.md")
	}
	return nil
}

// parseMoment parses a time, or a day in UTC as its start.
func parseMoment(s string) (time.Time, error) {
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return t, nil
	}
	t, err := time.Parse(time.RFC3339, s)
	return t.UTC(), err
}

func isMoment(s string) bool {
	_, err := parseMoment(s)
	return err == nil
}

// fillAdd sets the defaults of empty fields.
func fillAdd(in *api.MemoryAdd) {
	if in.Primitive == "" {
		in.Primitive = string(memory.Learning)
	}
	if in.Primitive == string(memory.Learning) && in.Kind == "" {
		in.Kind = string(memory.Insight)
		if utf8.RuneCountInString(strings.TrimSpace(in.Body)) < memory.MinBody { // too short for a reason
			in.Kind = string(memory.Fact)
		}
	}
	if in.Confidence == 0 {
		in.Confidence = toldConfidence
		if in.Origin == "agent" {
			in.Confidence = agentConfidence
		}
	}
}

func checkKind(primitive, kind string) error {
	switch memory.Kind(kind) {
	case memory.Insight, memory.Procedure, memory.Friction, memory.Pitfall, memory.Preference, memory.Fact:
		return nil
	}
	if primitive == string(memory.Decision) {
		return nil
	}
	return failure(api.Invalid, "kind must be insight, procedure, friction, pitfall, preference or fact", "docs/api.md")
}

// candidate passes the text of a request through the gate.
func (t memoryTree) candidate(in api.MemoryAdd) (memory.Candidate, privacy.Clean, []privacy.Finding) {
	fields := map[string]string{"title": strings.TrimSpace(in.Title), "body": strings.TrimSpace(in.Body),
		"agent": agentOr(in.Agent), "session": in.Session, "label": in.Key}
	list(fields, "tag", in.Tags)
	c := t.gate.Event(privacy.Raw{Fields: fields})
	out := memory.Candidate{Primitive: memory.Primitive(in.Primitive), Kind: memory.Kind(in.Kind),
		Title: c.Fields["title"], Body: c.Fields["body"],
		Confidence: in.Confidence, Told: in.Origin != "agent",
		Guessed: in.Origin == "agent" && in.Agent != memory.PassedOn, Key: c.Fields["label"].String()}
	out.At, _ = parseMoment(in.ValidFrom) // validated by checkAdd
	for i := range in.Tags {
		out.Tags = append(out.Tags, c.Fields[item("tag", i)])
	}
	if in.Session != "" {
		out.Sources = []memory.Source{{Session: privacy.Join("/", c.Fields["agent"], c.Fields["session"])}}
	}
	return out, c.Fields["agent"], c.Findings
}

func (d *Daemon) addMemory(ctx context.Context, t memoryTree, in api.MemoryAdd) (api.MemoryWritten, error) {
	c, agent, found := t.candidate(in)
	links, err1 := d.addedLinks(ctx, t, in)
	sources, since, err2 := d.evidence(ctx, t, in)
	if err := firstError(err1, err2); err != nil {
		return api.MemoryWritten{}, err
	}
	c.Links, c.Sources = links, append(c.Sources, sources...)
	if c.At.IsZero() { // valid since it was first stated, as far as is known
		c.At = since
	}
	by := privacy.Const("cli")
	if in.Origin == "agent" {
		by = privacy.Join("/", privacy.Const("agent"), agent)
	}
	var err error
	if c.Branch, err = d.addedOn(ctx, t, in); err != nil {
		return api.MemoryWritten{}, err
	}
	return d.addCandidate(ctx, t, c, by, in.New, found)
}

// addCandidate writes what the user or an agent states. If New is set, it always adds a new memory.
func (d *Daemon) addCandidate(ctx context.Context, t memoryTree, c memory.Candidate, by privacy.Clean, own bool,
	found []privacy.Finding) (api.MemoryWritten, error) {
	if err := checkLength(c.Title.String()); err != nil {
		return api.MemoryWritten{}, err
	}
	if err := d.withoutForgotten(ctx, append(pointers(c.Tags), &c.Title, &c.Body)...); err != nil {
		return api.MemoryWritten{}, err
	}
	verdict, m, err := d.decideAndWrite(ctx, t, c, by, own)
	if err == nil && c.Told { // the user wrote it again, so it no longer counts as forgotten
		err = d.db.ExhumeMemory(ctx, store.MemoryMark{Project: t.root.Project, Name: m.ID, Title: m.Title, Body: m.Body},
			memory.Fingerprints(m.Title, m.Body))
	}
	if err != nil {
		return api.MemoryWritten{}, err
	}
	out, err := d.wrote(ctx, t, m, string(verdict.Action), string(verdict.Reason), found)
	if err == nil && verdict.Action == memory.Supersede {
		out.Replaced = verdict.Target
		out.Dependents, err = d.dependentsOf(ctx, t, verdict.Target)
	}
	return out, err
}

// addTries is how often an addition is decided anew because sync or an editor has changed the memory that it concerns.
const addTries = 5

// decideAndWrite decides about a candidate and carries that out. One is decided after the other: what was added
// meanwhile may already say it.
func (d *Daemon) decideAndWrite(ctx context.Context, t memoryTree, c memory.Candidate, by privacy.Clean,
	own bool) (v memory.Verdict, m memory.Memory, err error) {
	d.adding.Lock()
	defer d.adding.Unlock()
	for range addTries {
		now := c
		l, lerr := t.Load()
		if lerr != nil {
			return v, m, lerr
		}
		v = d.verdict(ctx, l, &now, own)
		if m, err = d.carryOut(t, l, now, v, d.stamp(by)); !errors.Is(err, memory.ErrChanged) {
			break
		}
	}
	return v, m, err
}
