package store

import (
	"context"
	"fmt"
	"time"

	"keepmum/privacy"
)

// RuleMark says that a rule was stated, as keyed hashes without text.
type RuleMark struct {
	Words   string // of the rule
	Message string // with the rule, and the user's message before it: it is the same in a copy of the session
	At      time.Time
}

// MarkRule returns the mark of a rule. Only its words count, not its case, punctuation and line ends.
func (db *DB) MarkRule(rule, message, before privacy.Clean, at time.Time) RuleMark {
	return RuleMark{Words: db.mac("rule", wordsOnly(rule.String())),
		Message: db.mac("rule in", before.String(), message.String()), At: at.UTC().Truncate(time.Millisecond)}
}

// PutRules records which rules a session of the catalogue states, each once.
func (db *DB) PutRules(ctx context.Context, session string, rules []RuleMark) error {
	if len(rules) == 0 {
		return nil
	}
	err := db.writer.do(ctx, func(s *txState) error {
		for _, r := range rules {
			if err := s.exec(`INSERT INTO rules (words, message, session, at) SELECT ?, ?, key, ? FROM catalogue WHERE key = ?
				ON CONFLICT DO NOTHING`, r.Words, r.Message, r.At.UnixMilli(), session); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("record rules: %w", err)
	}
	return nil
}

// RuleMarks returns the marks of a rule in the sessions of a project.
func (db *DB) RuleMarks(ctx context.Context, project int64, words string) ([]RuleMark, error) {
	var rows []struct {
		Message string
		At      int64
	}
	if err := db.read.SelectContext(ctx, &rows, `SELECT r.message, r.at FROM rules r JOIN catalogue c ON c.key = r.session
		WHERE r.words = ? AND c.project_id = ?`, words, project); err != nil {
		return nil, fmt.Errorf("look for a rule: %w", translate(err))
	}
	var out []RuleMark
	for _, r := range rows {
		out = append(out, RuleMark{words, r.Message, time.UnixMilli(r.At).UTC()})
	}
	return out, nil
}

// dropRules removes what is known of the rules of a session.
func (s *txState) dropRules(agent, native string) error {
	return s.exec(`DELETE FROM rules WHERE session IN (SELECT key FROM catalogue WHERE agent = ? AND native = ?)`, agent,
		native)
}
