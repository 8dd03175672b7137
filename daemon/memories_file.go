package daemon

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"keepmum/api"
	"keepmum/leanctx"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/safefile"
	"keepmum/sorting"
	"keepmum/store"
)

// maxImportFile limits the size of a file to import; a knowledge base of 200 facts has one percent of it.
const maxImportFile = 16 << 20

// importFile imports a file: the output of export --json or export --output FILE.tar, or a file of lean-ctx.
func (d *Daemon) importFile(ctx context.Context, in api.MemoryImport, out *api.MemoryImported) error {
	info, err := os.Stat(in.From)
	if err == nil && info.Size() > maxImportFile {
		return failure(api.Invalid, fmt.Sprintf("the file is larger than %d MB", maxImportFile>>20),
			"split it into several files, or import a directory")
	}
	data, err := safefile.Read(in.From, maxImportFile)
	if err != nil {
		return failure(api.Invalid, "the file cannot be read", "mum memory import --help")
	}
	if isTar(data) {
		found, err := readTar(data)
		if err != nil {
			return failure(api.Invalid, "nothing was imported: "+err.Error(), "mum memory import --help")
		}
		return d.importExport(ctx, in, found, out)
	}
	var own api.MemoryExport
	if json.Unmarshal(data, &own) == nil && own.Files != nil {
		return d.importExport(ctx, in, own, out)
	}
	found, err := leanctx.Read(data)
	if err != nil {
		return failure(api.Invalid, "nothing was imported: "+strings.ReplaceAll(err.Error(), "\n", ": "),
			"mum memory import --help")
	}
	if err := d.sameProject(ctx, in, found); err != nil {
		return err
	}
	out.Automatic, out.Empty = out.Automatic+found.Automatic, out.Empty+found.Empty
	if found.Session != nil {
		return d.importSession(ctx, in, found, out)
	}
	return d.importLeanctx(ctx, in, found.Memories, out)
}

