package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepmum/privacy"
)

// MemoryState says whether a memory is in use.
type MemoryState string

// A search finds only active memories.
const (
	MemoryActive     MemoryState = "active"
	MemoryArchived   MemoryState = "archived"
	MemorySuperseded MemoryState = "superseded"
)

// MemorySource is where a memory comes from: a session as agent/native, and a line of its transcript or the id of a
// document.
type MemorySource struct {
	Session privacy.Clean `json:"session"`
	Ref     privacy.Clean `json:"ref"`
}

// MemoryFile is what the index stores about one file of a tree.
type MemoryFile struct {
	Name             privacy.Clean // its id
	Path             privacy.Clean // relative to the root, with slashes
	Form             privacy.Clean // decision, learning
	Kind             privacy.Clean
	State            MemoryState
	Pinned           bool
	Confidence       float64
	Origin           privacy.Clean // a run, cli, an agent
	Title, Body      privacy.Clean
	Tags             []privacy.Clean
	Sources          []MemorySource
	SupersededBy     privacy.Clean
	Created, Updated time.Time
	Key              privacy.Clean
	Links            []MemoryLink      `json:",omitempty"`
	Branch           privacy.Clean     `json:",omitzero"` // the only branch on which it is valid; zero = everywhere
	Instead          []privacy.Clean   `json:",omitzero"` // ids of the memories that it replaces there
	Times            []Span            // when it was valid, oldest first; none = another memory replaced it
	Said             time.Time         // when it first became valid, the date shown with it; zero = when it was created
	Findings         []privacy.Finding // what the gate removed from it
}

// Span is a time in which a memory was valid. A zero end means that it still is.
type Span struct{ From, To time.Time }

// MemoryChanges counts what an indexing run changed.
type MemoryChanges struct {
	Added, Changed, Removed, Same int
	Refused                       []string // names of forgotten memories, which are not indexed again
	Unread                        []string // paths of memories whose files cannot be read now
}

// IndexOptions say how to index a tree.
type IndexOptions struct {
	All         bool // reindex unchanged files, too
	KeepMissing bool // keep a memory whose file is missing: an editor may be about to write it again
	// Unread are the paths of files that cannot be read now, and of directories. A memory that was indexed from one keeps
	// its entry, and so its number.
	Unread []string
}

// IndexMemories updates the index of one tree to match its files, which are the only source. It skips unchanged files.
// A renamed or moved file keeps its document and its usage. The index is the same whether it grew file by file or was
// rebuilt.
func (db *DB) IndexMemories(ctx context.Context, root int64, files []MemoryFile,
	o IndexOptions) (MemoryChanges, error) {
	var out MemoryChanges
	err := db.writer.do(ctx, func(s *txState) error {
		c, err := s.indexMemories(root, files, o)
		out = c
		return err
	})
	if err != nil {
		return MemoryChanges{}, fmt.Errorf("index the memories of root %d: %w", root, err)
	}
	return out, nil
}

// indexedMemory holds the fields by which an indexed memory is compared with its file.
type indexedMemory struct {
	ID         int64 `db:"doc_id"`
	Name, Hash string
	Path       string
	seen       bool
}

// in reports whether the file of a memory is one of some paths, or below one.
func (m *indexedMemory) in(paths []string) bool {
	return slices.ContainsFunc(paths, func(p string) bool {
		return m.Path == p || strings.HasPrefix(m.Path, strings.TrimSuffix(p, "/")+"/")
	})
}

