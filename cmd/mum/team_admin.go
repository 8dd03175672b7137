package main

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/team"
)

// asAdmin runs f as the owner of the shared place.
func asAdmin(ctx context.Context, text string, f func(*team.Admin) error) error {
	dsn, err := team.ParseDSN(text)
	if err != nil {
		return teamError(err)
	}
	admin, err := team.OpenAdmin(ctx, dsn)
	if err != nil {
		return teamError(err)
	}
	defer admin.Close()
	return teamError(f(admin))
}

func (a *app) orSQL(err error) error {
	var sql *team.NeedsAdministrator
	if errors.As(err, &sql) {
		a.printf("%s", sql.SQL)
		return hinted(sql, "psql ADMIN-DSN, as a role that may create roles")
	}
	return err
}

func newTeamInitCmd(a *app) *cobra.Command {
	var name string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "init ADMIN-DSN", Short: "Create a team in a PostgreSQL database", Args: cobra.ExactArgs(1),
		Long: `Create a team in a PostgreSQL database, or update its schema. The role becomes the owner of
the schema and is not a member. If it may not create roles, mum prints the SQL for the
administrator. The password is read from ~/.pgpass, PGPASSWORD or the DSN.`,
		Example: "  mum team init postgres://owner@db.example/mum --team acme",
		RunE: func(cmd *cobra.Command, args []string) error {
			err := asAdmin(cmd.Context(), args[0], func(admin *team.Admin) error { return admin.Init(cmd.Context(), name) })
			if err != nil {
				return a.orSQL(err)
			}
			if asJSON {
				return a.printJSON(map[string]string{"team": name})
			}
			a.printf("the team %s is ready; next: mum team invite NAME --admin ADMIN-DSN\n", name)
			return nil
		},
	}
	cmd.Flags().StringVar(&name, "team", "team", "name of the team")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// adminFlags adds the flags of the owner's commands.
func adminFlags(cmd *cobra.Command, dsn, name *string) {
	cmd.Flags().StringVar(dsn, "admin", "", "DSN of the owner of the schema")
	cmd.Flags().StringVar(name, "team", "", "which team, if the database has several")
	_ = cmd.MarkFlagRequired("admin") // the flag exists
}

func newTeamInviteCmd(a *app) *cobra.Command {
	var dsn, name string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "invite NAME", Short: "Add a member, and print once the DSN to join with", Args: cobra.ExactArgs(1),
		Example: "  mum team invite anna --admin postgres://owner@db.example/mum",
		RunE: func(cmd *cobra.Command, args []string) error {
			var inv team.Invitation
			err := asAdmin(cmd.Context(), dsn, func(admin *team.Admin) (err error) {
				inv, err = admin.Invite(cmd.Context(), name, args[0])
				return err
			})
			if err != nil {
				return a.orSQL(err)
			}
			if asJSON {
				return a.printJSON(inv)
			}
			a.printf("only for %s, on each of their machines; it is shown once:\n  mum team join '%s'\n", inv.Name, inv.DSN)
			if inv.NoPassword() {
				a.printf("with the password that the administrator of the server gave the role, in ~/.pgpass\n")
			}
			return nil
		},
	}
	adminFlags(cmd, &dsn, &name)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newTeamMembersCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "members", Short: "List the members and their machines", Args: cobra.NoArgs,
		Example: "  mum team members",
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := a.client()
			if err != nil {
				return err
			}
			var out api.Team
			if err := client.Get(cmd.Context(), "/team", url.Values{"ask": {"1"}}, &out); err != nil {
				return err
			}
			if !out.Joined {
				return hinted(errors.New("this machine is not in a team"), "mum team join DSN")
			}
			if asJSON {
				return a.printJSON(out.Members)
			}
			for _, m := range out.Members {
				state := "seen " + ago(m.Seen)
				if m.Removed {
					state = "removed"
				}
				a.printf("%-20s %6d items  %s  %s\n", m.Name, m.Items, strings.Join(m.Machines, ", "), state)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newTeamRemoveCmd(a *app) *cobra.Command {
	var dsn, name string
	var forget, asJSON bool
	cmd := &cobra.Command{
		Use: "remove NAME", Short: "Remove a member; their machines delete what others shared", Args: cobra.ExactArgs(1),
		Long: `Remove a member. The role can no longer read anything of the team, and its machines delete
what others shared the next time they connect. --forget also erases everything that the
member shared. NAME/MACHINE strikes only a machine that is lost: nobody waits for it any
more, and its name is free. If it syncs again, it is back.`,
		Example: "  mum team remove ben --admin postgres://owner@db.example/mum --forget",
		RunE: func(cmd *cobra.Command, args []string) error {
			var out team.Removal
			if strings.Contains(args[0], "/") && forget {
				return usage(errors.New("--forget is for a member, not for one machine"))
			}
			err := asAdmin(cmd.Context(), dsn, func(admin *team.Admin) (err error) {
				out, err = admin.Remove(cmd.Context(), name, args[0], forget)
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(out)
			}
			if strings.Contains(out.Name, "/") {
				a.printf("struck %s\n", out.Name)
				return nil
			}
			a.printf("removed %s; %s forgotten\n", out.Name, count(out.Forgotten, "item"))
			return nil
		},
	}
	adminFlags(cmd, &dsn, &name)
	cmd.Flags().BoolVar(&forget, "forget", false, "also forget everything that the member shared")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newTeamKeepCmd(a *app) *cobra.Command {
	var dsn, name string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "keep PROJECT-KEY DAYS", Short: "Set for how many days a project keeps its items",
		Args: cobra.ExactArgs(2),
		Long: `Set for how many days after their last change the shared database keeps the items of a project;
0 keeps them forever. Older items are deleted there and on the machines of other members; their
author's machines keep them. The database checks four times a day, when a machine syncs.`,
		Example: "  mum team keep github.com/acme/shop 365 --admin postgres://owner@db.example/mum",
		RunE: func(cmd *cobra.Command, args []string) error {
			days, err := strconv.Atoi(args[1])
			if err != nil || days < 0 || days > 36500 {
				return usage(errors.New("DAYS must be a number from 0 to 36500"))
			}
			err = asAdmin(cmd.Context(), dsn, func(admin *team.Admin) error {
				return admin.Keep(cmd.Context(), name, args[0], days)
			})
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(map[string]any{"project": args[0], "keep_days": days})
			}
			if days == 0 {
				a.printf("%s: items are kept forever\n", args[0])
				return nil
			}
			a.printf("%s: items are deleted %s after their last change\n", args[0], count(days, "day"))
			return nil
		},
	}
	adminFlags(cmd, &dsn, &name)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
