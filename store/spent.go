package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// SetModelSeconds stores how long models worked on a day (UTC). It replaces the previous value: only the latest day
// matters.
func (db *DB) SetModelSeconds(ctx context.Context, day time.Time, seconds float64) error {
	value := fmt.Sprintf("%s %g", day.Format(time.DateOnly), seconds)
	err := db.writer.do(ctx, func(s *txState) error {
		return s.exec(
			`INSERT INTO meta (key, value) VALUES ('model_seconds', ?) ON CONFLICT DO UPDATE SET value = excluded.value`, value)
	})
	if err != nil {
		return fmt.Errorf("keep the seconds of a model: %w", err)
	}
	return nil
}

// ModelSeconds returns how long models worked on a day, or 0 if that is unknown.
func (db *DB) ModelSeconds(ctx context.Context, day time.Time) (float64, error) {
	var value, kept string
	var seconds float64
	found, err := one(ctx, db.read, &value, `SELECT value FROM meta WHERE key = 'model_seconds'`)
	if err != nil || !found {
		return 0, err
	}
	if _, err := fmt.Sscan(value, &kept, &seconds); err != nil || kept != day.Format(time.DateOnly) {
		return 0, nil // the value is for another day
	}
	return seconds, nil
}

// EgressOf returns how many requests and bytes were sent to a model since a time. It reads the ledger, so a restart
// does not reset it.
func (db *DB) EgressOf(ctx context.Context, model string, since time.Time) (calls, bytes int64, err error) {
	row := struct{ Calls, Bytes int64 }{}
	err = db.read.GetContext(ctx, &row, `SELECT count(*) AS calls, coalesce(sum(bytes), 0) AS bytes FROM ledger
		WHERE kind = 'egress' AND model = ? AND at >= ?`,
		model, since.UnixMilli())
	return row.Calls, row.Bytes, translate(err)
}

// EgressFor returns the same by purpose.
func (db *DB) EgressFor(ctx context.Context, since time.Time, purposes ...string) (calls, bytes int64, err error) {
	list, err := json.Marshal(purposes)
	if err != nil {
		return 0, 0, err
	}
	row := struct{ Calls, Bytes int64 }{}
	err = db.read.GetContext(ctx, &row, `SELECT count(*) AS calls, coalesce(sum(bytes), 0) AS bytes FROM ledger
		WHERE kind = 'egress' AND purpose IN (SELECT value FROM json_each(?)) AND at >= ?`, string(list), since.UnixMilli())
	return row.Calls, row.Bytes, translate(err)
}
