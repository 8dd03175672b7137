package memory

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"keepmum/privacy"
	"keepmum/safefile"
)

// Imported is the result of an import.
type Imported struct {
	Added     []Memory  `json:"added"`
	Summaries []Summary `json:"summaries"`
	Same      []string  `json:"same"`    // paths of files whose content the tree already has
	Refused   []Broken  `json:"refused"` // files that cannot be read, or are not memories

	Findings []privacy.Finding `json:"-"` // what the gate removed
}

// Import imports an older tree: one with this layout (such as `.lerim/memory`), or one flat directory of
// `{type}_{slug}.md`. It reads leniently and keeps unknown values. Importing twice adds nothing.
func (t *Tree) Import(dir string, by Stamp) (Imported, error) {
	root, err := safefile.OpenRoot(dir)
	if err != nil {
		return Imported{}, fmt.Errorf("import memories: %w", err)
	}
	defer func() { _ = root.Close() }()
	out, err := t.takeOver(by, func(in *importing) error {
		in.from = root
		return fs.WalkDir(root.FS(), ".", in.visit)
	})
	if err != nil {
		return out, fmt.Errorf("import memories from %s: %w", dir, err)
	}
	return out, nil
}

// Text is a file with its path relative to the root of its tree.
type Text struct{ Path, Text string }

// ImportTexts is [Tree.Import] for files in memory.
func (t *Tree) ImportTexts(files []Text, by Stamp) (Imported, error) {
	return t.takeOver(by, func(in *importing) error {
		for _, f := range files {
			rel := path.Clean(f.Path)
			if path.Ext(rel) != ".md" || isOverview(path.Base(rel)) {
				continue
			}
			if err := in.refuseOr(rel, in.text(rel, []byte(f.Text))); err != nil {
				return err
			}
		}
		return nil
	})
}

// ImportMemories imports memories that another tool stored in a format of its own.
func (t *Tree) ImportMemories(list []Memory, by Stamp) (Imported, error) {
	files := make([]Text, 0, len(list))
	for i, m := range list {
		doc := newDocument()
		m.Confidence = min(max(m.Confidence, 0), 1)
		doc.fill(m)
		if m.Updated.IsZero() {
			doc.drop("updated")
		}
		data, err := doc.render()
		if err != nil {
			return Imported{}, err
		}
		rel := path.Join(m.Primitive.dir(), fmt.Sprintf("%d.md", i+1))
		if m.Archived {
			rel = path.Join(archiveDir, rel)
		}
		files = append(files, Text{rel, string(data)})
	}
	return t.ImportTexts(files, by)
}

// takeOver imports what read finds.
func (t *Tree) takeOver(by Stamp, read func(*importing) error) (Imported, error) {
	in := importing{tree: t, by: by}
	err := t.locked(func() error {
		l, err := t.loadAll()
		if err != nil {
			return err
		}
		in.known(l)
		if err := read(&in); err != nil {
			return err
		}
		return in.follow()
	})
	return in.out, err
}

// became records that a memory has another id here than where it comes from.
func (in *importing) became(was, now string) {
	if was != now {
		in.newID[was] = now
	}
}

// follow updates references to the ids that were changed.
func (in *importing) follow() error {
	became := func(id string) string { return cmp.Or(in.newID[id], id) }
	for i, m := range in.out.Added {
		if !slices.ContainsFunc(m.pointers(), func(id string) bool { return in.newID[id] != "" }) {
			continue
		}
		out, err := in.tree.rewrite(m, in.by, func(m *Memory) { m.replacePointers(became) })
		if err == nil {
			in.out.Added[i] = out
		} else if err = in.refuseOr(m.Path, err); err != nil {
			return err
		}
	}
	return nil
}

// importing is the state of an import.
type importing struct {
	tree  *Tree
	from  *os.Root
	by    Stamp
	ids   []string            // that are taken
	said  map[string]string   // words of a memory or summary here → its id
	keys  map[question]Memory // active memories by key
	byID  map[string]Memory   // the tree's own memories
	newID map[string]string   // ids that were taken here → those that the memories got
	out   Imported
}

// known notes what the tree contains.
func (in *importing) known(l Listing) {
	in.ids, in.said, in.newID = l.ids(), map[string]string{}, map[string]string{}
	in.keys, in.byID = map[question]Memory{}, map[string]Memory{}
	for _, m := range l.Active {
		if m.Key != "" {
			in.keys[questionOf(m)] = m
		}
	}
	for _, m := range l.Memories() {
		in.byID[m.ID] = m
		in.said[normal(m.Title+"\n"+m.Body)] = m.ID
	}
	for _, s := range l.Summaries {
		in.said[normal(s.Title+"\n"+s.Body)] = s.ID
	}
}

func (in *importing) visit(rel string, d fs.DirEntry, err error) error {
	switch name := path.Base(rel); {
	case err != nil:
		in.refuse(rel, errors.New("it cannot be read"))
		return nil
	case d.IsDir() && strings.HasPrefix(name, ".") && rel != ".":
		return fs.SkipDir
	case d.Type()&fs.ModeSymlink != 0:
		in.refuse(rel, errors.New("it is a link; links are not followed"))
		return nil
	case !d.Type().IsRegular() || path.Ext(name) != ".md" || isOverview(name):
		return nil
	}
	return in.refuseOr(rel, in.file(rel))
}

// refuseOr records a file that cannot become a memory, so that the import continues, and returns any other error.
func (in *importing) refuseOr(rel string, err error) error {
	for _, own := range []error{ErrInvalid, ErrChanged, ErrNotFound, ErrOutside, errTaken} {
		if errors.Is(err, own) {
			in.refuse(rel, err)
			return nil
		}
	}
	if isFormat(err) {
		in.refuse(rel, err)
		return nil
	}
	return err
}

