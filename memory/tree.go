package memory

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepmum/lazyregexp"
	"keepmum/privacy"
	"keepmum/safefile"
)

// Errors that callers distinguish.
var (
	// ErrChanged means that the file is not the version that the change is based on, because someone edited it
	// meanwhile. Read it again.
	ErrChanged = errors.New("the file was changed meanwhile")
	// ErrNotFound means that no memory has this id.
	ErrNotFound = errors.New("no such memory")
	// ErrAmbiguous means that several ids begin with this text.
	ErrAmbiguous = errors.New("several memory ids begin with that")
	// ErrOutside means that a path leads out of the tree.
	ErrOutside = errors.New("the path leads out of the memory directory")
	// ErrInvalid means that what would be written is not a memory.
	ErrInvalid = errors.New("not a valid memory")
)

// Stamp says when and by whom something is written.
type Stamp struct {
	Now time.Time
	By  privacy.Clean // a run's id, or "cli"
}

// Tree is the directory with the memories of one project. Several processes may write to it at the same time.
type Tree struct {
	root   string
	gate   *privacy.Gate
	claim  func(id string) error
	placed func() (func(m Memory) bool, error)
}

// Claim sets what is called before a new memory is written, with its id. It is not called for a file that is changed or
// moved.
func (t *Tree) Claim(f func(id string) error) { t.claim = f }

// Placed sets a function that returns another one, which reports whether a file had its id before. Of two files with
// one id that one is the memory. The first is called once for all files; if it fails, nothing is read: the other file
// may be someone else's.
func (t *Tree) Placed(f func() (func(m Memory) bool, error)) { t.placed = f }

// Open returns the tree in a directory, which is created with the first write.
func Open(root string, gate *privacy.Gate) (*Tree, error) {
	if gate == nil {
		return nil, errors.New("a memory tree needs a gate")
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("open memories in %s: %w", root, err)
	}
	return &Tree{root: abs, gate: gate}, nil
}

// Root returns the directory.
func (t *Tree) Root() string { return t.root }

// maxFile is a size beyond which a file cannot be one of ours.
const maxFile = 1 << 20

// maxText is a size beyond which a person cannot have written a file: it is not searched for secrets.
const maxText = 16 << 20

// Load reads everything. It lists a file that cannot be read instead of failing. It waits for a writer, because a file
// that is moved while the directories are being read would be found in neither place.
func (t *Tree) Load() (l Listing, err error) {
	unlock := t.readLocked()
	defer unlock()
	return t.loadAll()
}

// load reads some directories.
func (t *Tree) load(dirs ...string) (Listing, error) {
	root, err := safefile.OpenRoot(t.root)
	if errors.Is(err, fs.ErrNotExist) {
		return Listing{}, nil
	}
	if err != nil {
		return Listing{}, fmt.Errorf("read memories: %w", err)
	}
	defer func() { _ = root.Close() }()
	in := loading{tree: t, root: root, ids: map[string]string{}}
	for _, dir := range dirs {
		if err := fs.WalkDir(root.FS(), dir, in.visit); err != nil {
			return Listing{}, fmt.Errorf("read memories in %s: %w", t.root, err)
		}
	}
	return in.list, nil
}

func (t *Tree) loadAll() (Listing, error) {
	return t.load(decisionDir, learningDir, archiveDir, summaryDir)
}

// loadMemories reads everything except the summaries, of which there is one per session.
func (t *Tree) loadMemories() (Listing, error) { return t.load(decisionDir, learningDir, archiveDir) }

// loading is the state of reading a tree.
type loading struct {
	tree *Tree
	root *os.Root
	list Listing
	ids  map[string]string // ids of memories → path
	had  func(m Memory) bool
}

func (in *loading) visit(rel string, d fs.DirEntry, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil // never created, or moved meanwhile
	}
	if err != nil {
		in.broken(rel, errUnread)
		in.list.Broken[len(in.list.Broken)-1].Closed = errors.Is(err, fs.ErrPermission)
		return fs.SkipDir
	}
	switch name := path.Base(rel); {
	case d.Type()&fs.ModeSymlink != 0:
		in.broken(rel, errors.New("it is a link; links are not followed"))
	case strings.HasPrefix(name, ".") && d.IsDir():
		return fs.SkipDir
	case d.Type().IsRegular() && strings.HasSuffix(name, ".md") && !strings.HasPrefix(name, "."):
		return in.file(rel)
	}
	return nil
}

func (in *loading) broken(rel string, err error) {
	in.list.Broken = append(in.list.Broken, in.tree.brokenAt(rel, err))
}

func (in *loading) file(rel string) error {
	data, err := readFile(in.root, rel, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		in.brokenMemory(rel, nil, err)
	case strings.HasPrefix(rel, summaryDir+"/"):
		in.summary(rel, data)
	default:
		return in.memory(rel, data)
	}
	return nil
}

func (in *loading) summary(rel string, data []byte) {
	s, _, err := parseSummary(rel, data)
	if err != nil {
		in.broken(rel, err)
		return
	}
	in.list.Summaries = append(in.list.Summaries, s)
}

