package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepmum/privacy"
)

// ProposalState is what the user decided about a proposal.
type ProposalState string

// The states.
const (
	ProposalOpen    ProposalState = "open"
	ProposalKept    ProposalState = "kept"
	ProposalDropped ProposalState = "dropped"
	ProposalNever   ProposalState = "never" // nor anything like it
)

// Proposal is what a session may have taught, for the user to judge.
type Proposal struct {
	Project      int64
	Form, Kind   string
	Title, Body  privacy.Clean
	Sentence     privacy.Clean // the sentence it comes from
	Tags         []privacy.Clean
	Why          string // a code: why it did not become a memory on its own
	Confidence   float64
	Session, Ref privacy.Clean // agent/native, and the place in it
	At           time.Time     // when it was said
	Branch       privacy.Clean // where it was learned, if it is not valid elsewhere yet
}

// ProposalRow is a stored proposal.
type ProposalRow struct {
	ID           int64
	Project      int64  `db:"project_id"`
	ProjectName  string `db:"project_name"`
	State        ProposalState
	Form, Kind   string
	Title, Body  string
	TagList      string `db:"tags"`
	Sentence     string
	Why          string
	Confidence   float64
	Session, Ref string
	Branch       string
	Said         int64 // unix ms
	Created      int64
	Looked       int64
	Decided      int64
	Memory       int64 // the document of the memory it became; 0 = none
}

// Tags returns the tags of a proposal.
func (p *ProposalRow) Tags() []string {
	var tags []string
	_ = json.Unmarshal([]byte(p.TagList), &tags) // it was encoded here
	return tags
}

// ProposalHidden is how long a proposal is shown if nobody opens it.
const ProposalHidden = 30 * 24 * time.Hour

