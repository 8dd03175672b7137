package daemon

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"keepmum/api"
	"keepmum/budget"
	"keepmum/capture"
	"keepmum/hooks"
	"keepmum/recall"
	"keepmum/store"
)

// What is kept and told of the files that agents read or changed.
const (
	filesSoon = 300 * time.Millisecond // until it is noted what is in a file: one write for a burst of events
	filesMost = 500                    // that wait; a burst of more is not noted
	filesTold = 6                      // of a session, the last ones
	filesWait = 40 * time.Millisecond  // a start waits for what became of them: a sixth of its time
)

// sawFiles are the files of one document.
type sawFiles struct {
	doc   int64
	root  string
	files []string
}

// filesSeen are the documents of which it is not noted yet what was in their files.
type filesSeen struct {
	mu   sync.Mutex
	list []sawFiles
	wake chan struct{}
}

func (d *Daemon) sawFiles(out outcome) {
	e := out.event
	if out.status != statusOK || out.reason != "" || !touchesFile(e) {
		return
	}
	saw := sawFiles{doc: out.id, root: e.Project.Root.String()}
	for _, f := range e.Files {
		saw.files = append(saw.files, f.String())
	}
	d.files.mu.Lock()
	defer d.files.mu.Unlock()
	if len(d.files.list) < filesMost {
		d.files.list = append(d.files.list, saw)
	}
	select {
	case d.files.wake <- struct{}{}:
	default:
	}
}

// touchesFile says that a tool read or changed files of a repository.
func touchesFile(e capture.Event) bool {
	return e.Kind == hooks.Observation && !e.Failed && !e.Project.Root.IsZero() && recall.NamesFile(e.Tool.String())
}

// markFilesOn notes what is in files, soon after an agent read or changed them.
func (d *Daemon) markFilesOn(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.files.wake:
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(filesSoon):
		}
		if err := d.markFiles(ctx); err != nil {
			d.log.Debug("files are not noted", "error", err)
		}
	}
}

// markFiles notes what is in the files that were read or changed until now.
func (d *Daemon) markFiles(ctx context.Context) error {
	d.files.mu.Lock()
	defer d.files.mu.Unlock()
	var list []store.SeenFile
	for _, saw := range d.files.list {
		for i, f := range saw.files {
			if mark := d.fileMark(saw.root, f); mark != "" {
				list = append(list, store.SeenFile{Doc: saw.doc, Place: i, Path: below(saw.root, f), Mark: mark})
			}
		}
	}
	d.files.list = nil
	if len(list) == 0 {
		return nil
	}
	return d.db.SawFiles(ctx, list)
}

// below is a path below the top of a repository, with slashes.
func below(root, file string) string {
	if filepath.IsAbs(file) {
		if rel, err := filepath.Rel(root, file); err == nil {
			file = rel
		}
	}
	return filepath.ToSlash(filepath.Clean(file))
}

// filesOf says what became of the files that a session read or changed last, since it was done with others.
func (d *Daemon) filesOf(ctx context.Context, row store.SessionRow, done int64) ([]api.FileRef, error) {
	if err := d.markFiles(ctx); err != nil {
		return nil, err
	}
	rows, err := d.db.SessionFiles(ctx, row.ID, filesTold)
	root := d.intake.Project(row.Dir).Root.String()
	out := []api.FileRef{}
	for i := range rows {
		f := &rows[i]
		if f.Doc <= done {
			continue
		}
		is := "changed"
		switch d.fileMark(root, f.Path) {
		case f.Mark:
			is = "unchanged"
		case "":
			is = "gone"
		}
		out = append(out, api.FileRef{Number: f.Name(), Path: d.shownText(below(root, f.Path)), Is: is})
	}
	slices.Reverse(out)
	return out, err
}

// filesInTime is the same for a start of a session, which does not wait long.
func (d *Daemon) filesInTime(ctx context.Context, row store.SessionRow, done int64) []string {
	answer := make(chan []string, 1)
	go func() {
		files, err := d.filesOf(ctx, row, done)
		if err != nil {
			files = nil
		}
		answer <- fileGroups(files)
	}()
	select {
	case out := <-answer:
		return out
	case <-time.After(budget.Of(filesWait)):
	case <-ctx.Done():
	}
	return nil
}

// fileGroups are the files by what became of them: "unchanged F1 a.go, F3 b.go".
func fileGroups(files []api.FileRef) (out []string) {
	for _, is := range []string{"unchanged", "changed", "gone"} {
		var names []string
		for _, f := range files {
			if f.Is == is {
				names = append(names, f.Number+" "+f.Path)
			}
		}
		if len(names) > 0 {
			out = append(out, is+" "+strings.Join(names, ", "))
		}
	}
	return out
}

// replacedOf are the memories that a session taught and that another statement replaced since.
func (d *Daemon) replacedOf(ctx context.Context, row store.SessionRow) ([]api.Replaced, error) {
	rows, err := d.db.MemoriesOf(ctx, []string{row.Agent + "/" + row.Native})
	out := []api.Replaced{}
	for i := range rows {
		m := &rows[i]
		if m.SupersededBy == "" {
			continue
		}
		r := api.Replaced{Entry: m.ID, Title: d.shownText(m.Title)}
		by, err := d.db.Memories(ctx, store.MemoryFilter{Root: m.Root, Name: m.SupersededBy, AnyState: true})
		if err != nil {
			return out, err
		}
		if len(by) > 0 {
			r.By, r.ByTitle = by[0].ID, d.shownText(by[0].Title)
		}
		out = append(out, r)
	}
	return out, err
}
