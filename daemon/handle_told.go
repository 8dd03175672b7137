package daemon

import (
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/hooks"
	"keepmum/recall"
	"keepmum/store"
)

const oneWeek = 7 * 24 * time.Hour

func (d *Daemon) getTold(c echo.Context) error {
	q := c.QueryParams()
	if err := onlyParams(q, "before", "session", "limit"); err != nil {
		return err
	}
	ctx := c.Request().Context()
	before, err1 := idParam(q, "before")
	session, err2 := idParam(q, "session")
	limit, err3 := intParam(q, "limit", 30, 1, 200)
	if err := firstError(err1, err2, err3); err != nil {
		return err
	}
	rows, err1 := d.db.Injections(ctx, store.InjectionFilter{Before: before, Session: session, Limit: limit + 1})
	totals, err2 := d.db.ToldSince(ctx, d.o.Now().Add(-oneWeek).UnixMilli(), 60)
	muted, err3 := d.db.Muted(ctx)
	if err := firstError(err1, err2, err3); err != nil {
		return err
	}
	out := api.ToldList{
		Receipts: []api.Receipt{},
		More:     len(rows) > limit,
		Week:     []api.ToldSession{},
		Muted:    notNil(muted),
	}
	if d.o.Config.Remember.ByAgent {
		out.Reminder, out.ReminderTokens = hooks.RememberLine, recall.Tokens(hooks.RememberLine)
	}
	for i := range rows[:min(len(rows), limit)] {
		out.Receipts = append(out.Receipts, wireReceipt(&rows[i]))
	}
	for _, t := range totals {
		out.Week = append(out.Week, api.ToldSession{Row: t.Session, Agent: t.Agent, Session: t.Native, Project: t.Project,
			Times: t.Times, Tokens: t.Tokens, Last: time.UnixMilli(t.Last).UTC()})
	}
	return c.JSON(http.StatusOK, out)
}

// postMuted mutes an entry, so that no agent is told about it, or unmutes it.
func (d *Daemon) postMuted(c echo.Context) error {
	var none struct{}
	if err := d.exactly(c, &none); err != nil {
		return err
	}
	ids, err := idList(c.Param("id"))
	if err != nil || len(ids) != 1 {
		return failure(api.Invalid, "give the number of an entry", "mum search finds ids")
	}
	ctx := c.Request().Context()
	rows, err := d.db.Observations(ctx, ids)
	if err == nil && len(rows) == 0 {
		err = store.ErrNotFound
	}
	mute := strings.HasSuffix(c.Path(), "/mute")
	if err == nil {
		err = d.db.SetMuted(ctx, ids[0], mute)
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, api.Muted{Entry: ids[0], Muted: mute})
}

// growthWeeks and growthDays are how far back the page shows totals: a quarter and half a year.
const (
	growthWeeks = 13
	growthDays  = 183
)

func (d *Daemon) getGrowth(c echo.Context) error {
	ctx := c.Request().Context()
	weeks, err1 := d.db.Weeks(ctx, growthWeeks)
	days, err2 := d.db.LedgerTotals(ctx, "day")
	sizes, err3 := d.db.Sizes(ctx, growthDays)
	copies, err4 := store.Backups(d.o.Home.Backups())
	if err := firstError(err1, err2, err3, err4); err != nil {
		return err
	}
	out := api.Growth{Weeks: []api.WeekTotal{}, Sizes: []api.DaySize{}, Backups: []api.DaySize{}}
	kept, taken := map[int64]int64{}, map[int64]int64{}
	for _, w := range weeks {
		kept[w.Week] = w.Docs
	}
	for _, t := range days {
		if day, err := time.Parse(time.DateOnly, t.Name); err == nil {
			taken[day.UnixMilli()/oneWeek.Milliseconds()] += t.Redactions
		}
	}
	now := d.o.Now().UnixMilli() / oneWeek.Milliseconds()
	for w := now - growthWeeks + 1; w <= now; w++ {
		out.Weeks = append(
			out.Weeks,
			api.WeekTotal{From: time.UnixMilli(w * oneWeek.Milliseconds()).UTC(), Kept: kept[w], Taken: taken[w]},
		)
	}
	for _, s := range sizes {
		out.Sizes = append(out.Sizes, api.DaySize{Day: time.Unix(s.Day*86400, 0).UTC(), Bytes: s.Bytes, Docs: s.Docs})
	}
	for _, path := range copies {
		if st, err := os.Stat(path); err == nil { // skip a backup that was replaced meanwhile
			out.Backups = append(out.Backups, api.DaySize{Day: st.ModTime().UTC(), Bytes: st.Size()})
		}
	}
	return c.JSON(http.StatusOK, out)
}
