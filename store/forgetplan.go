package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Selection says what to forget. A document must match every criterion that is set; an empty selection is refused.
type Selection struct {
	IDs          []int64
	Words        string // documents that contain all of these words
	Agent        string
	Session      string // the agent's session id
	Project      string // a name
	Since, Until time.Time
	UpTo         int64 // the newest document that counts; 0 = all
}

func (sel Selection) empty() bool {
	named := sel.Words + sel.Agent + sel.Session + sel.Project
	return len(sel.IDs) == 0 && named == "" && sel.Since.IsZero() && sel.Until.IsZero()
}

// ForgetPlan is what forgetting a selection removes.
type ForgetPlan struct {
	Docs      []int64             // documents that were selected
	Derived   []int64             // summaries made from them
	Memories  []int64             // memories that were selected, or learned from something selected
	Sessions  []int64             // sessions of which nothing remains
	From      []string            // the sessions of the documents, as agent/native
	Proposals []int64             // proposals waiting for the user's decision
	Read      []Read              // sessions selected as a whole: their transcripts are not read again
	When      map[int64]time.Time // for what was forgotten elsewhere and came from the team: when
	selection Selection
}

// Read identifies a session as its agent's own file does.
type Read struct{ Agent, Native string }

// Empty reports whether there is nothing to forget.
func (p ForgetPlan) Empty() bool {
	return len(p.Docs)+len(p.Memories)+len(p.Proposals)+len(p.Read) == 0
}

// OneSession reports whether a selection names exactly one whole session.
func (sel Selection) OneSession() bool {
	return sel.Session != "" && sel.whole() && sel.Since.IsZero() && sel.Until.IsZero()
}

// whole reports whether a selection can cover whole sessions.
func (sel Selection) whole() bool { return sel.Words == "" && len(sel.IDs) == 0 }

// LastDocument returns the number of the newest document.
func (db *DB) LastDocument(ctx context.Context) (id int64, err error) {
	err = db.read.GetContext(ctx, &id, `SELECT coalesce(max(id), 0) FROM docs`)
	return id, translate(err)
}

// PlanForget finds what a selection covers and what was derived from it. It changes nothing.
func (db *DB) PlanForget(ctx context.Context, sel Selection) (ForgetPlan, error) {
	if sel.empty() {
		return ForgetPlan{}, fmt.Errorf("%w: name what to forget", ErrInvalid)
	}
	plan, err := db.planForget(ctx, sel)
	if err != nil {
		return ForgetPlan{}, fmt.Errorf("plan what to forget: %w", translate(err))
	}
	return plan, nil
}

func (db *DB) planForget(ctx context.Context, sel Selection) (ForgetPlan, error) {
	plan := ForgetPlan{selection: sel}
	where, args, err := db.selected(ctx, sel)
	if err != nil {
		return plan, err
	}
	// A commit has no session. Memories are planned separately.
	const docs = `SELECT d.id FROM docs d LEFT JOIN sessions s ON s.id = d.session_id
		WHERE (s.id IS NOT NULL OR d.kind = 'commit')`
	if err := db.read.SelectContext(ctx, &plan.Docs, docs+where+` ORDER BY d.id`, args...); err != nil {
		return plan, err
	}
	if err := db.derived(ctx, &plan); err != nil {
		return plan, err
	}
	if err := db.planRead(ctx, &plan); err != nil {
		return plan, err
	}
	if err := db.planMemories(ctx, &plan); err != nil {
		return plan, err
	}
	return plan, db.planProposals(ctx, &plan)
}

// selected builds the SQL condition of a selection.
func (db *DB) selected(ctx context.Context, sel Selection) (string, []any, error) {
	q := Query{Agent: sel.Agent, Since: sel.Since, Until: sel.Until}
	where, args := q.filters()
	if sel.Session != "" {
		where, args = where+` AND s.native = ?`, append(args, sel.Session)
	}
	if sel.Project != "" {
		ids, err := db.ProjectsNamed(ctx, sel.Project)
		if err != nil {
			return "", nil, err
		}
		where, args = where+` AND d.project_id IN (SELECT value FROM json_each(?))`, append(args, jsonIDs(ids))
	}
	if len(sel.IDs) > 0 {
		where, args = where+` AND d.id IN (SELECT value FROM json_each(?))`, append(args, jsonIDs(sel.IDs))
	}
	if sel.UpTo > 0 {
		where, args = where+` AND d.id <= ?`, append(args, sel.UpTo)
	}
	if sel.Words == "" {
		return where, args, nil
	}
	all := matchAll(allWords(sel.Words))
	if all == "" {
		return "", nil, fmt.Errorf("%w: there is no word to search for", ErrInvalid)
	}
	return where + ` AND d.id IN (SELECT rowid & 0xFFFFFFFFFF FROM docs_fts WHERE docs_fts MATCH ?)`,
		append(args, all), nil
}