// date sets the time of a memory whose file has none to when the file was last changed.
func (in *loading) date(m *Memory) {
	if !m.Created.IsZero() && !m.Updated.IsZero() {
		return
	}
	info, err := in.root.Lstat(filepath.FromSlash(m.Path))
	if err != nil {
		return // removed since it was read
	}
	m.Updated = cmp.Or(m.Updated, info.ModTime().UTC())
	m.Created = cmp.Or(m.Created, m.Updated)
}

// statedID matches the id in the frontmatter of a file, even if that is not valid YAML.
var statedID = lazyregexp.New(`(?m)^id:[ \t]*["']?([a-z0-9_-]+)`)

// brokenMemory records a memory that cannot be read.
func (in *loading) brokenMemory(rel string, data []byte, err error) {
	in.broken(rel, err)
	b := &in.list.Broken[len(in.list.Broken)-1]
	if b.IDs = []string{nameOf(rel)}; statedID.Match(data) {
		b.IDs = append(b.IDs, statedID.FindStringSubmatch(string(data))[1])
	}
}

func (in *loading) memory(rel string, data []byte) error {
	m, _, err := parseMemory(rel, data)
	if err != nil {
		in.brokenMemory(rel, data, err)
		return nil
	}
	in.date(&m)
	if first := in.ids[m.ID]; first != "" {
		placed, err := in.isPlaced(m)
		if err != nil || !placed {
			in.twin(m, first)
			return err
		}
		in.twin(in.list.take(first), rel)
	}
	in.ids[m.ID] = rel
	if m.Archived {
		in.list.Archived = append(in.list.Archived, m)
	} else {
		in.list.Active = append(in.list.Active, m)
	}
	return nil
}

func (in *loading) isPlaced(m Memory) (bool, error) {
	if in.tree.placed == nil {
		return false, nil
	}
	if in.had == nil {
		var err error
		if in.had, err = in.tree.placed(); err != nil {
			return false, err
		}
	}
	return in.had(m), nil
}

// twin records a memory with the id of another one, which may be someone else's text.
func (in *loading) twin(m Memory, of string) {
	in.brokenMemory(m.Path, nil, &formatError{1, "its id is that of " + of})
	in.list.Broken[len(in.list.Broken)-1].Twin = true
	in.list.Twins = append(in.list.Twins, m)
}

// take removes the memory in a file and returns it.
func (l *Listing) take(rel string) (out Memory) {
	is := func(m Memory) bool {
		if m.Path == rel {
			out = m
		}
		return m.Path == rel
	}
	l.Active, l.Archived = slices.DeleteFunc(l.Active, is), slices.DeleteFunc(l.Archived, is)
	return out
}

func readFile(root *os.Root, rel string, limit int64) ([]byte, error) {
	f, err := safefile.OpenIn(root, filepath.FromSlash(rel))
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, errors.New("it is too large for a memory")
	}
	return data, err
}

// Get finds a memory by its id, or by a unique beginning of it. The error for one whose file cannot be read is a
// [Broken].
func (t *Tree) Get(id string) (Memory, error) {
	l, err := t.Load()
	if err != nil {
		return Memory{}, err
	}
	var found []Memory
	for _, m := range l.Memories() {
		if m.ID == id {
			return m, nil
		}
		if id != "" && strings.HasPrefix(m.ID, id) {
			found = append(found, m)
		}
	}
	switch len(found) {
	case 0:
		for _, b := range l.Broken {
			if slices.Contains(b.IDs, id) {
				return Memory{}, b
			}
		}
		return Memory{}, fmt.Errorf("%s: %w", id, ErrNotFound)
	case 1:
		return found[0], nil
	}
	return Memory{}, fmt.Errorf("%s: %w", id, ErrAmbiguous)
}

// read returns the bytes of a file relative to the root.
func (t *Tree) read(rel string) ([]byte, error) { return t.readUpTo(rel, maxFile) }

func (t *Tree) readUpTo(rel string, limit int64) ([]byte, error) {
	root, err := safefile.OpenRoot(t.root)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	if err := noLinks(root, filepath.FromSlash(rel)); err != nil {
		return nil, fmt.Errorf("%s: %w", t.Shown(rel), ErrOutside)
	}
	data, err := readFile(root, rel, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", t.Shown(rel), ErrChanged)
	}
	return data, err
}

// current reads a memory's file again and checks that it is the version that the caller saw.
func (t *Tree) current(m Memory) (Memory, *document, error) {
	data, err := t.read(m.Path)
	if err != nil {
		return Memory{}, nil, err
	}
	if hashOf(data) != m.Hash {
		return Memory{}, nil, fmt.Errorf("%s: %w", t.Shown(m.Path), ErrChanged)
	}
	now, doc, err := parseMemory(m.Path, data)
	if err != nil {
		return Memory{}, nil, t.brokenAt(m.Path, err)
	}
	if now.Created.IsZero() { // the file has no time
		now.Created = m.Created
	}
	return now, doc, nil
}

// ids returns the ids that are taken.
func (l Listing) ids() []string {
	var out []string
	for _, b := range l.Broken {
		out = append(out, b.IDs...)
	}
	for _, m := range l.Memories() {
		out = append(out, m.ID)
	}
	return out
}
