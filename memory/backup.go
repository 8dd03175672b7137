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
	"unicode/utf8"

	"keepmum/atomicfile"
	"keepmum/safefile"
)

// Backup is a tree to be copied, and where to find it again.
type Backup struct {
	Tree *Tree
	Name string // of the directory in the copy, with slashes
	Dir  string // where it is: relative to the data directory, or absolute
}

// copied is the list at the beginning of a copy, as JSON in a file named files.json.
type copied struct {
	Trees map[string]string `json:"trees"` // name → dir
	Files map[string]string `json:"files"` // name/path → SHA-256
}

const listName = "files.json"

// Written says what a copy contains.
type Written struct {
	Files int
	Left  []string // files that are missing or incomplete, and why
}

// WriteBackup writes the files of some trees into one file, as far as the gate passes them: a key that someone pasted
// into a file or used as its name is not copied. It reads the copy back before it renames it into place. Without files,
// it writes no copy.
func WriteBackup(file string, trees []Backup, now time.Time) (out Written, err error) {
	list, contents := copied{Trees: map[string]string{}, Files: map[string]string{}}, map[string][]byte{}
	for _, b := range trees {
		if _, err := os.Stat(b.Tree.root); errors.Is(err, fs.ErrNotExist) {
			continue // nothing was ever remembered there
		}
		list.Trees[b.Name] = b.Dir
		collect := func() error {
			left, err := b.collect(&list, contents)
			out.Left = append(out.Left, left...)
			return err
		}
		if err := b.Tree.locked(collect); err != nil {
			return out, fmt.Errorf("back up the memories in %s: %w", b.Tree.root, err)
		}
	}
	if len(contents) == 0 {
		return out, nil
	}
	data, err := packed(list, contents, now)
	if err != nil {
		return out, fmt.Errorf("back up the memories: %w", err)
	}
	part := file + ".part"
	if err := atomicfile.Write(part, data, 0o600); err != nil {
		return out, err
	}
	if out.Files, err = VerifyBackup(part); err != nil {
		return out, errors.Join(fmt.Errorf("the copy is damaged: %w", err), os.Remove(part))
	}
	return out, os.Rename(part, file)
}

// collect reads the files of one tree. It returns those that it omitted.
func (b Backup) collect(list *copied, contents map[string][]byte) (left []string, err error) {
	files, unread, err := b.Tree.markdown()
	if err != nil {
		return nil, err
	}
	leave := func(rel, why string) {
		left = append(left, filepath.Join(b.Tree.root, filepath.FromSlash(b.Tree.Shown(rel)))+": "+why)
	}
	for _, rel := range unread {
		leave(rel, "it is not copied: it cannot be read")
	}
	for _, rel := range files {
		data, err := b.Tree.readUpTo(rel, maxText)
		if errors.Is(err, ErrChanged) {
			continue // moved meanwhile
		}
		if err != nil {
			leave(rel, "it is not copied: it cannot be read, or is too large")
			continue
		}
		clean, err := b.Tree.copyOf(data)
		if err != nil {
			return left, err
		}
		if gaveUp(data, clean) != nil {
			leave(rel, "a part of it is not copied: the gate cannot judge it, often because a line is too long")
		}
		name := path.Join(b.Name, b.Tree.passing(encodable(rel)))
		list.Files[name], contents[name] = hashOf(clean), clean
	}
	return left, nil
}

// encodable returns a path that JSON can name: a repository may contain names that are no text.
func encodable(rel string) string {
	if utf8.ValidString(rel) {
		return rel
	}
	return strings.ToValidUTF8(strings.TrimSuffix(rel, ".md"), "_") + "-" + hashOf([]byte(rel))[:hashChars] + ".md"
}

// copyOf returns what may be copied of a file: if the gate passes it unchanged, the exact bytes that a person wrote.
func (t *Tree) copyOf(data []byte) ([]byte, error) {
	text, _ := t.cleanText(&document{body: string(data)})
	doc, err := parseDocument(data)
	if err != nil || doc.head == nil {
		return text, nil
	}
	before, err := doc.render()
	if err != nil {
		return text, nil
	}
	clean, _, err := t.clean(doc)
	if err == nil && bytes.Equal(clean, before) && bytes.Equal(text, data) {
		clean = data
	}
	return clean, err
}

