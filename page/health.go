package page

import (
	"fmt"
	"maps"
	"net/http"
	"slices"

	"golang.org/x/sync/errgroup"

	"keepmum/api"
)

type healthData struct {
	api.Status
	Stats   api.Stats
	Growth  api.Growth
	Queue   api.JobList
	Failed  api.JobList
	Times   []hookTime
	Kept    []column
	Sizes   []column
	Checks  []api.Check
	Waiting int64
}

// hookTime is how long events of one kind were processed in the daemon.
type hookTime struct {
	Kind string
	api.Span
	Columns []column
	Late    int64 // over the promised limit
}

// promised is how many milliseconds a hook may keep an agent waiting. If the store is busy for longer, the event goes
// to the spool.
const promised = 250

func (v *visit) health() error {
	var d healthData
	var all errgroup.Group // side by side, because each query counts a table of its own
	for path, out := range map[string]any{"/status": &d.Status, "/stats": &d.Stats, "/growth": &d.Growth,
		"/queue": &d.Queue} {
		all.Go(func() error { return v.get(path, nil, out) })
	}
	if err := all.Wait(); err != nil {
		return err
	}
	if v.r.URL.Query().Get("doctor") != "" { // it reads every file and the agents' settings: only on request
		var doctor api.Checks
		if err := v.get("/doctor", nil, &doctor); err != nil {
			return err
		}
		d.Checks = doctor.Checks
	}
	for _, kind := range slices.Sorted(maps.Keys(d.Stats.Hooks)) {
		d.Times = append(d.Times, timesOf(kind, d.Stats.Hooks[kind]))
	}
	for _, w := range d.Growth.Weeks {
		d.Kept = append(d.Kept, column{Name: w.From.Format("2 Jan"), Value: w.Kept, Other: w.Taken,
			Title: fmt.Sprintf("week of %s: %s kept, %s removed", w.From.Format("2 Jan"), number(w.Kept), number(w.Taken))})
	}
	d.Sizes = sizeColumns(d.Growth.Sizes)
	for _, state := range []string{"pending", "leased"} {
		d.Waiting += d.Status.Queue[state]
	}
	return v.show(http.StatusOK, "health", "Health", d)
}

func timesOf(kind string, s api.Span) hookTime {
	t := hookTime{Kind: kind, Span: s}
	low := 0.0
	for _, b := range s.Latest {
		c := column{Value: b.Count, Marked: low >= promised || b.UpTo == 0}
		c.Name, c.Title = fmt.Sprintf("%g", b.UpTo), fmt.Sprintf("up to %g ms: %s", b.UpTo, number(b.Count))
		if b.UpTo == 0 {
			c.Name, c.Title = "more", fmt.Sprintf("more than %g ms: %s", low, number(b.Count))
		}
		if c.Marked {
			t.Late += b.Count
		}
		t.Columns, low = append(t.Columns, c), b.UpTo
	}
	return t
}

// sizeColumns returns at most thirty of the days, so that each has room for its name.
func sizeColumns(all []api.DaySize) (out []column) {
	const most = 30
	step := (len(all) + most - 1) / most
	for i, s := range all {
		if step > 1 && i%step != 0 && i != len(all)-1 {
			continue
		}
		c := column{Value: s.Bytes, Title: s.Day.Format("2 Jan") + ": " + size(s.Bytes)}
		if len(all) <= 10 || i%(5*step) == 0 {
			c.Name = s.Day.Format("2 Jan")
		}
		out = append(out, c)
	}
	return out
}

func (v *visit) keys() error { return v.show(http.StatusOK, "keys", "Keys", nil) }
