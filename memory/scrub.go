package memory

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"

	"keepmum/safefile"
)

// Scrubbed is the result of a scrub.
type Scrubbed struct {
	Changed  []string       // paths before the scrub, relative to the root
	Findings map[string]int // rule → number
	Broken   []Broken       // files that a person should check, and why
}

// Scrub removes from the files of the tree what today's rules would not keep or, if gone is given, that text only.
// Files without a match stay unchanged to the byte. A file whose frontmatter cannot be read loses the text and nothing
// else. A dry run only reports what it would do.
func (t *Tree) Scrub(gone *Gone, dryRun bool) (Scrubbed, error) {
	s := scrubbing{tree: t, gone: gone, dryRun: dryRun, out: Scrubbed{Findings: map[string]int{}}}
	if _, err := os.Stat(t.root); errors.Is(err, fs.ErrNotExist) {
		return s.out, nil // nothing was ever remembered here
	}
	err := t.locked(func() error {
		files, unread, err := t.markdown()
		for _, rel := range unread {
			s.leave(rel, errUnread)
		}
		for _, rel := range files {
			if err := s.file(rel); err != nil {
				return err
			}
		}
		return err
	})
	if err != nil {
		return s.out, fmt.Errorf("scrub the memories in %s: %w", t.root, err)
	}
	return s.out, nil
}

var errUnread = errors.New("it cannot be read")

// markdown lists the files of the tree, including generated ones, and the directories that cannot be read.
func (t *Tree) markdown() (files, unread []string, err error) {
	root, err := safefile.OpenRoot(t.root)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = root.Close() }()
	err = fs.WalkDir(root.FS(), ".", func(rel string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil && rel != ".":
			unread = append(unread, rel)
			return fs.SkipDir
		case err != nil:
			return err
		case d.Type().IsRegular() && strings.HasSuffix(rel, ".md"):
			files = append(files, rel)
		}
		return nil
	})
	return files, unread, err
}

// scrubbing is the state of a scrub.
type scrubbing struct {
	tree   *Tree
	gone   *Gone
	dryRun bool
	out    Scrubbed
}

func (s *scrubbing) leave(rel string, err error) {
	s.out.Broken = append(s.out.Broken, s.tree.brokenAt(rel, err))
}

func (s *scrubbing) file(rel string) error {
	data, err := s.tree.readUpTo(rel, maxText)
	if errors.Is(err, ErrChanged) {
		return nil // moved meanwhile
	}
	if err != nil {
		s.leave(rel, errUnread)
		return nil
	}
	doc, why := parseDocument(data)
	if why == nil {
		why = fits(rel, data)
	}
	if doc == nil {
		doc = &document{body: string(data)}
	}
	before, err := doc.render()
	if err != nil {
		return err
	}
	to, hit := s.take(rel, doc)
	if s.gone != nil && !hit {
		return nil
	}
	after, found, err := s.tree.clean(doc)
	if err != nil {
		return err
	}
	if err := gaveUp(before, after); err != nil {
		s.leave(rel, err)
		return nil
	}
	if to == rel && bytes.Equal(before, after) {
		return nil
	}
	s.out.Changed = append(s.out.Changed, rel)
	for _, f := range found {
		s.out.Findings[f.Rule]++
	}
	if s.dryRun {
		return nil
	}
	return s.write(rel, to, doc, hashOf(data), why)
}

// fits says why a file does not have the content that its path requires; nil = it has.
func fits(rel string, data []byte) (err error) {
	if strings.HasPrefix(rel, summaryDir+"/") {
		_, _, err = parseSummary(rel, data)
	} else if p, _ := placeOf(rel); p != "" {
		_, _, err = parseMemory(rel, data)
	}
	return err
}

