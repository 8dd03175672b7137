package daemon

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/store"
)

// memoryError tells a user what the files would not do.
func memoryError(err error) error {
	switch {
	case errors.Is(err, memory.ErrNotFound):
		return failure(api.NotFound, "there is no such memory", "mum memory list")
	case errors.Is(err, memory.ErrChanged):
		return failure(api.Conflict, "the file was changed meanwhile: nothing was written", "mum memory show, then try again")
	case errors.Is(err, memory.ErrInvalid), errors.Is(err, memory.ErrOutside):
		return failure(api.Invalid, err.Error(), "mum memory add --help")
	case errors.Is(err, errNoTree):
		return failure(api.Conflict, err.Error(), "mum project list")
	}
	return err
}

// How far a memory is to be trusted that nobody rated.
const (
	toldConfidence  = 0.9 // by the user
	agentConfidence = 0.6
	twiceConfidence = 0.75 // by an agent in two sessions
)

func (d *Daemon) postMemory(c echo.Context) error {
	var in api.MemoryAdd
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	if err := firstError(need("title", in.Title), need("body", in.Body), checkIDs(in.Project, in.Agent, in.Session), checkAdd(&in)); err != nil {
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

// checkAdd fills in what is usual, and refuses what no memory has.
func checkAdd(in *api.MemoryAdd) error {
	fillAdd(in)
	switch {
	case in.Primitive != string(memory.Learning) && in.Primitive != string(memory.Decision):
		return failure(api.Invalid, "primitive must be decision or learning", "docs/api.md")
	case in.Primitive == string(memory.Decision) && in.Kind != "":
		return failure(api.Invalid, "a decision has no kind", "docs/api.md")
	case in.Origin != "" && in.Origin != "user" && in.Origin != "agent":
		return failure(api.Invalid, "origin must be user or agent", "docs/api.md")
	case in.Confidence < 0 || in.Confidence > 1 || in.Origin == "agent" && in.Confidence > agentConfidence:
		return failure(api.Invalid, "confidence must be 0..1, from an agent 0..0.6", "docs/api.md")
	}
	return checkKind(in.Primitive, in.Kind)
}

// fillAdd puts what is usual where nothing was said.
func fillAdd(in *api.MemoryAdd) {
	if in.Primitive == "" {
		in.Primitive = string(memory.Learning)
	}
	if in.Primitive == string(memory.Learning) && in.Kind == "" {
		in.Kind = string(memory.Insight)
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
	case memory.Insight, memory.Procedure, memory.Friction, memory.Pitfall, memory.Preference:
		return nil
	}
	if primitive == string(memory.Decision) {
		return nil
	}
	return failure(api.Invalid, "kind must be insight, procedure, friction, pitfall or preference", "docs/api.md")
}

// treeFor is the tree that a memory goes to.
func (d *Daemon) treeFor(ctx context.Context, name, dir string, global bool) (memoryTree, error) {
	project := store.NoProjectRow
	var err error
	switch {
	case global || name == "" && dir == "":
	case name != "":
		project, err = d.db.ProjectNamed(ctx, name)
	default:
		project, err = d.projectToWrite(ctx, dir)
	}
	if err != nil {
		return memoryTree{}, err
	}
	root, err := d.rootOf(ctx, project)
	if err != nil {
		return memoryTree{}, err
	}
	return d.openTree(root)
}

// projectToWrite is the project of a directory, made where a repository is
// seen for the first time. A directory without one is no project.
func (d *Daemon) projectToWrite(ctx context.Context, dir string) (int64, error) {
	p := d.intake.Project(dir)
	id, ok, err := d.db.FindProject(ctx, projectRef(p))
	switch {
	case err != nil || ok:
		return id, err
	case p.CommonDir.IsZero():
		return store.NoProjectRow, nil
	}
	return d.db.PutProject(ctx, projectRef(p))
}

// candidate passes what was sent through the gate.
func (t memoryTree) candidate(in api.MemoryAdd) (memory.Candidate, privacy.Clean, []privacy.Finding) {
	fields := map[string]string{"title": strings.TrimSpace(in.Title), "body": strings.TrimSpace(in.Body), "agent": agentOr(in.Agent), "session": in.Session}
	list(fields, "tag", in.Tags)
	c := t.gate.Event(privacy.Raw{Fields: fields})
	out := memory.Candidate{Primitive: memory.Primitive(in.Primitive), Kind: memory.Kind(in.Kind), Title: c.Fields["title"], Body: c.Fields["body"],
		Confidence: in.Confidence, Told: in.Origin != "agent"}
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
	by := privacy.Const("cli")
	if in.Origin == "agent" {
		by = privacy.Join("/", privacy.Const("agent"), agent)
	}
	return d.addCandidate(ctx, t, c, by, in.New, found)
}

// addCandidate writes what the user or an agent says. New says that it is to be a memory of its own.
func (d *Daemon) addCandidate(ctx context.Context, t memoryTree, c memory.Candidate, by privacy.Clean, own bool, found []privacy.Finding) (api.MemoryWritten, error) {
	if err := d.withoutForgotten(ctx, append(pointers(c.Tags), &c.Title, &c.Body)...); err != nil {
		return api.MemoryWritten{}, err
	}
	l, err := t.Load()
	if err != nil {
		return api.MemoryWritten{}, err
	}
	verdict := d.verdict(ctx, l, &c, own)
	m, err := d.carryOut(t, l, c, verdict, d.stamp(by))
	if err == nil && c.Told { // the user wrote it anew: it is no longer forgotten
		err = d.db.ExhumeMemory(ctx, store.MemoryMark{Project: t.root.Project, Name: m.ID, Title: m.Title, Body: m.Body}, memory.Fingerprints(m.Title, m.Body))
	}
	if err != nil {
		return api.MemoryWritten{}, err
	}
	out, err := d.wrote(ctx, t, m, string(verdict.Action), string(verdict.Reason), found)
	if verdict.Action == memory.Supersede {
		out.Replaced = verdict.Target
	}
	return out, err
}

// verdict says what becomes of a candidate. One that updates a memory is made to fit it.
func (d *Daemon) verdict(ctx context.Context, l memory.Listing, c *memory.Candidate, own bool) memory.Verdict {
	forgotten := func(string) bool { return false }
	if !c.Told {
		forgotten = func(print string) bool { ok, err := d.db.ForgottenPrint(ctx, print); return ok || err != nil }
	}
	verdict := memory.NewJudge(l.Memories(), forgotten).Decide(*c)
	if verdict.Action != memory.Update {
		return verdict
	}
	if own {
		return memory.Verdict{Action: memory.Add, Reason: memory.New, Score: verdict.Score}
	}
	if c.Told && !titled(l, verdict.Target, c.Title) { // what the user said stays, the title too
		c.Body = privacy.Join(". ", c.Title, c.Body)
	}
	if saidTwice(l, verdict.Target, *c) {
		c.Confidence = twiceConfidence
	}
	return verdict
}

// saidTwice says that an agent said in another session what an agent says now.
func saidTwice(l memory.Listing, id string, c memory.Candidate) bool {
	if c.Told || len(c.Sources) == 0 {
		return false
	}
	at := slices.IndexFunc(l.Memories(), func(m memory.Memory) bool { return m.ID == id })
	if at < 0 {
		return false
	}
	m := l.Memories()[at]
	same := func(o memory.Origin) bool { return o.Session == c.Sources[0].Session.String() }
	return strings.HasPrefix(m.Source, "agent/") && len(m.Sources) > 0 && !slices.ContainsFunc(m.Sources, same)
}

// titled says that a memory has a title already.
func titled(l memory.Listing, id string, title privacy.Clean) bool {
	return slices.ContainsFunc(l.Memories(), func(m memory.Memory) bool { return m.ID == id && strings.EqualFold(m.Title, title.String()) })
}

// withoutForgotten takes out of texts what was taken out of everything: an agent may
// still know it.
func (d *Daemon) withoutForgotten(ctx context.Context, texts ...*privacy.Clean) error {
	gone, err := d.db.ForgottenTexts(ctx)
	for _, c := range texts {
		if c != nil {
			*c = gone.Without(*c)
		}
	}
	return err
}

func pointers(list []privacy.Clean) (out []*privacy.Clean) {
	for i := range list {
		out = append(out, &list[i])
	}
	return out
}

// carryOut does what was decided about a candidate.
func (d *Daemon) carryOut(t memoryTree, l memory.Listing, c memory.Candidate, v memory.Verdict, by memory.Stamp) (memory.Memory, error) {
	var target memory.Memory
	for _, m := range l.Memories() {
		if m.ID == v.Target {
			target = m
		}
	}
	switch v.Action {
	case memory.Noop:
		return target, nil
	case memory.Update:
		return t.Update(target, c, by)
	case memory.Supersede:
		if !c.Told && (target.Pinned || target.Source == "cli") {
			return target, failure(api.Conflict, "it contradicts what the user wrote in memory "+target.ID, "ask the user, who may change it: mum memory edit "+target.ID)
		}
		return t.Supersede(c, by, target)
	case memory.Add:
		return t.Add(c, by)
	}
	return target, failure(api.Invalid, "that is not kept as a memory: "+refusal(v.Reason), "mum memory add --help")
}

// refusal says in words why a candidate is refused.
func refusal(r memory.Reason) string {
	words := map[memory.Reason]string{
		memory.LowConfidence: "its confidence is below 0.5", memory.ShortTitle: fmt.Sprintf("the title has fewer than %d characters", memory.MinTitle),
		memory.ShortBody:   fmt.Sprintf("the body has fewer than %d characters: say why, and what else was thought of", memory.MinBody),
		memory.BodyIsTitle: "the body only repeats the title", memory.Placeholder: "it is a placeholder", memory.ToldByCode: "the code says it already",
		memory.SessionOnly: "it is of no use after this session", memory.SpeaksToModel: "it is an instruction to a model, not a fact",
		memory.Forgotten: "the user wanted it forgotten", memory.Outdated: "something newer is known",
	}
	if w := words[r]; w != "" {
		return w
	}
	return string(r)
}

// wrote reads the changed tree and answers with what is there now.
func (d *Daemon) wrote(ctx context.Context, t memoryTree, m memory.Memory, action, reason string, found []privacy.Finding) (api.MemoryWritten, error) {
	if err := d.written(ctx, t.root); err != nil {
		return api.MemoryWritten{}, err
	}
	rows, err := d.db.Memories(ctx, store.MemoryFilter{Root: t.root.ID, Name: indexFile(t.gate, t.Root(), m).Name.String(), AnyState: true})
	if err != nil || len(rows) != 1 {
		return api.MemoryWritten{}, firstError(err, store.ErrNotFound)
	}
	err = d.db.RecordFindings(ctx, rows[0].ID, t.root.Project, found)
	return api.MemoryWritten{Memory: d.wholeMemory(rows[0]), Action: action, Reason: reason, Findings: len(found)}, err
}

// fileOfRow reads the file of a memory that the index knows.
func (d *Daemon) fileOfRow(ctx context.Context, row store.MemoryRow) (memoryTree, memory.Memory, error) {
	t, err := d.findTree(ctx, row.Root)
	if err != nil {
		return t, memory.Memory{}, err
	}
	m, err := t.Get(row.Name)
	return t, m, err
}

// changeMemory answers the requests that change one memory in a way that needs no words.
func (d *Daemon) changeMemory(action string, change func(memoryTree, memory.Memory, memory.Stamp) (memory.Memory, error)) echo.HandlerFunc {
	return func(c echo.Context) error {
		var none struct{}
		if err := d.exactly(c, &none); err != nil {
			return err
		}
		row, err := d.namedMemory(c)
		if err != nil {
			return err
		}
		t, m, err := d.fileOfRow(c.Request().Context(), row)
		was := m
		if err == nil {
			m, err = change(t, m, d.stamp(privacy.Const("cli")))
		}
		if err != nil {
			return memoryError(err)
		}
		reason := ""
		if m.Path == was.Path && m.Pinned == was.Pinned {
			reason = "already"
		}
		out, err := d.wrote(c.Request().Context(), t, m, action, reason, nil)
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, out)
	}
}

// memoryChanges are those requests.
func (d *Daemon) memoryChanges() map[string]echo.HandlerFunc {
	type change = func(memoryTree, memory.Memory, memory.Stamp) (memory.Memory, error)
	out := map[string]echo.HandlerFunc{}
	for action, f := range map[string]change{
		"archive": func(t memoryTree, m memory.Memory, by memory.Stamp) (memory.Memory, error) { return t.Archive(m, by) },
		"restore": func(t memoryTree, m memory.Memory, by memory.Stamp) (memory.Memory, error) { return t.Restore(m, by) },
		"pin":     func(t memoryTree, m memory.Memory, by memory.Stamp) (memory.Memory, error) { return t.Pin(m, true, by) },
		"unpin": func(t memoryTree, m memory.Memory, by memory.Stamp) (memory.Memory, error) {
			return t.Pin(m, false, by)
		},
	} {
		out[action] = d.changeMemory(action, f)
	}
	return out
}

func (d *Daemon) postMemoryEdit(c echo.Context) error {
	var in api.MemoryEdit
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	row, err := d.namedMemory(c)
	if err != nil {
		return err
	}
	t, m, err := d.fileOfRow(c.Request().Context(), row)
	if err != nil {
		return memoryError(err)
	}
	if !in.Updated.IsZero() && !in.Updated.Equal(m.Updated) {
		return memoryError(memory.ErrChanged)
	}
	e, found, err := t.edit(m, in)
	if err == nil {
		err = d.withoutForgotten(c.Request().Context(), e.Title, e.Body)
	}
	if err != nil {
		return err
	}
	if m, err = t.Edit(m, e, d.stamp(privacy.Const("cli"))); err != nil {
		return memoryError(err)
	}
	out, err := d.wrote(c.Request().Context(), t, m, "edit", "", found)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

// edit passes a change by hand through the gate.
func (t memoryTree) edit(m memory.Memory, in api.MemoryEdit) (memory.Edit, []privacy.Finding, error) {
	var e memory.Edit
	fields := map[string]string{}
	for name, value := range map[string]*string{"title": in.Title, "body": in.Body} {
		if value != nil {
			fields[name] = strings.TrimSpace(*value)
		}
	}
	if in.Tags != nil {
		list(fields, "tag", *in.Tags)
	}
	c := t.gate.Event(privacy.Raw{Fields: fields})
	take := func(name string, given bool) *privacy.Clean {
		v := c.Fields[name]
		if !given {
			return nil
		}
		return &v
	}
	e.Title, e.Body, e.Confidence = take("title", in.Title != nil), take("body", in.Body != nil), in.Confidence
	if in.Tags != nil {
		tags := []privacy.Clean{}
		for i := range *in.Tags {
			tags = append(tags, c.Fields[item("tag", i)])
		}
		e.Tags = &tags
	}
	if in.Kind != nil {
		if err := checkKind(string(m.Primitive), *in.Kind); err != nil {
			return e, nil, err
		}
		kind := memory.Kind(*in.Kind)
		e.Kind = &kind
	}
	if in.Confidence != nil && (*in.Confidence < 0 || *in.Confidence > 1) {
		return e, nil, failure(api.Invalid, "confidence must be 0..1", "docs/api.md")
	}
	return e, c.Findings, nil
}