func (s *txState) indexMemories(root int64, files []MemoryFile, o IndexOptions) (MemoryChanges, error) {
	var out MemoryChanges
	var project int64
	if found, err := s.get(&project, `SELECT project_id FROM memory_roots WHERE id = ?`, root); err != nil || !found {
		return out, firstOf(err, ErrNotFound)
	}
	var rows []indexedMemory
	if err := s.list(&rows, `SELECT doc_id, name, hash, path FROM memories WHERE root_id = ?`, root); err != nil {
		return out, err
	}
	have := make(map[string]*indexedMemory, len(rows))
	for i := range rows {
		have[rows[i].Name] = &rows[i]
	}
	for i := range files {
		if err := s.indexMemory(root, project, &files[i], have, o.All, &out); err != nil {
			return out, err
		}
	}
	for _, row := range rows {
		if row.seen || o.KeepMissing || row.in(o.Unread) {
			if !row.seen && row.in(o.Unread) {
				out.Unread = append(out.Unread, row.Path)
			}
			continue
		}
		if err := s.dropMemory(row.ID); err != nil {
			return out, err
		}
		out.Removed++
	}
	return out, nil
}

func (s *txState) indexMemory(root, project int64, f *MemoryFile, have map[string]*indexedMemory, all bool,
	out *MemoryChanges) error {
	old := have[f.Name.String()]
	if old == nil {
		if err := s.memoryBuried(project, f); err != nil {
			if err == ErrForgotten { //nolint:errorlint // buried returns it bare
				out.Refused = append(out.Refused, f.Name.String())
				return nil
			}
			return err
		}
		id, err := s.newMemory(root, project, f)
		have[f.Name.String()] = &indexedMemory{ID: id, Name: f.Name.String(), Hash: f.hash(), seen: true}
		out.Added++
		return err
	}
	old.seen = true
	if old.Hash == f.hash() && !all {
		out.Same++
		return nil
	}
	out.Changed++
	if err := s.newRedactions(old.ID, project, f.Findings); err != nil {
		return err
	}
	return s.changeMemory(old.ID, f)
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// hash covers everything that the index stores about a file.
func (f *MemoryFile) hash() string {
	plain := *f
	plain.Findings = nil
	data, _ := json.Marshal(plain) // strings, numbers and times always encode
	sum := sha256.Sum256(append(data, privacy.RulesVersion()...))
	return hex.EncodeToString(sum[:])
}

// role returns the role column of a memory's document, which says why its text is not in the index.
func (f *MemoryFile) role() string {
	if f.State == MemoryActive {
		return ""
	}
	return string(f.State)
}

// body returns the text of a memory with its tags as the last line, so that a search finds them.
func (f *MemoryFile) body() string {
	if len(f.Tags) == 0 {
		return f.Body.String()
	}
	tags := make([]string, len(f.Tags))
	for i, t := range f.Tags {
		tags[i] = t.String()
	}
	return f.Body.String() + "\n" + strings.Join(tags, ", ")
}

func (f *MemoryFile) files() string {
	list, _ := json.Marshal([]string{f.Path.String()}) // a string always encodes
	return string(list)
}

// said returns the date of a memory. That is not when its file was last changed: what an old session taught is not
// recent.
func (f *MemoryFile) said() int64 {
	if f.Said.IsZero() {
		return f.Created.UnixMilli()
	}
	return f.Said.UnixMilli()
}

func (s *txState) newMemory(root, project int64, f *MemoryFile) (int64, error) {
	d := &docRow{Kind: KindMemory, Project: project, At: f.said(), Role: f.role(), Title: f.Title.String(),
		Body: ptr(f.body()), Files: f.files()}
	d.index()
	if err := s.insertDoc(d); err != nil {
		return 0, err
	}
	s.timesChanged = true
	if err := s.exec(`INSERT INTO memories (doc_id, root_id, name, path, hash, form, kind, state, pinned, confidence,
		origin, tags, sources, superseded_by, created, updated, key, valid_from, valid_to, held, branch, instead)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		append([]any{d.ID, root, f.Name}, f.columns()...)...); err != nil {
		return 0, err
	}
	if err := s.putOwner(d.ID, project, f.Name.String()); err != nil {
		return 0, err
	}
	return d.ID, firstOf(s.putLinks(d.ID, f.Links), s.redactions(d.ID, project, f.Findings))
}

// columns returns the values of a memory's row from path to instead.
func (f *MemoryFile) columns() []any {
	tags, _ := json.Marshal(notNil(f.Tags)) // a list of strings always encodes
	sources, _ := json.Marshal(f.Sources)
	if f.Sources == nil {
		sources = []byte("[]")
	}
	from, to, held := f.times()
	return []any{f.Path, f.hash(), f.Form, f.Kind, f.State, f.Pinned, f.Confidence, f.Origin, string(tags),
		string(sources), f.SupersededBy,
		f.Created.UnixMilli(), f.Updated.UnixMilli(), f.Key, from, to, held, f.Branch, f.instead()}
}

// times returns when a memory was valid, as stored in its row: the last span, and the earlier ones. A memory that was
// never valid has an empty span.
func (f *MemoryFile) times() (from, to int64, held string) {
	before := [][2]int64{}
	from, to = f.said(), f.said()
	for i, t := range f.Times {
		if i > 0 {
			before = append(before, [2]int64{from, to})
		}
		from, to = t.From.UnixMilli(), 0
		if !t.To.IsZero() {
			to = t.To.UnixMilli()
		}
	}
	list, _ := json.Marshal(before) // a list of numbers always encodes
	return from, to, string(list)
}

func (s *txState) changeMemory(id int64, f *MemoryFile) error {
	err := s.reindex(id, func(d *docRow) {
		d.At, d.Role, d.Title, d.Body, d.Files, d.Rules = f.said(), f.role(), f.Title.String(), ptr(f.body()), f.files(),
			privacy.RulesVersion()
	})
	if err != nil {
		return err
	}
	if err := s.exec(`UPDATE docs SET at = ?, role = nullif(?, '') WHERE id = ?`, f.said(), f.role(), id); err != nil {
		return err
	}
	if err := s.putLinks(id, f.Links); err != nil {
		return err
	}
	s.timesChanged = true
	return s.exec(`UPDATE memories SET path = ?, hash = ?, form = ?, kind = ?, state = ?, pinned = ?, confidence = ?,
		origin = ?, tags = ?, sources = ?, superseded_by = ?, created = ?, updated = ?, key = ?, valid_from = ?,
		valid_to = ?, held = ?, branch = ?, instead = ? WHERE doc_id = ?`,
		append(f.columns(), id)...)
}

// dropMemory removes a memory and its document from the index.
func (s *txState) dropMemory(id int64) error {
	d, found, err := s.load(id)
	if err != nil {
		return err
	}
	if err := s.keepOwner(id); err != nil {
		return err
	}
	if found {
		if err := s.deleteDoc(d); err != nil {
			return err
		}
	}
	s.timesChanged = true
	return s.exec(`DELETE FROM memories WHERE doc_id = ?`, id)
}

// Accessed records that memories were shown: in an answer, in a context, or on request. It ignores other ids.
func (db *DB) Accessed(ctx context.Context, counts map[int64]int, at time.Time) error {
	return db.writer.do(ctx, func(s *txState) error {
		for id, n := range counts {
			if err := s.exec(`UPDATE memories SET accessed = max(accessed, ?), accesses = accesses + ? WHERE doc_id = ?`,
				at.UnixMilli(), n, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// Room is the number of memories that a project has in use.
type Room struct {
	Project int64  `db:"project_id"` // [NoProjectRow] = memories without a project
	Name    string // of the project
	Active  int
}

// Crowded returns the projects with at least this many memories in use.
func (db *DB) Crowded(ctx context.Context, least int) ([]Room, error) {
	var rows []Room
	err := db.read.SelectContext(ctx, &rows, `SELECT r.project_id, coalesce(p.name, '') AS name, count(*) AS active
		FROM memories m CROSS JOIN memory_roots r ON r.id = m.root_id LEFT JOIN projects p ON p.id = r.project_id
		WHERE m.state = 'active' GROUP BY r.id HAVING count(*) >= ? ORDER BY 3 DESC, 1`, least)
	return rows, translate(err)
}
