package main

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/team"
)

func newTeamCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "team", Short: "Share memories between machines, and with a team, through your own PostgreSQL",
		Long: `Share the memories, and the noted decisions and findings, of projects that you choose,
through your own PostgreSQL database. Searches and hooks use only this machine. Each item
that leaves passes the egress gate and is recorded in the ledger.`,
		Example: "  mum team init postgres://owner@db.example/mum\n" +
			"  mum team invite anna --admin postgres://owner@db.example/mum\n" +
			"  mum team join 'postgres://…'\n  mum team share",
	}
	cmd.AddCommand(newTeamInitCmd(a), newTeamInviteCmd(a), newTeamJoinCmd(a), newTeamLeaveCmd(a), newTeamStatusCmd(a),
		newTeamShareCmd(a), newTeamUnshareCmd(a), newTeamSyncCmd(a), newTeamMuteCmd(a), newTeamUnmuteCmd(a),
		newTeamMembersCmd(a), newTeamRemoveCmd(a), newTeamKeepCmd(a), newTeamLogCmd(a))
	return cmd
}

func newTeamJoinCmd(a *app) *cobra.Command {
	var machine string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "join DSN", Short: "Join a team on this machine", Args: cobra.ExactArgs(1),
		Long: `Join a team with the DSN that mum team invite printed. The password goes into
~/.pgpass, which every PostgreSQL program reads, and into no file of keepmum. The server's
certificate is verified, unless the server is on this machine.`,
		Example: "  mum team join 'postgres://mum_work_anna:password@db.example/mum' --as laptop",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.runTeamJoin(cmd.Context(), args[0], machine, asJSON)
		},
	}
	cmd.Flags().StringVar(&machine, "as", "", "name of this machine (default: its name in the team, or its host name)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) runTeamJoin(ctx context.Context, text, machine string, asJSON bool) error {
	dsn, err := team.ParseDSN(text)
	if err != nil {
		return teamError(err)
	}
	if machine == "" {
		machine = a.machineName(ctx)
	}
	kept, undo := "", func() error { return nil }
	if dsn.Password() != "" { // the daemon finds it there
		if kept, undo, err = dsn.KeepPassword(a.userHome, a.getenv); err != nil {
			return hinted(err, "add the password to ~/.pgpass yourself")
		}
	}
	var out api.TeamJoined
	if err := a.postTeam(ctx, "/team/join", api.TeamJoin{DSN: dsn.String(), Machine: machine}, &out); err != nil {
		if failed := undo(); failed != nil {
			return errors.Join(err, failed)
		}
		return err
	}
	if asJSON {
		return a.printJSON(out)
	}
	if kept != "" {
		a.printf("the password is kept in %s\n", a.tilde(kept))
	}
	a.printf("joined %s as %s, machine %s; next, if it shares nothing yet: mum team share\n", out.Team, out.Member,
		out.Machine)
	return nil
}

// hostName returns the name of this machine in the form that a team accepts.
func hostName() string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return "machine"
	}
	name, _, _ = strings.Cut(strings.ToLower(name), ".")
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789", r) {
			return r
		}
		return '-'
	}, name)
	if name = strings.Trim(name[:min(len(name), 40)], "-"); name == "" {
		return "machine"
	}
	return name
}

// machineName returns the name of this machine in its team: one that joins again, perhaps with a new password, keeps
// it.
func (a *app) machineName(ctx context.Context) string {
	var t api.Team
	if client, err := a.client(); err == nil {
		_ = client.Get(ctx, "/team", nil, &t) // the join itself reports what is wrong
	}
	return cmp.Or(t.Machine, hostName())
}

// postTeam asks the daemon, which talks to the shared place.
func (a *app) postTeam(ctx context.Context, path string, in, out any) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	return client.Post(ctx, path, in, out)
}

// teamError adds a hint to a refusal.
func teamError(err error) error {
	var e *team.Error
	if errors.As(err, &e) {
		return hinted(errors.New(e.What), e.Hint)
	}
	return err
}

