package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/home"
	"keepmum/hooks"
	"keepmum/recall"
)

func newStatusCmd(a *app) *cobra.Command {
	var asJSON, live bool
	cmd := &cobra.Command{
		Use: "status", Short: "Show whether keepmum works, and what it captured", Args: cobra.NoArgs,
		Example: "  mum status\n  mum status --json\n  mum status --live",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if live {
				return a.runLive(cmd.Context(), asJSON, liveEvery)
			}
			return a.runStatus(cmd.Context(), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&live, "live", false, "show current activity, updated each second until Ctrl+C")
	return cmd
}

func (a *app) runStatus(ctx context.Context, asJSON bool) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	var s api.Status
	if err := client.Get(ctx, "/status", nil, &s); err != nil {
		return err
	}
	waits := a.waits()
	if asJSON {
		return a.printJSON(struct {
			api.Status
			Waits []string `json:"waits_for_you,omitempty"`
		}{s, waits})
	}
	a.printStatus(s)
	for _, line := range waits {
		a.hang("  TO DO     ", line)
	}
	_, c, err := a.load(nil)
	if err != nil { // the user was warned
		return nil //nolint:nilerr // the daemon has answered
	}
	for _, repo := range a.reposHere(c) {
		a.printf("  here      %s: %s\n", a.tilde(repo.file), a.clean(strings.Join(repo.lines(), "; ")))
		if repo.wrong() {
			a.printf("            → %s\n", repo.fix(a))
		}
	}
	return nil
}

func (a *app) printStatus(s api.Status) {
	if s.PID == 0 { // no daemon can run
		a.printf("mum %s, not running\n  data      %s\n", s.Version, a.tilde(s.Home))
	} else {
		a.printf("mum %s, started %s (pid %d)\n", s.Version, ago(s.Started), s.PID)
		a.printf("  data      %s\n", a.tilde(s.Home))
		a.printf("  listens   %s\n", strings.Join(nonEmpty(a.tilde(s.Socket), s.Address), ", "))
	}
	a.printf("  privacy   %s, rules %s\n", s.Mode, s.Rules)
	a.hang("  capture   ", captureLine(s.Capture)+", since the start")
	if n := s.Capture.Reminded; n > 0 {
		a.printf("            %s reminded to save memories: %s (remember.by_agent)\n", count(n, "session"),
			count(n*int64(recall.Tokens(hooks.RememberLine)), "token"))
	}
	for _, why := range slices.Sorted(maps.Keys(s.Capture.Skipped)) {
		a.printf("            skipped, %s: %d\n", why, s.Capture.Skipped[why])
	}
	for _, agent := range slices.Sorted(maps.Keys(s.Capture.LastEvent)) {
		a.printf("            %s: last event %s\n", agent, ago(s.Capture.LastEvent[agent]))
	}
	if s.Spool > 0 {
		a.printf("  spool     %s waiting\n", count(s.Spool, "event"))
	}
	if s.SpoolBad > 0 {
		a.printf("            %s could not be stored; see %s\n", count(s.SpoolBad, "event"),
			a.tilde(home.Dir(s.Home).Spool()))
	}
	if s.Capture.TooLarge > 0 {
		a.printf("            %s larger than 10 MiB, not stored\n", count(s.Capture.TooLarge, "request"))
	}
	if s.Lost > 0 {
		a.printf("  lost      %s, the last %s; mum doctor says more\n", count(s.Lost, "event"), ago(s.LastLost))
	}
	if s.Withheld > 0 {
		a.hang("  withheld  ", withoutText(s.Withheld, s.LastWithheld))
	}
	a.printf("  queue     %s\n", queued(s))
	for _, key := range slices.Sorted(maps.Keys(s.Compress)) {
		a.printf("  %-9s %s\n", key, s.Compress[key])
	}
	if !s.Unread {
		a.printSyncStatus(s.Sync)
		a.printTeamGlance(s.Team)
	}
	a.printf("  sent      %s\n", sent(s))
	a.printBlocked(s.Blocked)
	for _, p := range s.Problems {
		a.printf("  PROBLEM   %s\n", p)
	}
}

// withoutText says how many events arrived without text because of settings that could not be used.
func withoutText(n int64, last time.Time) string {
	return fmt.Sprintf("%s arrived without text because the settings (config.toml) could not be used, the last one %s",
		plural(n, "event", "events"), ago(last))
}

