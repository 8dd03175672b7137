package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/team"
)

// watchEvery is how often --watch exchanges, and teamBarEvery how often the bar is drawn.
const (
	watchEvery   = 3 * time.Second
	teamBarEvery = 300 * time.Millisecond
)

func newTeamSyncCmd(a *app) *cobra.Command {
	var asJSON, watch bool
	cmd := &cobra.Command{
		Use: "sync", Short: "Sync with the shared database now (the daemon does it every minute)", Args: cobra.NoArgs,
		Long: `Sync with the shared database now. The daemon does this every minute, and in a small team
within seconds of a change. --watch syncs every three seconds and prints a line when
something changed, until Ctrl+C.`,
		Example: "  mum team sync --json\n  mum team sync --watch",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if watch {
				return a.watchTeam(cmd.Context(), asJSON, watchEvery)
			}
			out, err := a.syncTeam(cmd.Context(), asJSON)
			if err != nil {
				return err
			}
			return a.printSynced(out, asJSON)
		},
	}
	cmd.Flags().BoolVar(&watch, "watch", false, "sync every three seconds and print what changed, until Ctrl+C")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// watchTeam exchanges again and again. It reports an unreachable place once, until the place can be reached again.
func (a *app) watchTeam(ctx context.Context, asJSON bool, every time.Duration) error {
	said := ""
	for {
		out, err := a.syncTeam(ctx, true)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, api.ErrDown), inNoTeam(err):
			return err
		case err != nil && err.Error() != said:
			said = err.Error()
			a.tell(a.errs, "%s\n", a.clean(said))
		case err == nil:
			said = ""
			if out.Pushed+out.Pulled+out.Forgotten+out.Held+out.Conflicts > 0 {
				if err := a.printSynced(out, asJSON); err != nil {
					return err
				}
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(every):
		}
	}
}

// inNoTeam reports whether an error says that this machine is in no team, which time does not change.
func inNoTeam(err error) bool {
	var wire *api.Error
	return errors.As(err, &wire) && wire.Message == team.ErrNoTeam.What
}

// syncTeam exchanges once; on a terminal a bar shows the progress of a long read.
func (a *app) syncTeam(ctx context.Context, quiet bool) (out api.TeamSynced, err error) {
	done := make(chan error, 1)
	go func() { done <- a.postTeam(ctx, "/team/sync", struct{}{}, &out) }()
	b := a.newBar(quiet)
	defer b.clear()
	for {
		select {
		case err := <-done:
			return out, err
		case <-time.After(teamBarEvery):
			a.showTeamProgress(ctx, b)
		}
	}
}

func (a *app) showTeamProgress(ctx context.Context, b *bar) {
	client, err := a.client()
	if b.out == nil || err != nil {
		return
	}
	var t api.Team
	if client.Get(ctx, "/team", nil, &t) == nil && t.Progress != nil {
		b.show(api.RunEvent{Phase: "reading", Done: int(t.Progress.Read), Total: int(t.Progress.All)})
	}
}

func (a *app) printSynced(out api.TeamSynced, asJSON bool) error {
	if asJSON {
		return a.printJSON(out)
	}
	a.printf("sent %d, read %d, forgotten %d", out.Pushed, out.Pulled, out.Forgotten)
	if out.Held > 0 {
		a.printf("; %d held back: mum team status", out.Held)
	}
	if out.Conflicts > 0 {
		a.printf("; %d changed in two places: the later version is valid, the other is archived", out.Conflicts)
	}
	a.printf("\n")
	return nil
}

// teamLine describes a team in one line, for mum status and mum doctor.
func teamLine(t api.TeamGlance) string {
	synced := "never synced"
	if !t.Synced.IsZero() {
		synced = "synced " + ago(t.Synced)
	}
	return fmt.Sprintf("%s as %s/%s: %s, %d shared, %d waiting, %d held back; %s", t.Team, t.Member, t.Machine,
		count(int64(t.Projects), "project"), t.Shared, t.Waiting, t.Held, synced)
}

func (a *app) printTeamGlance(t *api.TeamGlance) {
	if t == nil {
		return
	}
	a.printf("  team      %s\n", teamLine(*t))
	if t.Problem != "" {
		a.printf("            %s: %s\n", t.Problem, t.Fix)
	}
	if t.Held > 0 {
		a.printf("            mum team status names what is held back\n")
	}
}

// checkTeam reports the state of the team, and nothing to a user without one.
func checkTeam(s *api.Status) (finding, bool) {
	if s == nil || s.Team == nil {
		return finding{}, false
	}
	t := *s.Team
	f := finding{Check: "team", State: stateOK, Detail: teamLine(t)}
	switch {
	case t.Problem != "":
		f.State, f.Detail, f.Fix = stateWarning, teamLine(t)+"; "+t.Problem, t.Fix
	case t.Projects == 0:
		f.State, f.Fix = stateWarning, "mum team share, in a repository"
	case t.Held > 0:
		f.State, f.Fix = stateWarning, "mum team status names what is held back, and why"
	}
	return f, true
}
