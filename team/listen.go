package team

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"keepmum/store"
)

// listenersMost is up to how many machines of a team each holds a connection to be told of changes;
// with more of them each one only asks once a minute.
const listenersMost = 25

// listenFor is how long a machine listens before it looks whether it still should.
const listenFor = 5 * time.Minute

// ErrCrowd says that the team has too many machines for each to hold a connection.
var ErrCrowd = errors.New("the team has too many machines to listen")

// Listen calls changed whenever another machine sent something, until ctx ends, the connection does, or
// [listenFor] has passed. Behind a pooler that shares connections it hears nothing, and nothing is lost.
func (s *Syncer) Listen(ctx context.Context, changed func()) error {
	ctx, cancel := context.WithTimeout(ctx, listenFor)
	defer cancel()
	return s.with(ctx, func(_ store.TeamRow, r *remote) error {
		row, err := r.c.one(ctx, `SELECT count(*) FROM mum.machines WHERE team_id = $1 AND gone IS NULL
			AND seen > now() - interval '7 days'`, r.team)
		if err != nil {
			return err
		}
		if row.int(0) > listenersMost {
			return ErrCrowd
		}
		own := r.voice()
		r.c.heard = func(n *pgconn.Notification) {
			if n.Channel == channel(r.team) && n.Payload != own {
				changed()
			}
		}
		if err := r.c.script(ctx, `LISTEN `+quoted(channel(r.team))); err != nil {
			return err
		}
		changed() // what came between the last sync and now
		for {
			if err := r.c.pg.WaitForNotification(ctx); err != nil {
				if ctx.Err() != nil {
					return nil
				}
				return refused(err)
			}
		}
	})
}
