package store

import (
	"strings"

	"keepmum/privacy"
)

// docRow is a row of docs.
type docRow struct {
	ID         int64
	Kind       Kind
	Project    int64 `db:"project_id"`
	Session    int64 `db:"session_id"`
	Turn       int64 `db:"turn_id"`
	At         int64
	Dedupe     *int64
	Role       string
	Who        string
	Tool       string
	Title      string
	Input      string
	Output     string
	Body       *string // nil: use the texts of input and output
	Files      string
	Failed     bool
	Excluded   bool
	DurationMS int64 `db:"duration_ms"`
	Subagent   string
	Tokens     int64
	Rules      string `db:"rules_version"`
	Branch     string `db:"own_branch"` // "" = the session's

	indexed string // the text of its entry in the index
}

const docColumns = `d.id, d.kind, d.project_id, d.session_id, coalesce(d.turn_id, 0) AS turn_id, d.at, d.dedupe,
	coalesce(d.role, '') AS role, coalesce(d.who, '') AS who, coalesce(d.tool, '') AS tool, coalesce(d.title, '') AS title,
	coalesce(d.input, '') AS input, coalesce(d.output, '') AS output, d.body, coalesce(d.files, '') AS files, d.failed,
	d.excluded, d.duration_ms, coalesce(d.subagent, '') AS subagent, d.tokens, d.rules_version,
	coalesce(d.branch, '') AS own_branch`

// projectShift is the position of the project in a row id of the index.
const projectShift = 40

func indexID(project, doc int64) int64 { return project<<projectShift | doc }

func docID(index int64) int64 { return index & (1<<projectShift - 1) }

// index prepares the text of the document's index entry.
func (d *docRow) index() {
	d.indexText(d.text())
}

// indexText does the same for a document whose text is known.
func (d *docRow) indexText(text string) {
	d.indexed, d.Tokens = indexEntry(d, text)
}

func (d *docRow) size() int64 {
	n := len(d.Title) + len(d.Input) + len(d.Output) + len(d.Files)
	if d.Body != nil {
		n += len(*d.Body)
	}
	return int64(n)
}

// insertDoc adds a document and everything derived from it.
func (s *txState) insertDoc(d *docRow) error {
	if _, err := s.withoutForgotten(d); err != nil {
		return err
	}
	if err := s.insertRow(d); err != nil {
		return err
	}
	s.notePrompt(d)
	return s.addEntry(d)
}

// insertLight adds a document that [txState.docBuried] let pass; what is derived from it is written later.
func (s *txState) insertLight(d *docRow) error {
	if len(s.pending.docs) >= maxUnfolded { // the index may be broken: fold before accepting more
		if err := s.fold(); err != nil {
			return err
		}
	}
	if err := s.insertRow(d); err != nil {
		return err
	}
	s.notePrompt(d)
	s.pending.docs = append(s.pending.docs, d)
	s.pending.bytes += int64(len(d.indexed))
	return nil
}

func (s *txState) insertRow(d *docRow) (err error) {
	if d.Rules == "" {
		d.Rules = privacy.RulesVersion()
	}
	const insert = `INSERT INTO docs (kind, project_id, session_id, turn_id, at, dedupe, role, who, tool, title, input,
		output, body, files, failed, excluded, duration_ms, subagent, tokens, rules_version, branch)
		VALUES (?, ?, ?, ?, ?, ?, nullif(?, ''), nullif(?, ''), nullif(?, ''), nullif(?, ''), nullif(?, ''), nullif(?, ''),
		?, nullif(?, ''), ?, ?, ?, nullif(?, ''), ?, ?, nullif(?, ''))`
	d.ID, err = s.insert(insert, d.Kind, d.Project, d.Session, nullable(d.Turn), d.At, d.Dedupe, d.Role, d.Who, d.Tool,
		d.Title, d.Input, d.Output, d.Body, d.Files, d.Failed, d.Excluded, d.DurationMS, d.Subagent, d.Tokens, d.Rules,
		d.Branch)
	return err
}

