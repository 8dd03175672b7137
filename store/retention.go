package store

import (
	"context"
	"fmt"
	"time"
)

const expiredQuery = `SELECT d.id FROM docs d WHERE d.kind = 'observation' AND d.at < ? AND d.id > ?
	AND coalesce(d.input, d.output, nullif(d.body, '')) IS NOT NULL
	AND EXISTS (SELECT 1 FROM summaries m WHERE m.scope = 'turn' AND m.session_id = d.session_id
	AND m.turn_id = coalesce(d.turn_id, 0))
	ORDER BY d.id LIMIT ?`

// dropRaw empties an observation. Its tombstone is written now, because it cannot be made without the text: neither
// what is dropped here nor what the user forgets later comes back.
func (s *txState) dropRaw(id int64) error {
	d, found, err := s.load(id)
	if err != nil || !found {
		return err
	}
	key, err := s.keyOf(d.Session)
	if err != nil {
		return err
	}
	if err := s.buryDoc(key, d, d.At); err != nil {
		return err
	}
	return s.reindex(id, func(d *docRow) { d.Input, d.Output, d.Body = "", "", ptr("") })
}

// DropRaw removes the inputs and outputs of observations that are older than a time and whose turn has a summary.
// Titles, files and times stay. It returns how many it emptied.
func (db *DB) DropRaw(ctx context.Context, before time.Time) (n int, err error) {
	var after int64
	for {
		var ids []int64
		if err := db.read.SelectContext(ctx, &ids, expiredQuery, before.UnixMilli(), after, forgetBatch); err != nil {
			return n, fmt.Errorf("find what is too old: %w", translate(err))
		}
		if len(ids) == 0 {
			return n, nil
		}
		after = ids[len(ids)-1]
		err := db.writer.do(ctx, func(s *txState) error {
			for _, id := range ids {
				if err := s.dropRaw(id); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return n, fmt.Errorf("drop what is too old: %w", err)
		}
		n += len(ids)
	}
}