// importExport imports the output of export --json, each part into its own tree.
func (d *Daemon) importExport(ctx context.Context, in api.MemoryImport, own api.MemoryExport,
	out *api.MemoryImported) error {
	parts := map[string][]memory.Text{}
	for _, f := range own.Files {
		name := f.Project
		if in.Global {
			name = ""
		}
		parts[name] = append(parts[name], memory.Text{Path: f.Path, Text: f.Text})
	}
	var names []string
	for name := range parts {
		if name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if len(names) > 1 {
		return failure(api.Invalid, "it contains the memories of several projects ("+strings.Join(names, ", ")+
			"): export one at a time", "mum memory export --project "+names[0]+" --json")
	}
	for _, name := range append(names, "") {
		if len(parts[name]) == 0 {
			continue
		}
		part := in
		part.Global = name == ""
		t, err := d.treeToImport(ctx, part)
		if err != nil {
			return err
		}
		done, err := t.ImportTexts(parts[name], d.stamp(privacy.Const("import")))
		if err := d.imported(ctx, t, in.From, done, err, out); err != nil {
			return err
		}
	}
	return nil
}

// importLeanctx imports facts. If there are more than the limit of active memories allows, the most trusted ones become
// active.
func (d *Daemon) importLeanctx(ctx context.Context, in api.MemoryImport, list []memory.Memory,
	out *api.MemoryImported) error {
	t, err := d.treeToImport(ctx, in)
	if err != nil {
		return err
	}
	l, err := t.Load()
	if err != nil {
		return memoryError(err)
	}
	sorting.Stable(list, func(a, b memory.Memory) int { return cmp.Compare(b.Confidence, a.Confidence) })
	known := map[string]bool{}
	for _, m := range l.Memories() {
		known[strings.ToLower(m.Title)] = true
	}
	room := d.o.Config.Memory.MaxActive - len(l.Active)
	list = slices.DeleteFunc(list, func(m memory.Memory) bool {
		if m.Archived || d.o.Config.Memory.MaxActive <= 0 || known[strings.ToLower(m.Title)] {
			return false
		}
		room--
		if room < 0 {
			out.Over++
		}
		return room < 0
	})
	sorting.Stable(list, func(a, b memory.Memory) int { return a.ValidFrom.Compare(b.ValidFrom) })
	done, err := t.ImportMemories(list, d.stamp(privacy.Const("import")))
	return d.imported(ctx, t, in.From, done, err, out)
}

// sameProject rejects a file that names another project than the one it would be imported into, unless the user named
// the project.
func (d *Daemon) sameProject(ctx context.Context, in api.MemoryImport, found leanctx.Contents) error {
	if in.Project != "" || in.Global {
		return nil
	}
	root := found.Root
	if root == "" && found.Hash != "" { // gotchas.json names no directory, but the knowledge base next to it does
		root = rootBeside(in.From, found.Hash)
	}
	if root == "" {
		if found.Hash == "" {
			return nil // a list of facts belongs to no project
		}
		return failure(api.Invalid, "it does not say which project it belongs to", "mum memory import FILE --project NAME")
	}
	here, err := d.projectIn(ctx, in.Directory)
	if err != nil {
		return err
	}
	there, err := d.projectIn(ctx, root)
	if err != nil {
		return err
	}
	inside, err := filepath.Rel(root, in.Directory)
	if here != 0 && here == there || err == nil && filepath.IsLocal(inside) {
		return nil
	}
	shown, _ := d.intake.Gate().Text(root)
	return failure(api.Invalid, "it belongs to another project: "+shown.String(),
		"run the import there, or add --project NAME to import it here")
}

// rootBeside returns the project directory that a knowledge base next to a file names.
func rootBeside(file, hash string) string {
	data, err := safefile.ReadBelow(filepath.Dir(file), "knowledge.json", maxImportFile)
	if err != nil {
		return ""
	}
	beside, err := leanctx.Read(data)
	if err != nil || beside.Hash != hash {
		return ""
	}
	return beside.Root
}

// importSession imports the notes of a session as a separate session.
func (d *Daemon) importSession(ctx context.Context, in api.MemoryImport, found leanctx.Contents,
	out *api.MemoryImported) error {
	dir := in.Directory
	if in.Project != "" {
		id, err := d.db.ProjectNamed(ctx, in.Project)
		if err != nil {
			return err
		}
		tops, err := d.tops(ctx)
		if err != nil {
			return err
		}
		if len(tops[id]) == 0 {
			return failure(api.Conflict, "that project has no directory on this machine", "mum project list")
		}
		dir = tops[id][0]
	}
	s := found.Session
	im := importer{d: d, out: api.Imported{Findings: map[string]int{}}, turns: map[string]int64{}}
	for _, n := range s.Notes {
		text := n.Text
		r := store.Record{Kind: store.KindNote, Agent: leanctx.Agent, Session: s.ID, At: n.At, Role: n.Type, Title: n.Type,
			Text: &text, Meta: &store.SessionMeta{Dir: dir, Started: s.Started}}
		if n.File != "" {
			r.Files = []string{n.File}
		}
		if n.Progress != nil {
			r.Input = json.RawMessage(fmt.Sprintf(`{"progress":%d}`, min(max(*n.Progress, 0), 100)))
		}
		rec, findings, private, err := im.clean(r)
		if err != nil || private {
			im.out.Skipped++
			continue
		}
		rec.Session.Project = projectRef(d.intake.Project(dir))
		if err := im.keep(ctx, r, rec, findings); err != nil {
			return err
		}
	}
	out.Notes, out.Same = out.Notes+im.out.Documents, out.Same+im.out.Duplicates
	return nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// treeToImport returns the tree for an import.
func (d *Daemon) treeToImport(ctx context.Context, in api.MemoryImport) (memoryTree, error) {
	t, err := d.treeFor(ctx, in.Project, in.Directory, in.Global)
	if err != nil {
		return t, memoryError(err)
	}
	if t.root.Project == store.NoProjectRow && !in.Global {
		return t, failure(api.Invalid, "this directory belongs to no project: the memories would apply to all",
			"mum memory import DIR --project NAME, or --global if that is meant")
	}
	return t, nil
}

// imported updates what is derived from a tree, and counts the results of an import.
func (d *Daemon) imported(ctx context.Context, t memoryTree, from string, done memory.Imported, err error,
	out *api.MemoryImported) error {
	// what was written before an error is indexed, too
	indexed, noted := d.written(ctx, t.root), d.db.RecordFindings(ctx, 0, t.root.Project, done.Findings)
	if err := firstError(memoryError(err), indexed, noted); err != nil {
		return err
	}
	added, err := d.rowsOf(ctx, t, done.Added)
	if err != nil {
		return err
	}
	for _, m := range added {
		d.shown.note(m.Entry) // the import counts as use, so old memories do not start with low confidence
	}
	out.Added, out.Same = append(out.Added, added...), out.Same+len(done.Same)
	out.Summaries += len(done.Summaries)
	out.Refused = append(out.Refused, broken(from, done.Refused)...)
	return nil
}
