package daemon

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"keepmum/api"
	"keepmum/budget"
	"keepmum/capture"
	"keepmum/hooks"
	"keepmum/recall"
	"keepmum/store"
)

// Limits for the files that agents read or change.
const (
	// delay before their contents are recorded, so that a burst of events causes one write
	filesDelay      = 300 * time.Millisecond
	maxFilesWaiting = 500 // documents that can wait; a larger burst is not recorded
	maxFilesTold    = 6   // files of a session that are shown, the latest ones
	// how long a session start waits for the state of its files: a sixth of its budget
	filesPatience = 40 * time.Millisecond
)

// sawFiles are the files of one document.
type sawFiles struct {
	doc   int64
	root  string
	files []string
}

// filesSeen holds the documents whose files have not been recorded yet.
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
	if len(d.files.list) < maxFilesWaiting {
		d.files.list = append(d.files.list, saw)
	}
	select {
	case d.files.wake <- struct{}{}:
	default:
	}
}

// touchesFile reports whether a tool read or changed files of a repository.
func touchesFile(e capture.Event) bool {
	return e.Kind == hooks.Observation && !e.Failed && !e.Project.Root.IsZero() && recall.NamesFile(e.Tool.String())
}

// markFilesOn records the contents of files, soon after an agent read or changed them.
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
		case <-time.After(filesDelay):
		}
		if err := d.markFiles(ctx); err != nil {
			d.log.Debug("files could not be recorded", "error", err)
		}
	}
}

// markFiles records the contents of the files that were read or changed so far.
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

// below returns a file's path relative to the top of a repository, with slashes.
func below(root, file string) string {
	if filepath.IsAbs(file) {
		if rel, err := filepath.Rel(root, file); err == nil {
			file = rel
		}
	}
	return filepath.ToSlash(filepath.Clean(file))
}

// filesOf returns the files that a session was the last to read or change, and whether they have changed since.
func (d *Daemon) filesOf(ctx context.Context, row store.SessionRow, done int64) ([]api.FileRef, error) {
	if err := d.markFiles(ctx); err != nil {
		return nil, err
	}
	rows, err := d.db.SessionFiles(ctx, row.ID, maxFilesTold)
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

// filesInTime does the same for a session start, which cannot wait long.
func (d *Daemon) filesInTime(ctx context.Context, row store.SessionRow, done int64) []recall.File {
	answer := make(chan []recall.File, 1)
	go func() {
		files, err := d.filesOf(ctx, row, done)
		if err != nil {
			files = nil
		}
		answer <- toldFiles(files)
	}()
	select {
	case out := <-answer:
		return out
	case <-time.After(budget.Of(filesPatience)):
	case <-ctx.Done():
	}
	return nil
}

// toldFiles returns files in the form in which an agent is told about them.
func toldFiles(files []api.FileRef) (out []recall.File) {
	for _, is := range []string{"unchanged", "changed", "gone"} {
		for _, f := range files {
			if f.Is == is {
				out = append(out, recall.File{Number: f.Number, Path: f.Path, Is: is})
			}
		}
	}
	return out
}

// fileGroups groups files by state: "unchanged F1 a.go, F3 b.go".
func fileGroups(files []api.FileRef) (out []string) {
	last := ""
	for _, f := range toldFiles(files) {
		name := f.Number + " " + f.Path
		if f.Is == last {
			out[len(out)-1] += ", " + name
		} else {
			out = append(out, f.Is+" "+name)
		}
		last = f.Is
	}
	return out
}

// replacedOf returns the memories that a session taught and that were replaced since.
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