// withoutForgotten removes from a document what is not stored: the texts that were removed from all others, and NUL
// bytes, because SQLite's functions take them for the end of a text. It reports whether there was any.
func (s *txState) withoutForgotten(d *docRow) (changed bool, err error) {
	texts, err := s.forgottenTexts()
	if err != nil || !d.without(texts) {
		return false, err
	}
	d.index()
	return true, nil
}

// without removes forgotten texts and NUL bytes, and reports whether there were any.
func (d *docRow) without(texts ForgottenTexts) (changed bool) {
	if d.Body != nil {
		d.Body = ptr(*d.Body) // a copy of the row may have the same
	}
	for _, field := range []*string{&d.Title, &d.Who, &d.Tool, &d.Input, &d.Output, &d.Files, d.Body} {
		if field == nil {
			continue
		}
		if rest := texts.without(strings.ReplaceAll(*field, "\x00", " ")); rest != *field {
			*field, changed = rest, true
		}
	}
	return changed
}

func (s *txState) addEntry(d *docRow) error {
	s.pending.mark = max(s.pending.mark, d.ID)
	s.count(d.Project, d.Kind, total{1, d.Tokens, d.size()})
	if !s.rebuild.has(d.ID) {
		return nil // the rebuild will reach it
	}
	return s.exec(`INSERT INTO docs_fts (rowid, text) VALUES (?, ?)`, indexID(d.Project, d.ID), d.indexed)
}

// dropEntry removes a document from the index. FTS5 needs the exact text that was added, so that text depends on the
// row alone.
func (s *txState) dropEntry(d *docRow) error {
	s.count(d.Project, d.Kind, total{-1, -d.Tokens, -d.size()})
	s.stale = append(s.stale, d.ID)
	s.timesChanged = s.timesChanged || d.Kind == KindMemory
	s.notePrompt(d)
	if !s.rebuild.has(d.ID) {
		return nil // it has no entry yet
	}
	return s.exec(`INSERT INTO docs_fts (docs_fts, rowid, text) VALUES ('delete', ?, ?)`, indexID(d.Project, d.ID),
		indexText(d))
}

// notePrompt records that the prompts of a session changed.
func (s *txState) notePrompt(d *docRow) {
	if d.Kind == KindPrompt {
		s.promptsChanged = append(s.promptsChanged, d.Session)
	}
}

// load reads a document; it returns false if there is none.
func (s *txState) load(id int64) (*docRow, bool, error) {
	d := &docRow{}
	found, err := s.get(d, `SELECT `+docColumns+` FROM docs d WHERE d.id = ?`, id)
	return d, found, err
}

// reindex changes a document and its index entry together. What was removed from all documents does not come back: the
// change may have been made up before.
func (s *txState) reindex(id int64, change func(*docRow)) error {
	d, found, err := s.load(id)
	if err != nil || !found {
		return err
	}
	if err := s.dropEntry(d); err != nil {
		return err
	}
	change(d)
	if _, err := s.withoutForgotten(d); err != nil {
		return err
	}
	d.index()
	const update = `UPDATE docs SET project_id = ?, title = nullif(?, ''), who = nullif(?, ''), tool = nullif(?, ''),
		input = nullif(?, ''), output = nullif(?, ''), body = ?, files = nullif(?, ''), tokens = ?, rules_version = ?
		WHERE id = ?`
	s.notePrompt(d)
	if err := s.exec(update, d.Project, d.Title, d.Who, d.Tool, d.Input, d.Output, d.Body, d.Files, d.Tokens, d.Rules,
		id); err != nil {
		return err
	}
	return s.addEntry(d)
}

func (s *txState) deleteDoc(d *docRow) error {
	if err := s.dropEntry(d); err != nil {
		return err
	}
	if err := firstOf(s.forgetFailures(d.ID), s.exec(`DELETE FROM files WHERE doc_id = ?`, d.ID)); err != nil {
		return err
	}
	return s.exec(`DELETE FROM docs WHERE id = ?`, d.ID)
}

// turn returns the prompt that a document belongs to; for a prompt of the user, its own id.
func (d *docRow) turn() int64 {
	if d.Turn == 0 && d.Kind == KindPrompt && d.Role != string(RoleAssistant) {
		return d.ID
	}
	return d.Turn
}
