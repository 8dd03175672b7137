package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// MemoryMark identifies a forgotten memory that comes back from a transcript that is read again or a file that is
// restored.
type MemoryMark struct {
	Project     int64
	Name        string // its id
	Title, Body string
	Sources     []Source
}

// graves returns the keyed hashes of a memory: own for its id and title within its project, and the projects that were
// merged into it, and for its text anywhere, and sources for the places it came from.
func (db *DB) graves(m MemoryMark, merged ...int64) (own, sources []string) {
	marks := [][]string{{"memory text", wordsOnly(m.Body)}}
	for _, project := range append(merged, m.Project) {
		in := strconv.FormatInt(project, 10)
		marks = append(marks, []string{"memory id", in, m.Name}, []string{"memory title", in, wordsOnly(m.Title)})
	}
	for _, g := range marks {
		if g[len(g)-1] != "" {
			own = append(own, db.mac(g...))
		}
	}
	for _, s := range m.Sources {
		if s.Ref != "" {
			sources = append(sources, db.mac("memory source", s.Session, s.Ref))
		}
	}
	return own, sources
}

// wordsOnly reduces a text to its words: case, punctuation and line breaks do not make it another memory.
func wordsOnly(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

// Tombstoned reports whether this memory was forgotten after a time, that of the session that teaches it; zero means at
// any time. A memory is recognised by its id, title or text, or if all its sources are sources of the forgotten one,
// even in other words.
func (db *DB) Tombstoned(ctx context.Context, m MemoryMark, at time.Time) (bool, error) {
	var merged []int64
	if err := db.read.SelectContext(ctx, &merged, mergedInto, m.Project); err != nil {
		return false, fmt.Errorf("look for a tombstone: %w", translate(err))
	}
	own, sources := db.graves(m, merged...)
	since := int64(0)
	if !at.IsZero() {
		since = at.UnixMilli()
	}
	const count = `SELECT count(DISTINCT mac) FROM tombstones WHERE at >= ? AND mac IN (SELECT value FROM json_each(?))`
	var hits, places int
	if err := db.read.GetContext(ctx, &hits, count, since, jsonTexts(own)); err != nil {
		return false, fmt.Errorf("look for a tombstone: %w", translate(err))
	}
	if hits > 0 || len(sources) == 0 {
		return hits > 0, nil
	}
	if err := db.read.GetContext(ctx, &places, count, since, jsonTexts(sources)); err != nil {
		return false, fmt.Errorf("look for a tombstone: %w", translate(err))
	}
	slices.Sort(sources)
	return places == len(slices.Compact(sources)), nil
}

// memoryBuried returns [ErrForgotten] for a file that was made before it was forgotten, and that came back with a
// checkout or a backup.
func (s *txState) memoryBuried(project int64, f *MemoryFile) error {
	if !s.anyForgotten {
		return nil
	}
	merged, err := s.mergedInto(project)
	if err != nil {
		return err
	}
	own, _ := s.db.graves(MemoryMark{Project: project, Name: f.Name.String(), Title: f.Title.String(),
		Body: f.Body.String()}, merged...)
	for _, mac := range own {
		if err := s.buried(f.Created.UnixMilli(), func() string { return mac }); err != nil {
			return err
		}
	}
	return nil
}

// ForgottenPrint reports whether a memory with this fingerprint was forgotten after something was said (zero = at any
// time), or was learned in one of the sessions in which that was said. [DB.BuryMemories] must get fingerprints made in
// the same way.
func (db *DB) ForgottenPrint(ctx context.Context, print string, said time.Time, sessions ...string) (bool, error) {
	var in []string
	for _, session := range sessions {
		in = append(in, db.mac("memory print in", session, print))
	}
	since := int64(0)
	if !said.IsZero() {
		since = said.UnixMilli()
	}
	var n int
	err := db.read.GetContext(ctx, &n, `SELECT count(*) FROM tombstones WHERE mac = ? AND (at >= ? OR at = ?)
		OR mac IN (SELECT value FROM json_each(?))`, db.mac("memory print", print), since, ever, jsonTexts(in))
	return n > 0, translate(err)
}

// BuryMemories writes the tombstones of memories that are about to be forgotten, and of their fingerprints: from then
// on nothing brings them back, even if the forgetting is interrupted. when holds the times of those that were forgotten
// elsewhere; the same words written after that time are kept.
func (db *DB) BuryMemories(ctx context.Context, ids []int64, prints []string, when map[int64]time.Time) error {
	if ids == nil {
		ids = []int64{} // none, not all
	}
	rows, err := db.Memories(ctx, MemoryFilter{IDs: ids, AnyState: true})
	if err != nil {
		return err
	}
	err = db.writer.do(ctx, func(s *txState) error {
		last := int64(ever)
		marks := []string{}
		for _, print := range prints {
			marks = append(marks, s.mac("memory print", print))
		}
		for i := range rows {
			m := &rows[i]
			at := s.pastOf(when[m.ID], m)
			last = max(last, at)
			own, sources := db.graves(MemoryMark{m.Project, m.Name, m.Title, m.Body(), m.Sources()})
			for _, mac := range slices.Concat(own, sources) {
				if err := s.buryAt(mac, at); err != nil {
					return err
				}
			}
			for _, from := range m.Sources() {
				for _, print := range prints {
					marks = append(marks, s.mac("memory print in", from.Session, print))
				}
			}
		}
		for _, mac := range marks {
			if err := s.buryAt(mac, last); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("write tombstones: %w", err)
	}
	return nil
}

// pastOf returns when a memory was forgotten, in unix ms: now if that is zero or in the future, but not before what it
// says was said.
func (s *txState) pastOf(at time.Time, m *MemoryRow) int64 {
	now := max(s.now, m.Created, m.Updated, m.Said, m.ValidFrom)
	if at.IsZero() {
		return now
	}
	return min(at.UnixMilli(), now)
}

// ExhumeMemory removes a memory's tombstones, because the user wrote it again.
func (db *DB) ExhumeMemory(ctx context.Context, m MemoryMark, prints []string) error {
	return db.writer.do(ctx, func(s *txState) error {
		merged, err := s.mergedInto(m.Project)
		if err != nil {
			return err
		}
		own, _ := db.graves(m, merged...)
		for _, print := range prints {
			own = append(own, db.mac("memory print", print))
		}
		return s.exec(`DELETE FROM tombstones WHERE mac IN (SELECT value FROM json_each(?))`, jsonTexts(own))
	})
}

// planMemories adds the memories that a selection covers, those learned from what it covers, and the archived ones that
// any of them replaced, because those may say the same.
func (db *DB) planMemories(ctx context.Context, plan *ForgetPlan) error {
	chosen, err := db.selectedMemories(ctx, plan.selection)
	if err != nil {
		return err
	}
	learned, err := db.learnedFrom(ctx, plan)
	if err != nil {
		return err
	}
	read, err := db.learnedIn(ctx, plan)
	if err != nil {
		return err
	}
	plan.Memories = slices.Concat(chosen, learned, read)
	slices.Sort(plan.Memories)
	plan.Memories = slices.Compact(plan.Memories)
	const gaveWay = `WITH RECURSIVE gone(id) AS (SELECT value FROM json_each(?) UNION
		SELECT m.doc_id FROM gone g JOIN memories n ON n.doc_id = g.id JOIN memories m ON m.root_id = n.root_id
		AND m.superseded_by = n.name)
		SELECT id FROM gone ORDER BY id`
	ids := jsonIDs(plan.Memories)
	plan.Memories = nil
	return db.read.SelectContext(ctx, &plan.Memories, gaveWay, ids)
}

func (db *DB) selectedMemories(ctx context.Context, sel Selection) ([]int64, error) {
	if sel.Agent != "" || sel.Session != "" {
		return nil, nil // a memory belongs to no session: what was learned in a session is derived
	}
	words := sel.Words
	where, args, err := db.selected(ctx, Selection{IDs: sel.IDs, Project: sel.Project, Since: sel.Since, Until: sel.Until,
		UpTo: sel.UpTo})
	if err != nil {
		return nil, err
	}
	var rows []struct {
		ID          int64 `db:"doc_id"`
		Title, Body string
	}
	const query = `SELECT m.doc_id, coalesce(d.title, '') AS title, coalesce(d.body, '') AS body FROM memories m CROSS
		JOIN docs d ON d.id = m.doc_id WHERE 1`
	if err := db.read.SelectContext(ctx, &rows, query+where, args...); err != nil {
		return nil, err
	}
	var ids []int64
	for _, r := range rows {
		if holdsAll(r.Title+" "+r.Body, words) {
			ids = append(ids, r.ID)
		}
	}
	return ids, nil
}

// holdsAll reports whether a text contains every one of the words. It checks the text because archived memories are not
// in the index.
func holdsAll(text, words string) bool {
	has := map[string]bool{}
	for _, t := range allWords(text) {
		has[t.stem] = true
	}
	for _, t := range allWords(words) {
		if !t.ident && !has[t.stem] {
			return false
		}
	}
	return true
}

// DocRef parses the reference of a memory into a session. A document captured by hooks is written #12. Any other
// reference is a place in the agent's own file, followed by the hooks' document of the same event if there is one:
// 38#12.
func DocRef(ref string) (id int64, ok bool) {
	number, ok := strings.CutPrefix(ref, "#")
	id, err := strconv.ParseInt(number, 10, 64)
	return id, ok && err == nil
}

// Place splits the reference of a memory into a session, for display, into the place in the agent's own file ("" =
// none) and the document (0 = none).
func Place(ref string) (place string, id int64) {
	place, number, _ := strings.Cut(ref, "#")
	id, _ = strconv.ParseInt(number, 10, 64) // 0 if it is not a document
	return place, id
}

// learnedIn finds the memories of sessions that were read from the agents' own files, which have no documents to find
// them by.
func (db *DB) learnedIn(ctx context.Context, plan *ForgetPlan) ([]int64, error) {
	sel := plan.selection
	native := ""
	if sel.OneSession() {
		native = sel.Session
	}
	read := make([]string, len(plan.Read))
	for i, r := range plan.Read {
		read[i] = r.Agent + "/" + r.Native
	}
	if native == "" && len(read) == 0 {
		return nil, nil
	}
	var rows []struct {
		ID      int64 `db:"doc_id"`
		Session string
	}
	err := db.read.SelectContext(ctx, &rows,
		`SELECT DISTINCT m.doc_id, e.value ->> 'session' AS session FROM memories m, json_each(m.sources) e
		WHERE e.value ->> 'session' IN (SELECT value FROM json_each(?))
		OR substr(e.value ->> 'session', instr(e.value ->> 'session', '/') + 1) = ?
		AND ? IN ('', substr(e.value ->> 'session', 1, instr(e.value ->> 'session', '/') - 1))`, jsonTexts(read), native,
		sel.Agent)
	var ids []int64
	for _, r := range rows {
		ids, read = append(ids, r.ID), append(read, r.Session)
	}
	for _, session := range read {
		if !slices.Contains(plan.From, session) {
			plan.From = append(plan.From, session)
		}
	}
	return ids, translate(err)
}

// SessionsOf returns the sessions of some documents, as agent/native.
func (db *DB) SessionsOf(ctx context.Context, ids []int64) ([]string, error) {
	var sessions []string
	err := db.read.SelectContext(ctx, &sessions,
		`SELECT DISTINCT s.agent || '/' || s.native FROM docs d CROSS JOIN sessions s ON s.id = d.session_id
		WHERE d.id IN (SELECT value FROM json_each(?)) ORDER BY 1`, jsonIDs(ids))
	return sessions, translate(err)
}

// forgetMemory removes a memory whose file is gone, and the receipts that name it.
func (s *txState) forgetMemory(d *docRow) error {
	if err := s.dropMemory(d.ID); err != nil {
		return err
	}
	if err := s.exec(`DELETE FROM injections WHERE EXISTS (SELECT 1 FROM json_each(entries) e WHERE e.value ->> 'id' = ?)`,
		d.ID); err != nil {
		return err
	}
	return s.dropEmptyProject(d.Project)
}

func jsonTexts(texts []string) string {
	b, _ := json.Marshal(texts) // a list of strings always encodes
	if texts == nil {
		return "[]"
	}
	return string(b)
}