// PutProposal stores a proposal. It returns false for one that was made before, whatever was decided about it, and for
// one that was forgotten after it was said.
func (db *DB) PutProposal(ctx context.Context, p Proposal) (bool, error) {
	p.Tags = slices.Clone(p.Tags)
	texts := []*privacy.Clean{&p.Title, &p.Body, &p.Sentence, &p.Branch}
	for i := range p.Tags {
		texts = append(texts, &p.Tags[i])
	}
	mac := func(project int64) string {
		return db.mac("proposal", strconv.FormatInt(project, 10), wordsOnly(p.Title.String()+" "+p.Body.String()))
	}
	fresh, err := write(ctx, db.writer, func(s *txState) (bool, error) {
		if known, err := s.proposedBefore(p, mac); err != nil || known {
			return false, err
		}
		if err := s.withoutTexts(texts...); err != nil {
			return false, err
		}
		list, err := json.Marshal(notNil(p.Tags))
		if err != nil {
			return false, err
		}
		changed, err := s.changed(`INSERT INTO proposals (project_id, mac, form, kind, title, body, tags, sentence, why,
			confidence, session, ref, said, created, branch)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			p.Project, mac(p.Project), p.Form, p.Kind, p.Title, p.Body, string(list), p.Sentence, p.Why, p.Confidence,
			p.Session, p.Ref, s.at(p.At), s.now, p.Branch)
		return changed > 0, err
	})
	if err != nil {
		return false, fmt.Errorf("keep a proposal: %w", err)
	}
	return fresh, nil
}

// proposedBefore reports whether a proposal was made before, or forgotten after it was said, in its project or in one
// that was merged into it.
func (s *txState) proposedBefore(p Proposal, mac func(project int64) string) (bool, error) {
	projects, err := s.mergedInto(p.Project)
	if err != nil {
		return false, err
	}
	var macs []string
	for _, project := range append(projects, p.Project) {
		macs = append(macs, mac(project))
	}
	var n int
	_, err = s.get(&n, `WITH same AS (SELECT value FROM json_each(?))
		SELECT (SELECT count(*) FROM tombstones WHERE mac IN same AND at >= ?) +
			(SELECT count(*) FROM proposals WHERE mac IN same)`, jsonTexts(macs), s.at(p.At))
	return n > 0, err
}

const proposalColumns = `p.id, p.project_id, coalesce(j.name, '') AS project_name, p.state, p.form, p.kind, p.title,
	p.body, p.tags, p.sentence, p.why, p.confidence, p.session, p.ref, p.branch, p.said, p.created, p.looked,
	p.decided, p.memory FROM proposals p LEFT JOIN projects j
	ON j.id = p.project_id`

// ProposalFilter selects proposals. The zero value selects the open ones that are shown.
type ProposalFilter struct {
	Projects []int64 // nil = all
	States   []ProposalState
	Hidden   bool // include those that nobody has opened for a long time
	Limit    int  // 0 = all
}

// Proposals lists proposals, newest first.
func (db *DB) Proposals(ctx context.Context, f ProposalFilter) ([]ProposalRow, error) {
	if len(f.States) == 0 {
		f.States = []ProposalState{ProposalOpen}
	}
	since := db.now().Add(-ProposalHidden).UnixMilli()
	if f.Hidden {
		since = 0
	}
	if f.Limit == 0 {
		f.Limit = -1
	}
	where, args := ` WHERE p.state IN (?`+strings.Repeat(", ?", len(f.States)-1)+`) AND max(p.created, p.looked) >= ?`,
		append(anys(f.States), since)
	if f.Projects != nil {
		where, args = where+` AND p.project_id IN (SELECT value FROM json_each(?))`, append(args, jsonIDs(f.Projects))
	}
	var rows []ProposalRow
	err := db.read.SelectContext(ctx, &rows, `SELECT `+proposalColumns+where+` ORDER BY p.said DESC, p.id DESC LIMIT ?`,
		append(args, f.Limit)...)
	return rows, translate(err)
}

// Proposal returns one proposal, or [ErrNotFound].
func (db *DB) Proposal(ctx context.Context, id int64) (row ProposalRow, err error) {
	err = db.read.GetContext(ctx, &row, `SELECT `+proposalColumns+` WHERE p.id = ?`, id)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("proposal %d: %w", id, ErrNotFound)
	}
	return row, translate(err)
}

// LookedAt records that the user saw some proposals.
func (db *DB) LookedAt(ctx context.Context, ids []int64) error {
	return db.writer.do(ctx, func(s *txState) error {
		return s.exec(`UPDATE proposals SET looked = ? WHERE id IN (SELECT value FROM json_each(?))`, s.now, jsonIDs(ids))
	})
}

// DecideProposal records what the user decided about a proposal, and the document it became.
func (db *DB) DecideProposal(ctx context.Context, id int64, state ProposalState, memory int64) error {
	return db.writer.do(ctx, func(s *txState) error {
		return s.exec(`UPDATE proposals SET state = ?, memory = ?, decided = ?, looked = ? WHERE id = ?`, state, memory,
			s.now, s.now, id)
	})
}

// planProposals adds the proposals that a plan covers: from its sessions, made into its memories, with the given words,
// or with a piece of the text to be removed. A proposal is cheap, so in doubt it is removed.
func (db *DB) planProposals(ctx context.Context, plan *ForgetPlan) error {
	rows, err := db.Proposals(ctx,
		ProposalFilter{Hidden: true, States: []ProposalState{ProposalOpen, ProposalKept, ProposalDropped, ProposalNever}})
	if err != nil || len(rows) == 0 {
		return err
	}
	pieces, err := db.pieces(ctx, slices.Concat(plan.Memories, plan.Docs))
	if err != nil {
		return err
	}
	var named []int64
	if plan.selection.Project != "" {
		if named, err = db.ProjectsNamed(ctx, plan.selection.Project); err != nil {
			return err
		}
	}
	for i := range rows {
		p := &rows[i]
		text := p.Title + "\n" + p.Body + "\n" + p.Sentence
		holds := func(piece string) bool { return strings.Contains(text, piece) }
		if slices.Contains(plan.Memories, p.Memory) || plan.covers(p, text, named) || slices.ContainsFunc(pieces, holds) {
			plan.Proposals = append(plan.Proposals, p.ID)
		}
	}
	return nil
}

// pieces returns parts of some documents by which they can be recognised.
func (db *DB) pieces(ctx context.Context, ids []int64) (out []string, err error) {
	rows, err := db.Observations(ctx, ids[:min(len(ids), 1000)])
	for _, r := range rows {
		if piece := Probe(r.Text); piece != "" {
			out = append(out, piece)
		}
	}
	return out, err
}

// covers reports whether a proposal belongs to what was selected.
func (plan *ForgetPlan) covers(p *ProposalRow, text string, named []int64) bool {
	sel := plan.selection
	agent, native, _ := strings.Cut(p.Session, "/")
	if slices.Contains(plan.From, p.Session) || slices.Contains(plan.Read, Read{agent, native}) {
		return true
	}
	if len(sel.IDs) > 0 {
		return false
	}
	said := time.UnixMilli(p.Said)
	within := (sel.Since.IsZero() || !said.Before(sel.Since)) && (sel.Until.IsZero() || said.Before(sel.Until))
	whose := (sel.Agent == "" || sel.Agent == agent) && (sel.Session == "" || sel.Session == native)
	where := sel.Project == "" || slices.Contains(named, p.Project)
	return within && whose && where && (sel.Words == "" || holdsAll(text, sel.Words))
}

// forgetProposals removes proposals and leaves tombstones, so that they are not made again from what was said until
// now.
func (s *txState) forgetProposals(ids []int64) error {
	var rows []struct {
		Mac  string
		Said int64
	}
	if err := s.list(&rows, `SELECT mac, said FROM proposals WHERE id IN (SELECT value FROM json_each(?))`,
		jsonIDs(ids)); err != nil {
		return err
	}
	for _, r := range rows {
		if err := s.bury(r.Mac, r.Said); err != nil {
			return err
		}
	}
	return s.exec(`DELETE FROM proposals WHERE id IN (SELECT value FROM json_each(?))`, jsonIDs(ids))
}