// passing returns the path under which a file may be copied: a part that the gate would change gets another name. The
// same part always gets the same name, different parts get different ones.
func (t *Tree) passing(rel string) string {
	parts := strings.Split(rel, "/")
	for i, part := range parts {
		if t.Shown(part) != part {
			parts[i] = t.token("withheld", part)
			if i == len(parts)-1 {
				parts[i] += path.Ext(part)
			}
		}
	}
	return path.Join(parts...)
}

// packed returns the bytes of a copy: the list, then the files in order of name.
func packed(list copied, contents map[string][]byte, now time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	add := func(name string, data []byte) error {
		return errors.Join(w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(data)), ModTime: now}),
			second(w.Write(data)))
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
	err = w.Close() // this writes the end of the archive
	return out.Bytes(), err
}

// second drops the first of two results.
func second(_ int, err error) error { return err }

// VerifyBackup reads a copy to the end and counts its files.
func VerifyBackup(file string) (int, error) {
	_, contents, err := unpacked(file)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	return len(contents), nil
}

// unpacked reads a copy. Any difference from its list is an error.
func unpacked(file string) (list copied, contents map[string][]byte, err error) {
	f, err := safefile.Open(file)
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

// Restored is the result of a restore.
type Restored struct {
	Files int      `json:"files"`               // put back
	Aside []string `json:"set_aside,omitempty"` // directories that a restored tree replaced, under their new names
	Left  []string `json:"left,omitempty"`      // files in repositories that have changed since: they are not restored
}

// RestoreBackup restores the trees of a copy. In the data directory, it replaces what is there and keeps it under
// another name. In a repository, which may have changed since, it restores only missing files.
func RestoreBackup(file, home string) (out Restored, err error) {
	out, moves, err := StageBackup(file, home)
	if err != nil || len(moves) == 0 {
		return out, err
	}
	if moves, err = atomicfile.Together(filepath.Join(home, "memory.restoring"), moves); err != nil {
		return out, fmt.Errorf("restore the memories: %w", err)
	}
	out.Kept(moves)
	return out, nil
}

// Kept records where replaced trees are now.
func (r *Restored) Kept(moves []atomicfile.Move) {
	for _, m := range moves {
		if m.Aside != "" {
			r.Aside = append(r.Aside, m.Aside)
		}
	}
}

// StageBackup unpacks the trees of the data directory next to the existing ones, and returns the renames that put them
// in place. The trees of repositories are restored at once.
func StageBackup(file, home string) (out Restored, moves []atomicfile.Move, err error) {
	list, contents, err := unpacked(file)
	if err != nil {
		return out, nil, fmt.Errorf("restore the memories: %s: %w", file, err)
	}
	for _, name := range slices.Sorted(maps.Keys(list.Trees)) {
		dir := list.Trees[name]
		root := dir
		if !filepath.IsAbs(dir) {
			if !filepath.IsLocal(filepath.FromSlash(dir)) {
				return out, nil, fmt.Errorf("restore the memories: %w", ErrOutside)
			}
			dir = filepath.Join(home, filepath.FromSlash(dir))
			root = dir + ".restored"
			if err := os.RemoveAll(root); err != nil { // left by an interrupted restore
				return out, nil, fmt.Errorf("restore the memories: %w", err)
			}
			moves = append(moves, atomicfile.Move{From: root, To: dir})
		} else if why := reachable(dir); why != "" {
			out.Left = append(out.Left, dir+" ("+why+")")
			continue
		}
		err := out.restore(&Tree{root: root}, name+"/", contents)
		if errors.Is(err, ErrOutside) && filepath.IsAbs(list.Trees[name]) {
			out.Left = append(out.Left, dir+" (a directory in it is a link)")
			continue
		}
		if err != nil {
			return out, nil, fmt.Errorf("restore the memories in %s: %w", dir, err)
		}
	}
	return out, moves, nil
}

// reachable says why the tree of a repository cannot be written: the repository is gone, or a link leads elsewhere. It
// returns "" if it can be written.
func reachable(dir string) string {
	inner := filepath.Join(filepath.Base(filepath.Dir(dir)), filepath.Base(dir))
	root, err := safefile.OpenRoot(filepath.Dir(filepath.Dir(dir)))
	if err != nil {
		return "the repository does not exist"
	}
	defer func() { _ = root.Close() }()
	if noLinks(root, inner) != nil {
		return "it is a link"
	}
	return ""
}

// restore puts the files of a tree back that are missing.
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
			} else if now, err := safefile.Read(file, maxText); err != nil || !bytes.Equal(now, contents[name]) {
				r.Left = append(r.Left, file)
			}
		}
		return nil
	})
}
