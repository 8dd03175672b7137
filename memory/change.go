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

	"keepmum/lazyregexp"
	"keepmum/privacy"
)

// Add writes a new memory.
func (t *Tree) Add(c Candidate, by Stamp) (m Memory, err error) {
	err = t.locked(func() error {
		m, err = t.add(newMemory(c), by)
		return err
	})
	return m, err
}

// newMemory makes a memory from a candidate.
func newMemory(c Candidate) Memory {
	m := Memory{
		Primitive: c.Primitive, Kind: c.Kind, Title: line(c.Title), Body: c.Body.String(),
		Confidence: c.Confidence, Outcome: c.Outcome.stated(), Sources: origins(c.Sources), ValidFrom: c.At,
		Key: c.Key, Links: c.Links,
	}
	if c.On() != "" {
		m.Branch, m.BranchHead, m.BranchBase = line(c.Branch.Name), line(c.Branch.Head), line(c.Branch.Base)
	}
	for _, tag := range c.Tags {
		m.Tags = appendNew(m.Tags, line(tag))
	}
	return m
}

// line joins a text into one line.
func line(c privacy.Clean) string { return strings.Join(strings.Fields(c.String()), " ") }

// origins returns sources as a file has them, each once.
func origins(sources []Source) []Origin {
	var out []Origin
	for _, s := range sources {
		if o := (Origin{line(s.Session), line(s.Ref)}); o != (Origin{}) && !slices.Contains(out, o) {
			out = append(out, o)
		}
	}
	return out
}

// add writes a memory that does not exist yet.
func (t *Tree) add(m Memory, by Stamp) (Memory, error) {
	m, err := t.name(m, by)
	if err != nil {
		return Memory{}, err
	}
	return t.put(m, newDocument(), by)
}

// maxTries is how many names are tried for the same title.
const maxTries = 100

// name gives a memory its id and path.
func (t *Tree) name(m Memory, by Stamp) (Memory, error) {
	l, err := t.loadMemories()
	if err != nil {
		return Memory{}, err
	}
	taken := l.ids()
	return t.nameAmong(m, by, func(id string) bool { return slices.Contains(taken, id) })
}

// nameAmong does the same, given which ids are taken.
func (t *Tree) nameAmong(m Memory, by Stamp, taken func(id string) bool) (Memory, error) {
	m.Created, m.Source = by.Now, by.By.String()
	for try := range maxTries {
		m.ID = Slug(m.Title)
		if try > 0 {
			m.ID = hashed(m.ID, m.Title, m.Body, fmt.Sprint(try))
		}
		m.Path = path.Join(m.Primitive.dir(), by.Now.UTC().Format("20060102")+"-"+m.ID+".md")
		_, err := os.Lstat(filepath.Join(t.root, filepath.FromSlash(m.Path)))
		if !taken(m.ID) && errors.Is(err, fs.ErrNotExist) {
			return m, nil
		}
	}
	return Memory{}, fmt.Errorf("%s: %w", t.Shown(m.Path), errTaken)
}

var errTitle = &formatError{why: "the gate removed its title"}

// put writes a memory over the file whose hash it carries.
func (t *Tree) put(m Memory, doc *document, by Stamp) (Memory, error) {
	m.Updated = by.Now
	doc.fill(m)
	if m.Hash == "" && t.claim != nil {
		if err := t.claim(m.ID); err != nil {
			return Memory{}, err
		}
	}
	var out Memory
	_, err := t.write(m.Path, doc, m.Hash, func(data []byte) (err error) {
		out, _, err = parseMemory(m.Path, data)
		if err == nil && (out.ID != m.ID || out.Primitive != m.Primitive) {
			err = errTitle
		}
		return err
	})
	if errors.Is(err, errUnnamed) {
		err = fmt.Errorf("%w: %w", ErrInvalid, t.brokenAt(m.Path, errTitle))
	}
	if err != nil {
		return Memory{}, err
	}
	return out, nil
}

// change reads a memory again, lets f change it, and writes it back.
func (t *Tree) change(m Memory, by Stamp, f func(*Memory)) (out Memory, err error) {
	err = t.locked(func() error {
		out, err = t.rewrite(m, by, f)
		return err
	})
	return out, err
}

// rewrite does the same for a caller that has the lock.
func (t *Tree) rewrite(m Memory, by Stamp, f func(*Memory)) (Memory, error) {
	now, doc, err := t.current(m)
	if err != nil {
		return Memory{}, err
	}
	f(&now)
	return t.put(now, doc, by)
}

// Update adds to a memory what a candidate says beyond it. An archived memory becomes active again.
func (t *Tree) Update(m Memory, c Candidate, by Stamp) (out Memory, err error) {
	err = t.locked(func() error {
		out, err = t.rewrite(m, by, func(now *Memory) {
			if now.Archived {
				now.reopen(cmp.Or(c.At, by.Now))
			}
			now.absorb(newMemory(c))
		})
		if err == nil && out.Archived {
			out, err = t.move(out, false)
		}
		return err
	})
	return out, err
}

// Supersede writes a new memory that replaces older ones, which are archived with a reference to it.
func (t *Tree) Supersede(c Candidate, by Stamp, old ...Memory) (out Memory, err error) {
	err = t.locked(func() error {
		for _, m := range old { // all or none: check before the first one is written
			if _, _, err := t.current(m); err != nil {
				return err
			}
		}
		out, err = t.supersede(newMemory(c), by, old, cmp.Or(c.At, by.Now))
		return err
	})
	return out, err
}

