package memory

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepmum/atomicfile"
)

// Backup is a tree that is copied, and how it is found again.
type Backup struct {
	Tree *Tree
	Name string // of the directory in the copy, with slashes
	Dir  string // where it lies: below the data directory, or absolute
}

// copied is the list at the front of a copy.
type copied struct {
	Trees map[string]string `json:"trees"` // name → dir
	Files map[string]string `json:"files"` // name/path → SHA-256
}

const listName = "files.json"

// WriteBackup writes the files of some trees to a file of their own, as the gate
// lets them: a key that somebody pasted into a file is not copied. The copy is read
// back before it has its name. It returns how many files it holds; with none there
// is no copy.
func WriteBackup(file string, trees []Backup, now time.Time) (int, error) {
	list, contents := copied{Trees: map[string]string{}, Files: map[string]string{}}, map[string][]byte{}
	for _, b := range trees {
		if _, err := os.Stat(b.Tree.root); errors.Is(err, fs.ErrNotExist) {
			continue // nothing was ever remembered there
		}
		list.Trees[b.Name] = b.Dir
		if err := b.Tree.locked(func() error { return b.collect(&list, contents) }); err != nil {
			return 0, fmt.Errorf("copy the memories in %s: %w", b.Tree.root, err)
		}
	}
	if len(contents) == 0 {
		return 0, nil
	}
	data, err := packed(list, contents, now)
	if err != nil {
		return 0, fmt.Errorf("copy the memories: %w", err)
	}
	part := file + ".part"
	if err := atomicfile.Write(part, data, 0o600); err != nil {
		return 0, err
	}
	n, err := VerifyBackup(part)
	if err != nil {
		return 0, errors.Join(fmt.Errorf("the copy is not good: %w", err), os.Remove(part))
	}
	return n, os.Rename(part, file)
}

// collect takes in the files of one tree.
func (b Backup) collect(list *copied, contents map[string][]byte) error {
	files, err := b.Tree.markdown()
	if err != nil {
		return err
	}
	for _, rel := range files {
		data, err := b.Tree.readUpTo(rel, maxText)
		if err != nil {
			continue // moved away, too large, or a link
		}
		doc, err := parseDocument(data)
		if err != nil {
			doc = &document{body: string(data)}
		}
		clean, found, err := b.Tree.clean(doc)
		if err != nil {
			return err
		}
		if len(found) == 0 { // as a person wrote it, to the byte
			clean = data
		}
		name := path.Join(b.Name, rel)
		list.Files[name], contents[name] = hashOf(clean), clean
	}
	return nil
}

// packed is a copy: the list, and the files in the order of their names.
func packed(list copied, contents map[string][]byte, now time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	add := func(name string, data []byte) error {
		return errors.Join(w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(data)), ModTime: now}), second(w.Write(data)))
	}
	head, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := add(listName, head); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(contents)) {
		if err := add(name, contents[name]); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), w.Close()
}

func second(_ int, err error) error { return err }

// VerifyBackup reads a copy to its end and counts its files.
func VerifyBackup(file string) (int, error) {
	_, contents, err := unpacked(file)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	return len(contents), nil
}

// unpacked reads a copy. What is not as its list says is an error.
func unpacked(file string) (list copied, contents map[string][]byte, err error) {
	f, err := os.Open(file)
	if err != nil {
		return list, nil, err
	}
	defer func() { _ = f.Close() }()
	contents = map[string][]byte{}
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) && len(list.Files) == len(contents) && len(contents) > 0 {
			return list, contents, nil
		}
		var data []byte
		if err == nil {
			data, err = io.ReadAll(r)
		}
		switch {
		case err != nil:
			return list, nil, fmt.Errorf("it is damaged: %w", err)
		case h.Name == listName:
			err = json.Unmarshal(data, &list)
		case list.Files[h.Name] != hashOf(data):
			err = fmt.Errorf("%s is not what was copied", h.Name)
		default:
			contents[h.Name] = data
		}
		if err != nil {
			return list, nil, err
		}
	}
}

// Restored is what came of a restore.
type Restored struct {
	Files int      `json:"files"`               // put back
	Aside []string `json:"set_aside,omitempty"` // directories in whose place a tree was put, under their new names
	Left  []string `json:"left,omitempty"`      // files of repositories that say something else now: they stay
}

// RestoreBackup puts the trees of a copy back. What lies in the data directory is
// replaced, and kept under another name. In a repository, which may have gone on, a
// file is put back only where there is none.
func RestoreBackup(file, home string) (out Restored, err error) {
	list, contents, err := unpacked(file)
	if err != nil {
		return out, fmt.Errorf("restore the memories: %s: %w", file, err)
	}
	for _, name := range slices.Sorted(maps.Keys(list.Trees)) {
		dir := list.Trees[name]
		if !filepath.IsAbs(dir) {
			if !filepath.IsLocal(filepath.FromSlash(dir)) {
				return out, fmt.Errorf("restore the memories: %w", ErrOutside)
			}
			dir = filepath.Join(home, filepath.FromSlash(dir))
			if err := out.makeRoom(dir); err != nil {
				return out, fmt.Errorf("restore the memories: %w", err)
			}
		} else if why := reachable(dir); why != "" {
			out.Left = append(out.Left, dir+" ("+why+")")
			continue
		}
		if err := out.restore(&Tree{root: dir}, name+"/", contents); err != nil {
			return out, fmt.Errorf("restore the memories in %s: %w", dir, err)
		}
	}
	return out, nil
}

// reachable says why the tree of a repository cannot be written, "" when it can: the
// repository is gone, or leads elsewhere by a link.
func reachable(dir string) string {
	inner := filepath.Join(filepath.Base(filepath.Dir(dir)), filepath.Base(dir))
	root, err := os.OpenRoot(filepath.Dir(filepath.Dir(dir)))
	if err != nil {
		return "the repository is not there"
	}
	defer func() { _ = root.Close() }()
	if noLinks(root, inner) != nil {
		return "it is a link"
	}
	return ""
}

// makeRoom moves a directory aside.
func (r *Restored) makeRoom(dir string) error {
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	aside := dir + ".replaced"
	for n := 1; ; n++ {
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			break
		}
		aside = fmt.Sprintf("%s.replaced%d", dir, n)
	}
	r.Aside = append(r.Aside, aside)
	return os.Rename(dir, aside)
}

func (r *Restored) restore(t *Tree, prefix string, contents map[string][]byte) error {
	return t.locked(func() error {
		for _, name := range slices.Sorted(maps.Keys(contents)) {
			rel, ok := strings.CutPrefix(name, prefix)
			if !ok {
				continue
			}
			file, err := t.place(rel)
			if err != nil {
				return err
			}
			made, err := atomicfile.Create(file, contents[name], 0o600)
			if err != nil {
				return err
			}
			if made {
				r.Files++
			} else if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, contents[name]) {
				r.Left = append(r.Left, file)
			}
		}
		return nil
	})
}
