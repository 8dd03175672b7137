package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/config"
	"keepmum/daemon"
	"keepmum/distill"
	"keepmum/home"
	"keepmum/llm"
	"keepmum/transcript"
)

type syncFlags struct {
	window, since, until, session, project string
	provider                               string
	agents                                 []string
	max                                    int
	force, noExtract, dryRun, async, json  bool
	ignoreLock                             bool
}

func newSyncCmd(a *app) *cobra.Command {
	var f syncFlags
	cmd := &cobra.Command{
		Use: "sync", Short: "Turn sessions into memories", Args: cobra.NoArgs,
		Long: `Read new and grown sessions, from the agents' own files and from what the hooks captured,
and write what they taught as markdown memories. The daemon does this every ten minutes
and after a session; this command does it now. It reads nothing that capture would have
left out, and everything passes the gate first.

The daemon does the work; the command starts it if it is down. Only one run works at a time.`,
		Example: "  mum sync\n  mum sync --window all --dry-run\n" +
			"  mum sync --since 2026-03-01 --until 2026-03-07 --agent claude,codex\n" +
			"  mum sync --run-id 4ab774e4-bdfa-49bd-aab5-588da364ad37 --force",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.runSync(cmd.Context(), f, cmd.Flags().Changed("max-sessions"))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.window, "window", "", "sessions of the last 7d, 24h, 30m, 90s, or all (default sync.window)")
	flags.StringVar(&f.since, "since", "", "sessions last worked on at or after this time; without a zone it is UTC")
	flags.StringVar(&f.until, "until", "", "sessions last worked on at or before this time")
	flags.StringVar(&f.session, "run-id", "",
		"one session, by its id in mum queue or the agent's own, whatever its age")
	flags.StringSliceVar(&f.agents, "agent", nil,
		"sessions of these agents: claude, codex, cursor, opencode (default sync.agents)")
	flags.StringVarP(&f.project, "project", "p", "", "only sessions of one project, by name or number")
	flags.IntVar(&f.max, "max-sessions", 0, "maximum number of sessions, newest first (default sync.max_sessions)")
	flags.BoolVar(&f.force, "force", false, "read sessions again that were already read")
	flags.BoolVar(&f.noExtract, "no-extract", false, "find and queue sessions, write no memory")
	flags.BoolVar(&f.dryRun, "dry-run", false, "show what would be written, write nothing")
	flags.BoolVar(&f.ignoreLock, "ignore-lock", false, "run although another run holds the lock")
	flags.BoolVar(&f.async, "async", false, "print the id of the run, do not wait")
	flags.StringVar(&f.provider, "provider", "",
		"who writes memories: agent:claude, agent:codex or agent:opencode; text leaves this machine (default "+
			"roles.extract.provider)")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	cmd.MarkFlagsMutuallyExclusive("async", "dry-run")
	cmd.MarkFlagsMutuallyExclusive("async", "provider")
	return cmd
}

func (a *app) runSync(ctx context.Context, f syncFlags, limited bool) error {
	in, err := f.request(time.Now(), limited)
	if err != nil {
		return usage(err)
	}
	if f.dryRun {
		if done, err := a.dryWithoutDaemon(ctx, in, f); done || err != nil {
			return err
		}
	}
	client, err := a.clientUp(ctx)
	if err != nil {
		return err
	}
	if f.async {
		return a.syncLater(ctx, client, in, f.json)
	}
	last, err := a.watchRun(ctx, client, "/sync", in, f.json)
	if err != nil {
		return err
	}
	if last.Sync == nil {
		return hinted(errors.New("the run was interrupted"), "run mum sync again: finished work is kept; mum logs says why")
	}
	return a.tellSync(*last.Sync, f)
}

func (a *app) tellSync(s api.Synced, f syncFlags) error {
	if err := a.printSync(s, f); err != nil {
		return err
	}
	if s.Failed > 0 {
		return &exitError{exitPartial,
			fmt.Errorf("%s could not be read", plural(s.Failed, "session or database", "sessions or databases")),
			"mum queue --failed"}
	}
	return nil
}

// dryWithoutDaemon shows what would be written, without a daemon: one that was started for this would write. It reports
// false if a daemon runs.
func (a *app) dryWithoutDaemon(ctx context.Context, in api.SyncRequest, f syncFlags) (bool, error) {
	dir, c, err := a.load(nil)
	if err != nil {
		return false, nil //nolint:nilerr // one that runs has the settings of its start; without one this is said next
	}
	if err := api.NewClient(string(dir), c.Daemon.Socket).Get(ctx, "/health", nil, nil); !errors.Is(err, api.ErrDown) {
		return false, err
	}
	bar := a.newBar(f.json)
	out, err := daemon.DrySync(ctx, daemon.Options{Home: dir, Config: c, UserHome: a.userHome, Env: a.environ,
		Transcripts: transcript.DefaultRoots(a.userHome, runtime.GOOS, a.getenv)}, in, bar.show)
	bar.clear()
	if err != nil {
		return true, err
	}
	return true, a.tellSync(*out, f)
}

