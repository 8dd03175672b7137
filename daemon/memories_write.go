package daemon

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/store"
)

// memoryError converts an error of the memory files to one for the user.
func memoryError(err error) error {
	switch {
	case errors.Is(err, memory.ErrNotFound):
		return failure(api.NotFound, "there is no such memory", "mum memory list")
	case errors.Is(err, memory.ErrChanged):
		return failure(api.Conflict, "the file has changed meanwhile: nothing was written", "mum memory show, then try again")
	case errors.Is(err, memory.ErrInvalid), errors.Is(err, memory.ErrOutside):
		return failure(api.Invalid, err.Error(), "mum memory add --help")
	case errors.Is(err, errNoTree):
		return failure(api.Conflict, err.Error(), "mum project list")
	}
	return err
}

// treeFor returns the tree for a memory.
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

// projectToWrite returns the project of a directory, and creates it for a repository that is seen for the first time. A
// directory outside a repository is no project.
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

// withoutForgotten removes texts that the user had removed everywhere, because an agent may still know them.
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

// wrote reads the changed tree again and returns its current state.
func (d *Daemon) wrote(ctx context.Context, t memoryTree, m memory.Memory, action, reason string,
	found []privacy.Finding) (api.MemoryWritten, error) {
	if err := d.written(ctx, t.root); err != nil {
		return api.MemoryWritten{}, err
	}
	rows, err := d.db.Memories(ctx,
		store.MemoryFilter{Root: t.root.ID, Name: indexFile(t, m).Name.String(), AnyState: true})
	if err != nil || len(rows) != 1 {
		return api.MemoryWritten{}, firstError(err, store.ErrNotFound)
	}
	err = d.db.RecordFindings(ctx, rows[0].ID, t.root.Project, found)
	return api.MemoryWritten{Memory: d.wholeMemory(rows[0]), Action: action, Reason: reason, Findings: len(found)}, err
}

// fileOfRow reads the file of an indexed memory.
func (d *Daemon) fileOfRow(ctx context.Context, row store.MemoryRow) (memoryTree, memory.Memory, error) {
	if row.RootKind == store.RootTeam {
		return memoryTree{}, memory.Memory{}, failure(api.Conflict,
			fmt.Sprintf("it has no file here, because %s shared it: only its author can change it", d.loggableText(row.Origin)),
			fmt.Sprintf("mum memory forget %d, which removes it from this machine", row.ID))
	}
	t, err := d.findTree(ctx, row.Root)
	if err != nil {
		return t, memory.Memory{}, err
	}
	m, err := t.Get(row.Name)
	var broken memory.Broken
	if errors.As(err, &broken) {
		err = failure(api.Conflict, fmt.Sprintf("a file in %s cannot be read: %v", d.loggableText(d.rootDir(t.root)), broken),
			"correct it in an editor, then try again")
	}
	return t, m, err
}

// changeMemory returns the handler of a request that changes one memory and carries no text.
func (d *Daemon) changeMemory(action string,
	change func(memoryTree, memory.Memory, memory.Stamp) (memory.Memory, error)) echo.HandlerFunc {
	return func(c echo.Context) error {
		var none struct{}
		if err := d.exactly(c, &none); err != nil {
			return err
		}
		row, err := d.namedMemory(c)
		if err != nil {
			return err
		}
		ctx := c.Request().Context()
		t, m, err := d.fileOfRow(ctx, row)
		if err != nil {
			return memoryError(err)
		}
		was := m
		active, err := d.db.Memories(ctx, store.MemoryFilter{Root: row.Root})
		if err == nil {
			m, err = change(t, m, d.stamp(privacy.Const("cli")))
		}
		if err == nil && action == "pin" {
			err = d.claim(t.root, m.ID)
		}
		if err != nil {
			return memoryError(err)
		}
		reason := ""
		if m.Path == was.Path && m.Pinned == was.Pinned && m.On() == was.On() {
			reason = "already"
		}
		out, err := d.wrote(ctx, t, m, action, reason, nil)
		if err == nil {
			err = d.tellReplaced(ctx, t, active, &out)
		}
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, out)
	}
}

// tellReplaced adds to the answer which of the memories that were active gave its place to the one that changed: a key
// has one valid answer.
func (d *Daemon) tellReplaced(ctx context.Context, t memoryTree, active []store.MemoryRow,
	out *api.MemoryWritten) error {
	now, err := d.db.Memories(ctx, store.MemoryFilter{Root: t.root.ID})
	if err != nil {
		return err
	}
	for _, was := range active {
		still := slices.ContainsFunc(now, func(r store.MemoryRow) bool { return r.ID == was.ID })
		if still || was.ID == out.Memory.Entry {
			continue
		}
		out.Replaced = was.Name
		out.Dependents, err = d.dependentsOf(ctx, t, was.Name)
	}
	return err
}

// memoryChanges returns these handlers by action.
func (d *Daemon) memoryChanges() map[string]echo.HandlerFunc {
	type change = func(memoryTree, memory.Memory, memory.Stamp) (memory.Memory, error)
	out := map[string]echo.HandlerFunc{}
	for action, f := range map[string]change{
		"archive": func(t memoryTree, m memory.Memory, by memory.Stamp) (memory.Memory, error) { return t.Archive(m, by) },
		"restore": d.restoreMemory,
		"promote": promote,
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
	if err := emptied(in, m); err != nil {
		return err
	}
	e, found, err := t.edit(m, in)
	if err == nil {
		err = d.withoutForgotten(c.Request().Context(), e.Title, e.Body)
	}
	if err != nil {
		return err
	}
	if m, err = t.Edit(m, e, d.stamp(privacy.Const("cli"))); err == nil {
		err = d.claim(t.root, m.ID)
	}
	if err != nil {
		return memoryError(err)
	}
	out, err := d.wrote(c.Request().Context(), t, m, "edit", "", found)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

// checkTitle refuses a new title that no new memory could have, unless the old one was like that, too.
func checkTitle(title, old string) error {
	was := utf8.RuneCountInString(strings.TrimSpace(old))
	switch n := utf8.RuneCountInString(strings.TrimSpace(title)); {
	case n == 0:
		return failure(api.Invalid, "title is empty", "mum memory archive or forget, if it is no longer true")
	case n < memory.MinTitle && was >= memory.MinTitle:
		return failure(api.Invalid, refusal(memory.ShortTitle), "the title is the statement: say it in a sentence")
	case was > memory.MaxTitle:
		return nil
	}
	return checkLength(title)
}

// emptied refuses an edit that takes away what a memory says.
func emptied(in api.MemoryEdit, m memory.Memory) error {
	if in.Title != nil && *in.Title != m.Title {
		if err := checkTitle(*in.Title, m.Title); err != nil {
			return err
		}
	}
	none := func(s *string) bool { return s != nil && strings.TrimSpace(*s) == "" }
	if none(in.Body) && strings.TrimSpace(m.Body) != "" && m.Kind != memory.Fact {
		return failure(api.Invalid, "body is empty; only a fact needs none",
			"mum memory archive or forget, if it is no longer true")
	}
	return nil
}

// edit passes a manual change through the gate.
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
	if in.Key != nil {
		key, err := memory.ParseKey("", *in.Key)
		if err != nil {
			return e, nil, failure(api.Invalid, err.Error(), "mum memory edit --help")
		}
		clean, found := t.gate.Text(key)
		if key = clean.String(); len(found) > 0 {
			return e, nil, failure(api.Invalid, "the key contains a secret", "mum memory edit --help")
		}
		e.Key = &key
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
