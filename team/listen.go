package team

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// maxListeners is how many machines of a team may each keep a connection open to be notified of changes. In a larger
// team, each machine asks once a minute instead.
const maxListeners = 25

// listenFor is how long a machine listens before it checks whether it still should.
const listenFor = 5 * time.Minute

// ErrCrowd means that the team has too many machines for each to keep a connection open.
var ErrCrowd = errors.New("the team has too many machines to listen")

// Listen calls changed whenever another machine has sent something, until ctx or the connection ends, or [listenFor]
// has passed. Behind a pooler that shares connections it is never notified, but nothing is lost.
func (s *Syncer) Listen(ctx context.Context, changed func()) error {
	ctx, cancel := context.WithTimeout(ctx, listenFor)
	defer cancel()
	return s.reading(ctx, func(r *remote) error {
		row, err := r.c.one(ctx, `SELECT count(*) FROM mum.machines WHERE team_id = $1 AND gone IS NULL
			AND seen > now() - interval '7 days'`, r.team)
		if err != nil {
			return err
		}
		if row.int(0) > maxListeners {
			return ErrCrowd
		}
		own := r.senderID()
		r.c.heard = func(n *pgconn.Notification) {
			if n.Channel == channel(r.team) && n.Payload != own {
				changed()
			}
		}
		if err := r.c.script(ctx, `LISTEN `+quoted(channel(r.team))); err != nil {
			return err
		}
		changed() // for what came since the last sync
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