// request returns the request that the flags ask for.
func (f syncFlags) request(now time.Time, limited bool) (api.SyncRequest, error) {
	in := api.SyncRequest{Session: f.session, Agents: f.agents, Project: f.project, MaxSessions: f.max, Force: f.force,
		NoExtract: f.noExtract, DryRun: f.dryRun, IgnoreLock: f.ignoreLock, Async: f.async, Provider: f.provider}
	if limited && f.max < 1 {
		return in, errors.New("--max-sessions must be at least 1")
	}
	for _, agent := range f.agents {
		if !distill.KnownAgent(agent) {
			return in, fmt.Errorf("--agent %q is not one of claude, codex, cursor, opencode", agent)
		}
	}
	name, ok := strings.CutPrefix(f.provider, "agent:")
	if f.provider != "" && (!ok || !slices.Contains(llm.Agents(), name)) {
		return in, fmt.Errorf("--provider %q is not one of agent:claude, agent:codex, agent:opencode", f.provider)
	}
	if f.window+f.since+f.until == "" {
		return in, nil
	}
	w, err := distill.ParseWindow(f.window, f.since, f.until, "", now)
	if err != nil {
		return in, err
	}
	in.All = w == distill.Window{}
	in.Since, in.Until = given(w.Since), given(w.Until)
	return in, nil
}

func given(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// clientUp returns a client of a running daemon, and starts a daemon if none runs.
func (a *app) clientUp(ctx context.Context) (*api.Client, error) {
	dir, c, err := a.load(nil)
	if err != nil {
		return a.client()
	}
	client := api.NewClient(string(dir), c.Daemon.Socket)
	if err := client.Get(ctx, "/health", nil, nil); !errors.Is(err, api.ErrDown) {
		return client, err
	}
	return a.startDaemon(ctx, dir, c)
}

func (a *app) startDaemon(ctx context.Context, dir home.Dir, c config.Loaded) (*api.Client, error) {
	if _, err := home.Prepare(dir); err != nil {
		return nil, err
	}
	if _, err := start(ctx, dir, c); err != nil {
		return nil, err
	}
	return api.NewClient(string(dir), c.Daemon.Socket), nil
}

func (a *app) syncLater(ctx context.Context, client *api.Client, in api.SyncRequest, asJSON bool) error {
	var out api.RunEvent
	if err := client.Post(ctx, "/sync", in, &out); err != nil {
		return lockBusy(err)
	}
	if asJSON {
		return a.printJSON(map[string]string{"run_id": out.RunID})
	}
	a.printf("%s\n", out.RunID)
	return nil
}

// lockBusy adds the exit code to the error of a lock that another process has.
func lockBusy(err error) error {
	var wire *api.Error
	if errors.As(err, &wire) && wire.Code == api.Conflict {
		return &exitError{exitBusy, wire, wire.Hint}
	}
	return err
}

// watchRun starts a run, shows its progress on a terminal, and returns its last line.
func (a *app) watchRun(ctx context.Context, client *api.Client, path string, in any, quiet bool) (api.RunEvent, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return api.RunEvent{}, err
	}
	resp, err := client.Send(ctx, http.MethodPost, path, strings.NewReader(string(body)))
	if err != nil {
		return api.RunEvent{}, lockBusy(err)
	}
	defer resp.Body.Close()
	bar := a.newBar(quiet)
	defer bar.clear()
	var last api.RunEvent
	for dec := json.NewDecoder(resp.Body); ; {
		var e api.RunEvent
		if err := dec.Decode(&e); errors.Is(err, io.EOF) {
			return last, nil
		} else if err != nil {
			return last, hinted(fmt.Errorf("the daemon stopped answering: %w", err), "mum status")
		}
		if e.Error != nil {
			return e, lockBusy(e.Error)
		}
		bar.show(e)
		last = e
	}
}

func (a *app) printSync(s api.Synced, f syncFlags) error {
	if f.json {
		if f.dryRun {
			return a.printJSON(struct {
				api.SyncTotals
				Actions []api.MemoryAction `json:"actions"`
			}{s.SyncTotals, s.Actions})
		}
		return a.printJSON(s.SyncTotals)
	}
	if s.Scanned == 0 && len(s.Problems) == 0 {
		a.printf("no new sessions%s\n", stillWaiting(s))
		return nil
	}
	verb := map[bool]string{false: "", true: "would be "}[f.dryRun]
	a.printf("%s found, %d %sread, %d %ssearched, in %s\n", plural(s.Scanned, "session", "sessions"),
		s.Indexed, verb, s.Extracted, verb, inSeconds(s.Seconds))
	for _, why := range slices.Sorted(maps.Keys(s.Why)) {
		a.printf("  %5d skipped: %s\n", s.Why[why], why)
	}
	for _, act := range s.Actions {
		if act.Action == "drop" && !f.dryRun { // the log of the run says why
			continue
		}
		a.printf("  %-9s %-8s %s%s\n", act.Action, act.Primitive, oneLine(act.Title, 90), outcomeOf(act))
	}
	for _, p := range s.Problems {
		a.tell(a.errs, "mum: %s\n", p)
	}
	if s.Proposed > 0 {
		a.printf("%s %sfor you to review: mum review\n", plural(s.Proposed, "proposal", "proposals"),
			map[bool]string{true: "would be "}[f.dryRun])
	}
	a.printf("%s, %s %sadded, %d updated%s\n", plural(s.Decisions, "decision", "decisions"),
		plural(s.Learnings, "learning", "learnings"), verb, s.Updated, stillWaiting(s))
	return nil
}

func outcomeOf(act api.MemoryAction) string {
	switch {
	case act.Action == "add":
		return ""
	case act.Target != "":
		return "  (" + act.Reason + ": " + act.Target + ")"
	}
	return "  (" + act.Reason + ")"
}

func stillWaiting(s api.Synced) string {
	if s.Waiting == 0 {
		return ""
	}
	return fmt.Sprintf("; %s in the queue", plural(s.Waiting, "session waits", "sessions wait"))
}