// unread stands for what nobody knows while the database cannot be read.
const unread = "unknown, because the database cannot be read"

// queued says how many jobs wait, by state.
func queued(s api.Status) string {
	if s.Unread {
		return unread
	}
	return queueLine(s.Queue)
}

// sent says how often text left this machine, and how often a model on this machine was asked.
func sent(s api.Status) string {
	if s.Unread {
		return unread
	}
	line := "nothing left this machine"
	if s.Egress > 0 {
		line = count(s.Egress, "request") + " left this machine"
	}
	if here := s.Asked - s.Egress; here > 0 {
		line += "; a model on it got " + count(here, "request")
	}
	return line
}

// printSyncStatus prints what waits for sync, and how the last runs ended.
func (a *app) printSyncStatus(s api.SyncStatus) {
	line := queueLine(s.Queue)
	if line == "empty" {
		line = "no session waits"
	}
	if !s.Enabled {
		line += "; the schedule is off (sync.enabled)"
	}
	a.printf("  sync      %s\n", line)
	if s.Asked != "" {
		a.printf("            written by %s\n", s.Asked)
	}
	if r := s.Running; r != nil {
		a.printf("            %s is running, started %s\n", r.RunID, ago(r.Since))
	}
	for _, r := range lastRuns(s.Runs, 3) {
		a.printf("            last %s %s: %s\n", r.Kind, ago(r.Started), runLine(r))
	}
}

// lastRuns returns the latest runs. Of the runs that did nothing it returns one of each kind: they come every hour, and
// hide the runs that did something.
func lastRuns(all []api.Run, n int) []api.Run {
	idle := map[string]bool{}
	var out []api.Run
	for _, r := range all {
		nothing := r.Finished != nil && r.Outcome == "done" && r.Sessions+r.Archived == 0
		if len(out) < n && (!nothing || !idle[r.Kind]) {
			out = append(out, r)
			idle[r.Kind] = idle[r.Kind] || nothing
		}
	}
	return out
}

func runLine(r api.Run) string {
	if r.Finished == nil {
		return "not finished"
	}
	line := r.Outcome
	switch {
	case r.Kind == "maintain":
		line += fmt.Sprintf(", %d archived", r.Archived)
	case r.Sessions > 0:
		line += fmt.Sprintf(", %s, %d added, %d updated", count(r.Sessions, "session"), r.Added, r.Updated)
	}
	if r.Error != "" {
		line += ": " + r.Error
	}
	return line
}

func captureLine(c api.Capture) string {
	state := ""
	switch {
	case !c.Enabled:
		state = "off, "
	case c.Paused && c.Until.IsZero():
		state = "paused until `mum resume`, "
	case c.Paused:
		state = "paused until " + clock(c.Until, time.Now()) + ", "
	}
	skipped := int64(0)
	for _, n := range c.Skipped {
		skipped += n
	}
	total := int64(0)
	for _, n := range c.Events {
		total += n
	}
	return fmt.Sprintf("%s%s, %s, %d excluded, %d skipped, %d refused", state, count(total, "event"),
		count(c.Redacted, "redaction"), c.Excluded, skipped, c.Refused)
}

// clock returns a time of today as such, and another one with its day.
func clock(t, now time.Time) string {
	t, now = t.Local(), now.Local()
	if t.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return t.Format(time.TimeOnly)
	}
	return t.Format(time.DateTime)
}

func queueLine(q map[string]int64) string {
	var parts []string
	for _, state := range slices.Sorted(maps.Keys(q)) {
		if q[state] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", q[state], state))
		}
	}
	if len(parts) == 0 {
		return "empty"
	}
	return strings.Join(parts, ", ")
}

func nonEmpty(in ...string) []string {
	return slices.DeleteFunc(in, func(s string) bool { return s == "" })
}

// inSeconds returns how long something took.
func inSeconds(n float64) string {
	if n < 0.05 {
		return "under 0.1 s"
	}
	return fmt.Sprintf("%.1f s", n)
}

// ago says how long ago a time was, in the largest unit that fits.
func ago(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return before(time.Since(t))
}

func before(d time.Duration) string {
	switch {
	case d < time.Second:
		return "just now"
	case d < time.Minute:
		return fmt.Sprintf("%d s ago", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	default:
		return fmt.Sprintf("%d days ago", int(d.Hours()/24))
	}
}