// planRead adds the sessions of the catalogue that a selection covers completely, and those that one of them started.
func (db *DB) planRead(ctx context.Context, plan *ForgetPlan) error {
	sel := plan.selection
	if !sel.whole() {
		return nil
	}
	where, args := "", []any{}
	add := func(cond string, arg ...any) { where, args = where+" AND "+cond, append(args, arg...) }
	if sel.Session != "" {
		add(`? IN (native, parent)`, sel.Session)
	}
	if sel.Agent != "" {
		add(`agent = ?`, sel.Agent)
	}
	if sel.Project != "" {
		ids, err := db.ProjectsNamed(ctx, sel.Project)
		if err != nil {
			return err
		}
		add(`project_id IN (SELECT value FROM json_each(?))`, jsonIDs(ids))
	}
	if !sel.Since.IsZero() {
		add(`started >= ?`, sel.Since.UnixMilli())
	}
	if !sel.Until.IsZero() {
		add(`ended < ?`, sel.Until.UnixMilli())
	}
	return db.read.SelectContext(ctx, &plan.Read, `SELECT agent, native FROM catalogue WHERE 1`+where+` ORDER BY id`,
		args...)
}

// derived adds what was made from the documents: the summaries of their turns and sessions, and the sessions left with
// nothing.
func (db *DB) derived(ctx context.Context, plan *ForgetPlan) error {
	const (
		chosen = `WITH chosen AS (SELECT d.id, d.kind, d.session_id, d.turn_id FROM docs d
			WHERE d.id IN (SELECT value FROM json_each(?))), `
		// A summary that was selected together with its source counts as derived, too.
		made = `source AS (SELECT * FROM chosen WHERE kind <> 'summary' OR NOT ?) SELECT m.doc_id FROM summaries m WHERE
			(m.scope = 'session' AND m.session_id IN (SELECT session_id FROM source)
			OR m.scope = 'turn' AND (m.session_id, m.turn_id) IN (
				SELECT session_id, coalesce(turn_id, 0) FROM source UNION SELECT session_id, id FROM source))
			AND (m.doc_id IN (SELECT id FROM chosen)) = ? ORDER BY m.doc_id`
	)
	ids := jsonIDs(plan.Docs)
	var beside []int64
	if err := db.read.SelectContext(ctx, &plan.Derived, chosen+made, ids, false, false); err != nil {
		return err
	}
	if err := db.read.SelectContext(ctx, &beside, chosen+made, ids, true, true); err != nil {
		return err
	}
	for _, id := range beside {
		if !slices.Contains(plan.selection.IDs, id) {
			plan.Derived = append(plan.Derived, id)
			plan.Docs = slices.DeleteFunc(plan.Docs, func(d int64) bool { return d == id })
		}
	}
	slices.Sort(plan.Derived)
	return db.read.SelectContext(ctx, &plan.Sessions,
		chosen+`rest AS (SELECT 1) SELECT DISTINCT session_id FROM chosen WHERE session_id <> 0 AND NOT EXISTS
		(SELECT 1 FROM docs d WHERE d.session_id = chosen.session_id AND d.kind <> 'summary'
			AND d.id NOT IN (SELECT id FROM chosen)) ORDER BY 1`, ids)
}

const (
	maxProbes  = 5
	probeBytes = 32
)

// Probes returns pieces of the text to be removed that no other document contains: if no file contains any of them
// afterwards, the text is gone.
func (db *DB) Probes(ctx context.Context, plan ForgetPlan) ([]string, error) {
	some := slices.Concat(plan.Memories[:min(len(plan.Memories), 2*maxProbes)],
		plan.Docs[:min(len(plan.Docs), 4*maxProbes)])
	rows, err := db.Observations(ctx, some)
	if err != nil {
		return nil, err
	}
	var probes []string
	for _, r := range rows {
		p := Probe(r.Text)
		if p == "" && r.Type == KindMemory { // a fact is often a title only
			p = Probe(r.Title)
		}
		if p != "" && len(probes) < maxProbes {
			probes = append(probes, p)
		}
	}
	for _, id := range plan.Proposals[:min(len(plan.Proposals), maxProbes)] {
		p, err := db.Proposal(ctx, id)
		if err != nil {
			return nil, err
		}
		for _, text := range []string{p.Body, p.Sentence} {
			if piece := Probe(text); piece != "" {
				probes = append(probes, piece)
			}
		}
	}
	var shared []string
	const elsewhere = `SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM docs d
		WHERE d.id NOT IN (SELECT value FROM json_each(?))
		AND instr(concat_ws(char(10), d.title, d.input, d.output, d.body, d.files), json_each.value) > 0)`
	list, err := json.Marshal(probes)
	if err != nil {
		return nil, err
	}
	if err := db.read.SelectContext(ctx, &shared, elsewhere, string(list),
		jsonIDs(slices.Concat(plan.Docs, plan.Derived, plan.Memories))); err != nil {
		return nil, fmt.Errorf("choose probes: %w", translate(err))
	}
	return slices.DeleteFunc(probes, func(p string) bool { return slices.Contains(shared, p) }), nil
}

// Probe returns a piece of a text that is written the same way inside JSON, or "" if the text is too short to be
// unique.
func Probe(text string) (best string) {
	changes := func(r rune) bool {
		return r < ' ' || !unicode.IsPrint(r) || r == utf8.RuneError || strings.ContainsRune(`"\<>&`, r)
	}
	for piece := range strings.FieldsFuncSeq(text, changes) {
		if len(piece) > len(best) {
			best = piece
		}
	}
	if len(best) < 12 {
		return "" // too short to be unique
	}
	return strings.ToValidUTF8(best[:min(len(best), probeBytes)], "")
}
