package main

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"keepmum/api"
)

// liveEvery is how often a live status is drawn: often enough to see a session as it happens.
const liveEvery = time.Second

// runLive shows the current work until ctx ends. It draws the status again each second, or prints a line of JSON each
// time if asJSON is set.
func (a *app) runLive(ctx context.Context, asJSON bool, every time.Duration) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		live, err := a.live(ctx)
		if ctx.Err() != nil {
			return nil // the user stopped it
		}
		if err != nil {
			return err
		}
		if asJSON {
			if err := a.printJSON(live); err != nil {
				return err
			}
		} else {
			a.drawLive(live)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// liveStatus is the current work and the latest runs.
type liveStatus struct {
	At      time.Time       `json:"at"`
	Status  api.Status      `json:"status"`
	Running *api.RunTotals  `json:"running,omitempty"`
	Latest  []api.RunTotals `json:"latest"`
}

// latestRuns is how many earlier runs are shown.
const latestRuns = 5

func (a *app) live(ctx context.Context) (liveStatus, error) {
	out := liveStatus{At: time.Now()}
	if err := a.get(ctx, "/status", nil, &out.Status); err != nil {
		return out, err
	}
	var runs api.RunList
	if err := a.get(ctx, "/runs", url.Values{"limit": {fmt.Sprint(latestRuns)}}, &runs); err != nil {
		return out, err
	}
	out.Latest = runs.Runs
	if r := out.Status.Sync.Running; r != nil {
		out.Running = &api.RunTotals{RunID: r.RunID, Does: r.Does, Started: r.Since, Outcome: "running"}
		if i := slices.IndexFunc(runs.Runs, func(t api.RunTotals) bool { return t.RunID == r.RunID }); i >= 0 {
			now := runs.Runs[i]
			now.Outcome, now.Seconds = "running", out.At.Sub(r.Since).Seconds()
			out.Running, out.Latest = &now, slices.Delete(slices.Clone(runs.Runs), i, i+1)
		}
	}
	return out, nil
}

func (a *app) drawLive(l liveStatus) {
	if _, ok := terminalOf(a.out); ok {
		fmt.Fprint(a.out, "\x1b[H\x1b[2J") // moves to the top and clears the screen
	}
	a.printf("mum at %s; Ctrl+C to stop\n", l.At.Local().Format(time.TimeOnly))
	a.printf("  queue     %s\n", queued(l.Status))
	if !l.Status.Unread {
		a.printf("  sync      %s\n", queueLine(l.Status.Sync.Queue))
	}
	for _, key := range slices.Sorted(maps.Keys(l.Status.Compress)) {
		a.printf("  %-9s %s\n", key, l.Status.Compress[key])
	}
	a.printf("  events    %s\n", captureLine(l.Status.Capture))
	if l.Running == nil {
		a.printf("  now       nothing runs\n")
	} else {
		a.printf("  now       ")
		a.printRun(*l.Running)
	}
	for _, r := range l.Latest {
		a.printf("  before    ")
		a.printRun(r)
	}
	a.printBlocked(l.Status.Blocked)
	for _, p := range l.Status.Problems {
		a.printf("  PROBLEM   %s\n", p)
	}
}

// printBlocked names the blocked projects, and what to do about them.
func (a *app) printBlocked(blocked []api.Blocked) {
	for _, b := range blocked {
		a.printf("  BLOCKED   %s: %s; next: %s\n", b.Project, strings.TrimSpace(oneLine(b.Why, 200)), b.Next)
	}
}