// supersede marks the old memories before it writes the new one, and moves them afterwards: an interrupted run loses
// nothing, and maintenance completes it.
func (t *Tree) supersede(m Memory, by Stamp, old []Memory, end time.Time) (Memory, error) {
	for _, o := range old {
		m.Supersedes = appendNew(m.Supersedes, o.ID)
		if m.Key == "" { // it answers the same question
			m.Key = o.Key
		}
	}
	m, err := t.name(m, by)
	if err != nil {
		return Memory{}, err
	}
	marked, err := t.mark(old, by, m.ID, end)
	var out Memory
	if err == nil {
		out, err = t.put(m, newDocument(), by)
	}
	if err != nil {
		_, undone := t.mark(marked, by, "", time.Time{})
		return Memory{}, errors.Join(err, undone)
	}
	for _, o := range marked {
		if _, err := t.move(o, true); err != nil {
			return out, err
		}
	}
	return out, nil
}

// mark records in memories what replaced them, and when. With a zero end, the replacement has taken over their times,
// too.
func (t *Tree) mark(old []Memory, by Stamp, id string, end time.Time) ([]Memory, error) {
	out := make([]Memory, 0, len(old))
	for _, o := range old {
		o, err := t.rewrite(o, by, func(m *Memory) { m.SupersededBy, m.ValidTo = id, end })
		if err != nil {
			return out, err
		}
		out = append(out, o)
	}
	return out, nil
}

// Archive takes a memory out of use: it was valid until now.
func (t *Tree) Archive(m Memory, by Stamp) (out Memory, err error) {
	err = t.locked(func() error {
		out, err = t.rewrite(m, by, func(m *Memory) {
			if !m.Archived && !m.merged() {
				m.end(by.Now)
			}
		})
		if err == nil {
			out, err = t.move(out, true)
		}
		return err
	})
	return out, err
}

// Restore takes a memory back into use: it is valid again from now on. A memory that replaced it stays, unless it has
// the same key.
func (t *Tree) Restore(m Memory, by Stamp) (out Memory, err error) {
	err = t.locked(func() error {
		if !m.Archived {
			out, err = t.rewrite(m, by, func(m *Memory) { m.SupersededBy, m.ValidTo = "", time.Time{} })
			return err
		}
		out, err = t.restore(m, by)
		return err
	})
	return out, err
}

// move moves a file between the directories of active and archived memories.
func (t *Tree) move(m Memory, archive bool) (Memory, error) {
	if m.Archived == archive {
		return m, nil
	}
	to := path.Join(m.Primitive.dir(), path.Base(m.Path))
	if archive {
		to = path.Join(archiveDir, to)
	}
	dst, err := t.place(to)
	if err != nil {
		return Memory{}, err
	}
	if _, err := os.Lstat(dst); err == nil { // someone created a file with this name
		to = path.Join(path.Dir(to), strings.TrimSuffix(path.Base(to), ".md")+"-"+m.Hash[:hashChars]+".md")
		if dst, err = t.place(to); err != nil {
			return Memory{}, err
		}
		if _, err := os.Lstat(dst); err == nil {
			return Memory{}, fmt.Errorf("%s: %w", t.Shown(to), errTaken)
		}
	}
	src, err := t.place(m.Path)
	if err != nil {
		return Memory{}, err
	}
	if err := os.Rename(src, dst); err != nil {
		return Memory{}, fmt.Errorf("move %s to %s: %w", m.Path, filepath.ToSlash(path.Dir(to)), err)
	}
	m.Path, m.Archived = to, archive
	return m, nil
}

// Pin sets whether a memory is exempt from decay.
func (t *Tree) Pin(m Memory, pinned bool, by Stamp) (Memory, error) {
	return t.change(m, by, func(m *Memory) { m.Pinned = pinned })
}

// Edit is a change by hand. Fields that are nil stay unchanged.
type Edit struct {
	Title, Body *privacy.Clean
	Tags        *[]privacy.Clean
	Confidence  *float64
	Kind        *Kind
	Outcome     *Outcome
	Key         *string
}

// Edit changes a memory in place. The id stays, whatever the new title is.
func (t *Tree) Edit(m Memory, e Edit, by Stamp) (out Memory, err error) {
	if e.Key == nil {
		return t.change(m, by, e.apply)
	}
	err = t.locked(func() error {
		l, err := t.loadMemories()
		if err == nil && !m.Archived && l.holder(*e.Key, m) != nil {
			err = fmt.Errorf("%w: %w", ErrInvalid, errKeyHeld)
		}
		if err == nil {
			out, err = t.rewrite(m, by, e.apply)
		}
		return err
	})
	return out, err
}

func (e Edit) apply(m *Memory) {
	if e.Title != nil {
		m.Title = line(*e.Title)
	}
	if e.Body != nil {
		m.Body = e.Body.String()
	}
	if e.Tags != nil {
		m.Tags = nil
		for _, tag := range *e.Tags {
			m.Tags = appendNew(m.Tags, line(tag))
		}
	}
	if e.Confidence != nil {
		m.Confidence = *e.Confidence
	}
	if e.Kind != nil {
		m.Kind = *e.Kind
	}
	if e.Outcome != nil {
		m.Outcome = *e.Outcome
	}
	if e.Key != nil {
		m.Key = *e.Key
	}
}

// Remove deletes the file of a memory. It is for what a user wants forgotten; everything else is archived.
func (t *Tree) Remove(m Memory) error {
	return t.locked(func() error {
		if _, _, err := t.current(m); err != nil {
			return err
		}
		file, err := t.place(m.Path)
		if err != nil {
			return err
		}
		return errors.Join(os.Remove(file), sweep(filepath.Dir(file)))
	})
}

// leftover is the name of what a process wrote that was killed before it gave the memory its name.
var leftover = lazyregexp.New(`^\.\d{8}-.*\.\d+$`)

// sweep removes leftovers from a directory in which nobody else writes now.
func sweep(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if e.Type().IsRegular() && leftover.MatchString(e.Name()) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}
