package transcript

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"keepmum/safefile"
	"keepmum/sorting"
)

// readOpenCodeFiles reads the layout used before the database: one file per session, message and part, below storage/.
func readOpenCodeFiles(ctx context.Context, src Source, from Offset, s *sink) (Offset, error) {
	var about struct {
		ID        string `json:"id"`
		ParentID  string `json:"parentID"`
		Directory string `json:"directory"`
		Title     string `json:"title"`
		Version   string `json:"version"`
	}
	raw, err := readFile(src.Path)
	if err != nil {
		return from, err
	}
	if !decode(raw, &about) {
		return from, fmt.Errorf("read %s: %w", src.Path, ErrCorrupt)
	}
	set(&s.Parent, about.ParentID)
	set(&s.Dir, about.Directory)
	s.Title, s.Version = about.Title, about.Version
	storage := filepath.Dir(filepath.Dir(filepath.Dir(src.Path)))
	list, err := openCodeFileList(ctx, filepath.Join(storage, "message", src.ID), s)
	if err != nil {
		return from, err
	}
	return openCodeMessages(ctx, s, list, from, func(id string, do func(openCodePart) error) error {
		return openCodeFileParts(ctx, filepath.Join(storage, "part", id), s, do)
	})
}

func openCodeFileList(ctx context.Context, dir string, s *sink) (list []openCodeMessage, err error) {
	err = eachJSON(ctx, dir, func(id string, raw []byte) error {
		var m openCodeMessage
		ok := decode(raw, &m)
		s.count(len(raw), ok)
		if !ok {
			return nil
		}
		m.ID, m.Summary = id, m.Summary == true
		if t := moment(m.Time.Created); !t.IsZero() {
			m.Created = t.UnixMilli()
		}
		list = append(list, m)
		return nil
	})
	sorting.Stable(list, func(a, b openCodeMessage) int {
		return cmp.Or(cmp.Compare(a.Created, b.Created), cmp.Compare(a.ID, b.ID))
	})
	return list, err
}

func openCodeFileParts(ctx context.Context, dir string, s *sink, do func(openCodePart) error) error {
	return eachJSON(ctx, dir, func(id string, raw []byte) error {
		var p openCodePart
		ok := decode(raw, &p)
		s.count(len(raw), ok)
		if !ok {
			return nil
		}
		p.ID = id
		return do(p)
	})
}

// eachJSON reads the .json files of a directory in the order of their names, which is the order in which OpenCode
// created them. If there is no directory, there are no files.
func eachJSON(ctx context.Context, dir string, do func(name string, raw []byte) error) error {
	list, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, f := range list {
		name, ok := strings.CutSuffix(f.Name(), ".json")
		if !ok {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		raw, err := readFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return err
		}
		if err := do(name, raw); err != nil {
			return err
		}
	}
	return nil
}

// readFile reads a small file. Of one that is too long, it reads only enough to see that it is broken.
func readFile(path string) ([]byte, error) {
	f, err := safefile.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	if info, err := f.Stat(); err == nil {
		b.Grow(int(min(max(info.Size(), 0), maxValue)) + bytes.MinRead)
	}
	_, err = b.ReadFrom(io.LimitReader(f, maxValue))
	return b.Bytes(), err
}