func newTeamLeaveCmd(a *app) *cobra.Command {
	var in api.TeamLeave
	var asJSON bool
	cmd := &cobra.Command{
		Use: "leave", Short: "Leave the team on this machine, and delete here what others shared", Args: cobra.NoArgs,
		Example: "  mum team leave\n  mum team leave --purge",
		RunE: func(cmd *cobra.Command, _ []string) error {
			var out api.TeamLeft
			if err := a.postTeam(cmd.Context(), "/team/leave", in, &out); err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(out)
			}
			a.printf("left %s; what others shared is deleted here\n", out.Team)
			if out.Untold {
				a.printf("its database does not know that yet; the administrator can tell it: mum team remove %s --admin DSN\n",
					out.Machine)
			}
			if in.Purge {
				a.printf("withdrew %s: other machines delete what you shared, yours keep it\n", count(out.Ended, "item"))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&in.Purge, "purge", false, "also withdraw what you shared: other machines delete it")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newTeamShareCmd(a *app) *cobra.Command {
	var in api.TeamShare
	var asJSON bool
	cmd := &cobra.Command{
		Use: "share [PROJECT]", Short: "Share a project with the team", Args: cobra.MaximumNArgs(1),
		Long: `Share a project with the team: its memories, and noted decisions and findings, never
prompts, answers, tool output or the summaries of sessions, which quote them. Other
machines identify it by its git remote, or by --key.`,
		Example: "  mum team share\n  mum team share shop --since 2026-01-01\n  mum team share notes --key acme/notes",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.runTeamShare(cmd.Context(), "/team/share", "shared", in, args, asJSON)
		},
	}
	cmd.Flags().StringVar(&in.Key, "key", "", "name of the project in the team (default: its git remote)")
	cmd.Flags().StringVar(&in.Since, "since", "", "share nothing older than this day")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newTeamUnshareCmd(a *app) *cobra.Command {
	var in api.TeamShare
	var asJSON bool
	cmd := &cobra.Command{
		Use: "unshare [PROJECT]", Short: "Stop sharing a project, and delete here what others shared of it",
		Args:    cobra.MaximumNArgs(1),
		Example: "  mum team unshare shop\n  mum team unshare shop --purge",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.runTeamShare(cmd.Context(), "/team/unshare", "no longer shared", in, args, asJSON)
		},
	}
	cmd.Flags().BoolVar(&in.Purge, "purge", false, "also withdraw what you shared of it: other machines delete it")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) runTeamShare(ctx context.Context, path, done string, in api.TeamShare, args []string, asJSON bool) error {
	if len(args) == 1 {
		in.Project = args[0]
	} else {
		dir, err := a.here()
		if err != nil {
			return err
		}
		in.Directory = dir
	}
	var out api.TeamShared
	if err := a.postTeam(ctx, path, in, &out); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(out)
	}
	a.printf("%s: %s\n", done, out.Project)
	if in.Purge {
		a.printf("withdrew %s: other machines delete what you shared, yours keep it\n", count(out.Ended, "item"))
	}
	return nil
}

func newTeamMuteCmd(a *app) *cobra.Command {
	return a.newMuteCmd("mute", "Stop reading what a member shares", "no longer reads what %s shares\n", false)
}

func newTeamUnmuteCmd(a *app) *cobra.Command {
	return a.newMuteCmd("unmute", "Read a member again", "reads what %s shares again, from the next sync on\n", true)
}

func (a *app) newMuteCmd(verb, short, done string, unmute bool) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: verb + " AUTHOR", Short: short, Args: cobra.ExactArgs(1),
		Example: "  mum team " + verb + " ben",
		RunE: func(cmd *cobra.Command, args []string) error {
			var out api.TeamMute
			err := a.postTeam(cmd.Context(), "/team/mute", api.TeamMute{Author: args[0], Unmute: unmute}, &out)
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(out)
			}
			a.printf(done, out.Author)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newTeamStatusCmd(a *app) *cobra.Command {
	var ask, asJSON bool
	cmd := &cobra.Command{
		Use: "status", Short: "Show what is shared, what waits and what is held back", Args: cobra.NoArgs,
		Example: "  mum team status --ask",
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := a.client()
			if err != nil {
				return err
			}
			q := url.Values{}
			if ask {
				q.Set("ask", "1")
			}
			var out api.Team
			if err := client.Get(cmd.Context(), "/team", q, &out); err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(out)
			}
			a.printTeam(out)
			return nil
		},
	}
	cmd.Flags().BoolVar(&ask, "ask", false, "also ask the shared database who is a member, and who has not forgotten yet")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) printTeam(t api.Team) {
	if !t.Joined {
		a.printf("this machine is not in a team\n")
		if t.Problem != "" {
			a.printf("problem   %s: %s\n", t.Problem, t.Fix)
		}
		return
	}
	a.printf("team      %s at %s, as %s/%s\n", t.Team, t.Host, t.Member, t.Machine)
	for _, p := range t.Projects {
		a.printf("shared    %s\n", p.Key)
	}
	a.printf("items     %d shared, %d wait, %d tombstones wait\n", t.Items["same"], t.Items["out"], t.Items["forget"])
	if t.Synced.IsZero() {
		a.printf("synced    never: mum team sync\n")
	} else {
		a.printf("synced    %s\n", ago(t.Synced))
	}
	if t.Problem != "" {
		a.printf("problem   %s: %s\n", t.Problem, t.Fix)
	}
	for _, h := range t.Held {
		next := "mum memory edit, or mum scrub"
		switch h.Rules {
		case "forgotten_elsewhere":
			next = "forgotten on another machine of yours: mum memory forget, or mum memory edit"
		case "too_large":
			next = "an item has at most 64 KiB: mum memory edit"
		}
		a.printf("held back %s (%s): %s\n", h.Title, h.Rules, next)
	}
	for _, m := range t.Muted {
		a.printf("muted     %s\n", m)
	}
	for _, m := range t.Members {
		machines := cmp.Or(strings.Join(m.Machines, ", "), "no machine yet")
		a.printf("member    %s on %s, %s\n", m.Name, machines, count(m.Items, "item"))
	}
	for _, p := range t.Pending {
		a.printf("forgotten %s, not yet deleted on %s\n", p.Item, strings.Join(p.Machines, ", "))
	}
}
