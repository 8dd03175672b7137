package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Replace removes a text from every document that contains it, and returns how many did: for a secret that was stored
// before a rule recognised it. The text stays in memory only.
func (db *DB) Replace(ctx context.Context, text string) (changed int, err error) {
	forms := Spellings(text)
	if len(strings.TrimSpace(text)) < minForgotten {
		return 0, fmt.Errorf("%w: a text of fewer than 6 characters would match too much", ErrInvalid)
	}
	if len(text) > maxForgotten {
		return 0, fmt.Errorf("%w: a text of more than 64 MiB cannot be removed", ErrInvalid)
	}
	// before it is removed, so that nothing that is written meanwhile brings it back
	if err := db.writer.do(ctx, func(s *txState) error { return s.buryTexts(forms) }); err != nil {
		return 0, fmt.Errorf("replace: %w", err)
	}
	var after int64
	for {
		var ids []int64
		const find = `SELECT id FROM docs WHERE id > ? AND EXISTS (SELECT 1 FROM json_each(?) f
			WHERE instr(concat_ws(char(10), title, who, tool, input, output, body, files), f.value) > 0)
			ORDER BY id LIMIT ?`
		formsJSON, err := json.Marshal(forms)
		if err != nil {
			return changed, err
		}
		if err := db.read.SelectContext(ctx, &ids, find, after, string(formsJSON), forgetBatch); err != nil {
			return changed, translate(err)
		}
		if len(ids) == 0 {
			break
		}
		after = ids[len(ids)-1]
		if err := db.writer.do(ctx, func(s *txState) error { return s.replaceIn(ids, forms) }); err != nil {
			return changed, fmt.Errorf("replace: %w", err)
		}
		changed += len(ids)
	}
	if err := db.replaceElsewhere(ctx, forms, changed); err != nil {
		return changed, err
	}
	return changed, db.Checkpoint(ctx)
}

// Limits on the length of a text that can be removed everywhere. The longest fits easily into a request.
const (
	minForgotten = 6
	maxForgotten = 64 << 20
)

// forgottenMark replaces the text.
const forgottenMark = "[REDACTED:forgotten]"

func (s *txState) replaceIn(ids []int64, forms []string) error {
	for _, id := range ids {
		err := s.reindex(id, func(d *docRow) {
			for _, field := range []*string{&d.Title, &d.Who, &d.Tool, &d.Input, &d.Output, &d.Files} {
				*field = replaceAll(*field, forms)
			}
			if d.Body != nil {
				d.Body = ptr(replaceAll(*d.Body, forms))
			}
		})
		if err == nil {
			err = s.forgetFailures(id) // its signature was computed from the text
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// replaceElsewhere removes the text from the small tables, and leaves a receipt.
func (db *DB) replaceElsewhere(ctx context.Context, forms []string, docs int) error {
	return db.writer.do(ctx, func(s *txState) error {
		for _, form := range forms {
			for _, q := range []string{
				`UPDATE sessions SET dir = replace(dir, ?1, ?2), branch = replace(branch, ?1, ?2),
					branches = replace(branches, ?1, ?2), worktree = replace(worktree, ?1, ?2),
					transcript = replace(transcript, ?1, ?2), reason = replace(reason, ?1, ?2)
					WHERE instr(concat_ws(char(10), dir, branch, branches, worktree, transcript, reason), ?1) > 0`,
				`UPDATE docs SET branch = replace(branch, ?1, ?2) WHERE instr(branch, ?1) > 0`,
				`UPDATE catalogue SET path = replace(path, ?1, ?2), branch = replace(branch, ?1, ?2), title = replace(title, ?1, ?2)
					WHERE instr(concat_ws(char(10), path, branch, title), ?1) > 0`,
				`UPDATE proposals SET title = replace(title, ?1, ?2), body = replace(body, ?1, ?2), tags = replace(tags, ?1, ?2),
					sentence = replace(sentence, ?1, ?2), branch = replace(branch, ?1, ?2)
					WHERE instr(concat_ws(char(10), title, body, tags, sentence, branch), ?1) > 0`,
				`UPDATE OR REPLACE branches SET name = replace(name, ?1, ?2) WHERE instr(name, ?1) > 0`,
				`UPDATE injections SET query = replace(query, ?1, ?2) WHERE instr(query, ?1) > 0`,
				`UPDATE summaries SET concepts = replace(concepts, ?1, ?2) WHERE instr(concepts, ?1) > 0`,
				`UPDATE projects SET name = replace(name, ?1, ?2) WHERE instr(name, ?1) > 0`,
				`UPDATE touched SET branch = replace(branch, ?1, ?2), files = replace(files, ?1, ?2)
					WHERE instr(concat_ws(char(10), branch, files), ?1) > 0`,
				`UPDATE OR REPLACE repositories SET common_dir = replace(common_dir, ?1, ?2) WHERE instr(common_dir, ?1) > 0`,
				`DELETE FROM touched WHERE instr(root, ?1) > 0 AND ?2 <> ''`,
				`DELETE FROM project_aliases WHERE instr(value, ?1) > 0 AND ?2 <> ''`,
			} {
				if err := s.exec(q, form, forgottenMark); err != nil {
					return err
				}
			}
		}
		clear(s.sessions)
		if err := s.exec(`DELETE FROM rules`); err != nil { // their hashes do not show which of them has the text
			return err
		}
		return s.record(LedgerRow{Kind: LedgerForget, Bytes: int64(docs), Purpose: "text"})
	})
}

// Spellings returns the forms in which the database may contain a text: unchanged, and as JSON escapes it.
func Spellings(text string) []string {
	forms := []string{text}
	if b, err := json.Marshal(text); err == nil {
		if quoted := string(b[1 : len(b)-1]); quoted != text {
			forms = append(forms, quoted)
		}
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(text) == nil {
		if quoted := strings.TrimSuffix(b.String(), "\n"); !slices.Contains(forms, quoted[1:len(quoted)-1]) {
			forms = append(forms, quoted[1:len(quoted)-1])
		}
	}
	return forms
}

func replaceAll(s string, forms []string) string {
	for _, f := range forms {
		s = strings.ReplaceAll(s, f, forgottenMark)
	}
	return s
}
