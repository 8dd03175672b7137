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
	"time"

	"keepmum/privacy"
)

// Imported is what came of an import.
type Imported struct {
	Added     []Memory  `json:"added"`
	Summaries []Summary `json:"summaries"`
	Same      []string  `json:"same"`    // paths of what the tree holds already
	Refused   []Broken  `json:"refused"` // what cannot be read, or is no memory

	Findings []privacy.Finding `json:"-"` // what the gate took out
}

// Import takes over an older tree: one of this layout (such as `.lerim/memory`), or
// one flat directory of `{type}_{slug}.md`. It is read leniently, and what is not
// known is kept. Doing it twice adds nothing.
func (t *Tree) Import(dir string, by Stamp) (Imported, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Imported{}, fmt.Errorf("import memories: %w", err)
	}
	defer func() { _ = root.Close() }()
	in := importing{tree: t, from: root, by: by}
	err = t.locked(func() error {
		l, err := t.loadAll()
		if err != nil {
			return err
		}
		in.known(l)
		return fs.WalkDir(root.FS(), ".", in.visit)
	})
	if err != nil {
		return in.out, fmt.Errorf("import memories from %s: %w", dir, err)
	}
	return in.out, nil
}

// importing is an older tree being taken over.
type importing struct {
	tree *Tree
	from *os.Root
	by   Stamp
	ids  []string
	said map[string]bool // what the tree says, word for word
	out  Imported
}