func isFormat(err error) bool {
	var f *formatError
	return errors.As(err, &f)
}

func (in *importing) refuse(rel string, err error) {
	in.out.Refused = append(in.out.Refused, in.tree.brokenAt(rel, err))
}

// isOverview reports whether a file is generated from the others.
func isOverview(name string) bool {
	switch strings.ToLower(name) {
	case indexFile, hotFile, "memory.md", "readme.md":
		return true
	}
	return false
}

func (in *importing) file(rel string) error {
	data, err := readFile(in.from, rel, maxFile)
	if err != nil {
		return &formatError{why: "it cannot be read"}
	}
	return in.text(rel, data)
}

// text imports the text of a file.
func (in *importing) text(rel string, data []byte) error {
	if len(data) > maxFile {
		return &formatError{why: "it is too large for a memory"}
	}
	doc, err := parseDocument(data)
	if err != nil {
		return err
	}
	if doc.head == nil {
		doc.head = newDocument().head
	}
	// what is in the tree has passed the gate, so pass this through as well before comparing
	in.out.Findings = append(in.out.Findings, in.tree.cleanStrings(doc)...)
	if rel = below(rel); strings.HasPrefix(rel, summaryDir+"/") {
		return in.summary(rel, doc)
	}
	return in.memory(rel, doc)
}

// below returns a path relative to its own tree: an export has one for each project.
func below(rel string) string {
	parts := strings.Split(rel, "/")
	for i, dir := range parts[:len(parts)-1] {
		if slices.Contains(TreeDirs(), dir) {
			return strings.Join(parts[i:], "/")
		}
	}
	return rel
}

// TreeDirs returns the directories of a tree.
func TreeDirs() []string { return []string{decisionDir, learningDir, summaryDir, archiveDir} }

// Everywhere is the directory of an export for memories without a project.
const Everywhere = "everywhere"

// Trees lists the trees of an export by directory name. There are none if dir is a tree itself, or a flat directory of
// files.
func Trees(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		if slices.Contains(TreeDirs(), e.Name()) {
			return nil, nil
		}
		for _, inner := range TreeDirs() {
			if info, err := os.Lstat(filepath.Join(dir, e.Name(), inner)); err == nil && info.IsDir() {
				names = append(names, e.Name())
				break
			}
		}
	}
	return names, nil
}

// memory imports a memory, unless the tree has it already.
func (in *importing) memory(rel string, doc *document) error {
	m := lenient(rel, doc)
	if m.Body == "" && m.Kind != Fact {
		return &formatError{why: "it says nothing"}
	}
	said := normal(m.Title + "\n" + m.Body)
	if id := in.said[said]; id != "" {
		return in.heldBy(m.ID, id, rel)
	}
	if why := unfit(m.Kind, m.Title, m.Body); why != "" {
		return &formatError{why: why}
	}
	m.Created = earliest(m.Created, in.by.Now)
	if old, ok := in.byID[m.ID]; ok && old.Created.Equal(m.Created) && old.Primitive == m.Primitive {
		return in.refresh(rel, old, m, said)
	}
	m.Source = cmp.Or(m.Source, in.by.By.String())
	holder, held := in.holder(m)
	if held && sameStatement(holder, m) {
		return in.heldBy(m.ID, holder.ID, rel)
	}
	if held && !m.since().After(holder.since()) { // the existing one is newer
		m.Archived, m.SupersededBy, m.ValidTo = true, holder.ID, holder.since()
	}
	out, err := in.add(rel, m, doc)
	if err != nil {
		return err
	}
	in.said[said] = out.ID
	return in.keyed(out, holder, held)
}

// holder returns the memory that has the key of an imported one.
func (in *importing) holder(m Memory) (Memory, bool) {
	holder, held := in.keys[questionOf(m)]
	return holder, held && m.Key != "" && !m.Archived
}

// keyed gives a memory its key and takes it from the memory that had it.
func (in *importing) keyed(m, holder Memory, held bool) error {
	if m.Archived || m.Key == "" {
		return nil
	}
	in.keys[questionOf(m)] = m
	if !held {
		return nil
	}
	return in.replace(holder, m)
}

// heldBy records a file whose content a memory already has.
func (in *importing) heldBy(was, id, rel string) error {
	in.became(was, id)
	in.out.Same = append(in.out.Same, rel)
	return nil
}

// add writes a memory under a free id.
func (in *importing) add(rel string, m Memory, doc *document) (Memory, error) {
	was := m.ID
	for try := 0; slices.Contains(in.ids, m.ID); try++ {
		m.ID = hashed(Slug(m.Title), rel, m.Body, fmt.Sprint(try))
	}
	m.Path = path.Join(m.Primitive.dir(), m.Created.Format("20060102")+"-"+m.ID+".md")
	if m.Archived {
		m.Path = path.Join(archiveDir, m.Path)
	}
	out, err := in.tree.put(m, doc, in.by)
	if err != nil {
		return Memory{}, err
	}
	in.ids = append(in.ids, out.ID)
	in.became(was, out.ID)
	in.out.Added = append(in.out.Added, out)
	return out, nil
}

// replace archives the memory that had a key until now.
func (in *importing) replace(old, now Memory) error {
	marked, err := in.tree.mark([]Memory{old}, in.by, now.ID, later(now.since(), old.since()))
	if err != nil {
		return err
	}
	gone, err := in.tree.move(marked[0], true)
	if at := slices.IndexFunc(in.out.Added, func(m Memory) bool { return m.ID == gone.ID }); at >= 0 {
		in.out.Added[at] = gone
	}
	return err
}
