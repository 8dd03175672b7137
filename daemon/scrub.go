package daemon

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/store"
)

func (d *Daemon) postScrub(c echo.Context) error {
	var in api.Scrub
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	unhurried(c)
	out, err := d.scrub(c.Request().Context(), in, nil)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

// scrub rewrites what the current rules would not keep, also in memory files, and replaces the backups that contain it.
// Files come first, because the database records that a scrub has ended.
func (d *Daemon) scrub(ctx context.Context, in api.Scrub, between func(context.Context)) (api.Scrubbed, error) {
	out := api.Scrubbed{Findings: map[string]int{}, DryRun: in.DryRun}
	var err error
	if out.Memories, out.Problems, err = d.scrubTrees(ctx, nil, in.DryRun, out.Findings); err != nil {
		return out, err
	}
	rep, err := d.db.Scrub(ctx, d.intake.Gate(), store.ScrubOptions{All: in.All, DryRun: in.DryRun, Between: between})
	out.Scanned, out.Changed = rep.Scanned, rep.Changed
	for rule, n := range rep.Findings {
		out.Findings[rule] += n
	}
	if err == nil && !in.DryRun {
		err = d.scrubReviews()
	}
	if err != nil || in.DryRun || rep.Changed+out.Memories == 0 {
		return out, err
	}
	if lost, err := d.db.Emptied(ctx, d.o.Home.Backups()); between != nil && (err != nil || lost != (store.Lost{})) {
		// keep the backups: nobody asked for this scrub, and they are all that is left of the previous database
		return out, err
	}
	out.Backups, err = d.replaceBackups(ctx)
	return out, err
}

// scrubAfterUpgrade scrubs automatically if the rules have changed since the last scrub.
func (d *Daemon) scrubAfterUpgrade(ctx context.Context) {
	due, err := d.db.ScrubDue(ctx)
	if err == nil && due {
		var out api.Scrubbed
		out, err = d.scrub(ctx, api.Scrub{}, d.makeWay)
		d.log.Info("scrubbed what older rules passed", "scanned", out.Scanned, "changed", out.Changed, "memory_files",
			out.Memories)
		for _, p := range out.Problems {
			d.log.Warn("a memory file could not be scrubbed, or cannot be read", "file", p)
		}
	}
	if err != nil {
		d.log.Warn("the scrub after an upgrade did not finish; the next start tries again", "error", err)
	}
}

// makeWay slows down a scrub that nobody asked for while the user is active.
func (d *Daemon) makeWay(ctx context.Context) {
	const pause = 50 * time.Millisecond
	if !d.runs.busy(d.o.Now(), time.Duration(d.o.Config.Compress.Idle)) {
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(pause):
	}
}