func (in *importing) known(l Listing) {
	in.ids, in.said = l.ids(), map[string]bool{}
	for _, m := range l.Memories() {
		in.said[normal(m.Title+"\n"+m.Body)] = true
	}
	for _, s := range l.Summaries {
		in.said[normal(s.Title+"\n"+s.Body)] = true
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
	case !d.Type().IsRegular() || path.Ext(name) != ".md" || overview(name):
		return nil
	}
	err = in.file(rel)
	if errors.Is(err, ErrInvalid) || isFormat(err) {
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

// overview reports whether a file is made of the others.
func overview(name string) bool {
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
	doc, err := parseDocument(data)
	if err != nil {
		return err
	}
	if doc.head == nil {
		doc.head = newDocument().head
	}
	in.out.Findings = append(in.out.Findings, in.tree.cleanStrings(doc)...) // what the tree holds has passed the gate: compare like with like
	if rel = below(rel); strings.HasPrefix(rel, summaryDir+"/") {
		return in.summary(rel, doc)
	}
	return in.memory(rel, doc)
}

// below is a path as it is below the tree that it lies in: an export has one for each
// project.
func below(rel string) string {
	parts := strings.Split(rel, "/")
	for i, dir := range parts[:len(parts)-1] {
		if slices.Contains(treeDirs(), dir) {
			return strings.Join(parts[i:], "/")
		}
	}
	return rel
}

func treeDirs() []string { return []string{decisionDir, learningDir, summaryDir, archiveDir} }

// Everywhere is the directory of an export in which what belongs to no project lies.
const Everywhere = "everywhere"

// Trees lists the trees of an export by the names of their directories; none when dir
// is a tree itself, or a flat directory of files.
func Trees(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		if slices.Contains(treeDirs(), e.Name()) {
			return nil, nil
		}
		for _, inner := range treeDirs() {
			if info, err := os.Lstat(filepath.Join(dir, e.Name(), inner)); err == nil && info.IsDir() {
				names = append(names, e.Name())
				break
			}
		}
	}
	return names, nil
}

func (in *importing) memory(rel string, doc *document) error {
	m := lenient(rel, doc)
	if m.Body == "" {
		return &formatError{why: "it says nothing"}
	}
	said := normal(m.Title + "\n" + m.Body)
	if in.said[said] {
		in.out.Same = append(in.out.Same, rel)
		return nil
	}
	if why := unfit(m.Title, m.Body); why != "" {
		return &formatError{why: why}
	}
	m.Created = earliest(m.Created, in.by.Now)
	m.Source = cmp.Or(m.Source, in.by.By.String())
	for try := 0; slices.Contains(in.ids, m.ID); try++ {
		m.ID = hashed(Slug(m.Title), rel, m.Body, fmt.Sprint(try))
	}
	m.Path = path.Join(m.Primitive.dir(), m.Created.Format("20060102")+"-"+m.ID+".md")
	if m.Archived {
		m.Path = path.Join(archiveDir, m.Path)
	}
	out, err := in.tree.put(m, doc, in.by)
	if err != nil {
		return err
	}
	in.ids, in.said[said] = append(in.ids, out.ID), true
	in.out.Added = append(in.out.Added, out)
	return nil
}

// earliest is when something was made: now, where nothing or nonsense is said.
func earliest(said, now time.Time) time.Time {
	if said.IsZero() || said.After(now) {
		return now.UTC()
	}
	return said
}

// lenient reads what can be read. A value that is not what its key promises is as
// good as none.
func lenient(rel string, doc *document) Memory {
	r := func() *reader { return &reader{doc: doc} } // each value on its own
	m := Memory{
		ID: r().text("id"), Title: cmp.Or(r().text("title"), r().text("name")), Body: doc.text(),
		Created: r().time("created"), Source: r().text("source"), Tags: r().list("tags"),
		Sources: r().origins("sources"), Supersedes: r().list("supersedes"), SupersededBy: r().text("superseded_by"),
		ValidFrom: r().time("valid_from"), ValidTo: r().time("valid_to"), Pinned: r().flag("pinned"),
	}
	share := r()
	if m.Confidence = share.share("confidence", unsaidConfidence); share.err != nil {
		m.Confidence = unsaidConfidence
	}
	name, kind := nameOf(rel), r().text("kind")
	m.Primitive, m.Archived = placeOf(rel)
	if m.Primitive == "" {
		m.Archived = strings.HasPrefix(rel, archiveDir+"/")
		kindOfFile, rest, _ := strings.Cut(name, "_")
		m.Primitive, kind = typeNamed(cmp.Or(r().text("primitive"), r().text("type"), kindOfFile), kind)
		name = cmp.Or(rest, name)
	}
	m.Kind = keepUnknown(doc, "kind", kind, Kind(kind).known() && m.Primitive == Learning, Kind(kind))
	outcome := Outcome(r().text("outcome"))
	m.Outcome = keepUnknown(doc, "outcome", string(outcome), outcome.known(), outcome)
	m.Title = cmp.Or(strings.Join(strings.Fields(m.Title), " "), heading(m.Body), strings.ReplaceAll(name, "-", " "))
	if m.Created.IsZero() {
		m.Created = dateOf(rel)
	}
	if !safeID(m.ID) {
		m.ID = Slug(cmp.Or(m.ID, m.Title))
	}
	return m
}

// typeNamed says what a type of an older tree is here.
func typeNamed(name, kind string) (Primitive, string) {
	switch k := Kind(strings.ToLower(name)); {
	case k == "decision":
		return Decision, ""
	case kind != "":
		return Learning, kind
	case k == "user", k == "feedback":
		return Learning, string(Preference)
	case k != "" && k.known():
		return Learning, string(k)
	}
	return Learning, string(Insight)
}

// keepUnknown drops a value that is none of ours, and keeps it under another key.
func keepUnknown[T ~string](doc *document, key, value string, known bool, is T) T {
	if known || value == "" {
		return is
	}
	doc.set("imported_"+key, nodeOf(value), nil)
	return ""
}

func (in *importing) summary(rel string, doc *document) error {
	r := func() *reader { return &reader{doc: doc} }
	s := Summary{
		Title: cmp.Or(r().text("title"), heading(doc.text()), nameOf(rel)), Created: r().time("created"),
		Source: cmp.Or(r().text("source"), in.by.By.String()), Description: r().text("description"),
		Agent: r().text("coding_agent"), Session: r().text("session_id"), Repo: r().text("repo"),
		Branch: r().text("branch"), Tags: r().list("tags"), Body: doc.text(),
	}
	said := normal(s.Title + "\n" + s.Body)
	if in.said[said] {
		in.out.Same = append(in.out.Same, rel)
		return nil
	}
	if s.Created.IsZero() {
		s.Created = pathTime(rel)
	}
	s.Created = earliest(s.Created, in.by.Now)
	s.ID = hashed(Slug(s.Title), rel)
	s.Path = path.Join(summaryDir, s.Created.Format("20060102"), s.Created.Format("150405"), s.ID+".md")
	out, err := in.tree.saveSummary(s, doc)
	if err != nil {
		return err
	}
	in.said[said] = true
	in.out.Summaries = append(in.out.Summaries, out)
	return nil
}

// pathTime reads the time in summaries/{YYYYMMDD}/{HHMMSS}/name.md.
func pathTime(rel string) time.Time {
	dir := path.Dir(rel)
	at, err := time.Parse("20060102150405", path.Base(path.Dir(dir))+path.Base(dir))
	if err != nil {
		return time.Time{}
	}
	return at
}
