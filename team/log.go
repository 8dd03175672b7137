package team

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Event is a row of the team's log.
type Event struct {
	N                                int64
	At                               time.Time
	Member, Machine, Action, Project string
	Count                            int64
	Hash                             string
}

// chained returns the hash of a row that follows a row with hash prev.
func (e Event) chained(prev string) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{prev, fmt.Sprint(e.N), fmt.Sprint(e.At.UnixMilli()), e.Member,
		e.Machine, e.Action, e.Project, fmt.Sprint(e.Count)}, "\n")))
	return hex.EncodeToString(sum[:])
}

// Log returns the newest rows of a project ("" = all), newest first, and checks the whole chain: broken is the first
// row that does not follow from the one before it.
func (s *Syncer) Log(ctx context.Context, project string, limit int) (events []Event, broken int64, err error) {
	err = s.reading(ctx, func(r *remote) error {
		rows, err := r.c.query(ctx, `SELECT n, at, member, machine, action, project_key, count, hash FROM mum.audit
			WHERE team_id = $1 ORDER BY n`, r.team)
		prev := ""
		for i, row := range rows {
			e := Event{row.int(0), time.UnixMilli(row.int(1)).UTC(), row[2], row[3], row[4], row[5], row.int(6), row[7]}
			if broken == 0 && (e.N != int64(i+1) || e.chained(prev) != e.Hash) {
				broken = e.N
			}
			prev = e.Hash
			if project == "" || project == e.Project {
				events = append(events, e)
			}
		}
		return err
	})
	slices.Reverse(events)
	return events[:min(len(events), limit)], broken, err
}