// write writes a file back. If it was malformed before (why is not nil), that is reported again; a file that was well
// formed must stay so.
func (s *scrubbing) write(rel, to string, doc *document, basis string, why error) error {
	s.rename(to, doc, why)
	_, err := s.tree.write(rel, doc, basis, func(data []byte) error {
		if why != nil {
			return nil
		}
		return fits(to, data)
	})
	switch {
	case errors.Is(err, ErrChanged):
		s.leave(rel, errors.New("it was changed meanwhile: run the command again"))
		return nil
	case errors.Is(err, ErrInvalid):
		s.leave(rel, err)
		return nil
	case err != nil:
		return err
	case why != nil:
		s.leave(to, why)
	}
	if to == rel {
		return nil
	}
	return s.move(rel, to)
}

// move moves a file and removes directories that this leaves empty.
func (s *scrubbing) move(rel, to string) error {
	dst, err := s.tree.place(to)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(dst); err == nil {
		return fmt.Errorf("%s: %w", s.tree.Shown(to), errTaken)
	}
	if err := os.Rename(filepath.Join(s.tree.root, filepath.FromSlash(rel)), dst); err != nil {
		return err
	}
	for dir := path.Dir(rel); strings.Contains(dir, "/"); dir = path.Dir(dir) {
		_ = os.Remove(filepath.Join(s.tree.root, filepath.FromSlash(dir))) // fails for a directory that is not empty
	}
	return nil
}

// rename gives a memory another id if removing the text left nothing of its own.
func (s *scrubbing) rename(to string, doc *document, why error) {
	if doc.head == nil || why != nil {
		return
	}
	if id := doc.get("id"); id != nil && !safeID(id.Value) {
		id.Value = s.tree.token("forgotten", "id", to, doc.text())
	}
}

// token returns a name that says why it is there and nothing else.
func (t *Tree) token(why string, parts ...string) string {
	return why + "-" + t.gate.MAC(strings.Join(parts, "\x00"))[:hashChars]
}

// take removes the unwanted text from a file and its name. It reports whether it was there.
func (s *scrubbing) take(rel string, doc *document) (to string, hit bool) {
	if s.gone == nil {
		return rel, false
	}
	out := func(text *string) {
		now := s.gone.without(*text)
		hit = hit || now != *text
		*text = now
	}
	names := nameNodes(doc.head)
	for _, n := range names {
		now := s.name(n.Value)
		hit = hit || now != n.Value
		n.Value = now
	}
	visit(doc.head, out)
	out(&doc.body)
	to = s.path(rel)
	return to, hit || to != rel
}

// path returns a path relative to the root without the unwanted text. The first part is always a name of ours.
func (s *scrubbing) path(rel string) string {
	parts := strings.Split(strings.TrimSuffix(rel, ".md"), "/")
	for i := 1; i < len(parts); i++ {
		parts[i] = s.name(parts[i])
	}
	return strings.Join(parts, "/") + ".md"
}

// name returns an id or a file name without the unwanted text. The same name always becomes the same, and different
// names stay different.
func (s *scrubbing) name(old string) string {
	date, id := "", old
	if inner := nameOf(old + ".md"); inner != old {
		date, id = strings.TrimSuffix(old, inner), inner
	}
	kept, ok := s.gone.outOfName(id)
	if !ok {
		return old
	}
	return date + strings.TrimPrefix(kept+"-", "-") + s.tree.token("forgotten", "name", id)
}

// nameNodes returns the nodes of a frontmatter that contain ids of memories.
func nameNodes(n *yaml.Node) (out []*yaml.Node) {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		switch value := n.Content[i+1]; n.Content[i].Value {
		case "id", "superseded_by", "supersedes":
			if value.Kind == yaml.ScalarNode {
				out = append(out, value)
			}
			out = append(out, value.Content...)
		case "links":
			for _, link := range value.Content {
				if to := (&document{head: link}).get("to"); link.Kind == yaml.MappingNode && to != nil {
					out = append(out, to)
				}
			}
		}
	}
	return out
}
