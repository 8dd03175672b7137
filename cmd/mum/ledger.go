package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/home"
	"keepmum/privacy"
)

func newLedgerCmd(a *app) *cobra.Command {
	var by string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "ledger", Short: "Show what was removed, and what left this machine", Args: cobra.NoArgs,
		Long: `Show what the gate removed, by rule, project or day. The ledger contains rule names,
sizes and keyed hashes, never the text.`,
		Example: "  mum ledger --by project\n  printf %s \"$KEY\" | mum ledger check\n" +
			"  mum ledger verify\n" +
			"  mum ledger egress",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runLedger(cmd.Context(), by, asJSON) },
	}
	cmd.Flags().StringVar(&by, "by", "rule", "rule, project or day")
	cmd.PersistentFlags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.AddCommand(
		&cobra.Command{
			Use: "check", Short: "Check whether a value on standard input was ever removed", Args: cobra.NoArgs,
			Long: "Check whether a value on standard input was ever removed, and where. The value is not sent and not " +
				"stored: only its keyed hash is looked up. This includes transcripts, imports and memory files; but of what " +
				"is withheld as a whole (<private>, denied files) only values that look like secrets. Exit status 1: it is " +
				"not known.",
			Example: "  printf %s \"$KEY\" | mum ledger check",
			RunE:    func(cmd *cobra.Command, _ []string) error { return a.runLedgerCheck(cmd.Context(), asJSON) },
		},
		&cobra.Command{
			Use: "verify", Short: "Check that no row of the ledger was changed or removed", Args: cobra.NoArgs,
			Example: "  mum ledger verify",
			RunE:    func(cmd *cobra.Command, _ []string) error { return a.runLedgerVerify(cmd.Context(), asJSON) },
		},
		&cobra.Command{
			Use: "egress", Short: "List what was sent to a model, on this machine or elsewhere", Args: cobra.NoArgs,
			Example: "  mum ledger egress --json",
			RunE:    func(cmd *cobra.Command, _ []string) error { return a.runEgress(cmd.Context(), asJSON) },
		},
	)
	return cmd
}

func (a *app) runLedger(ctx context.Context, by string, asJSON bool) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	var l api.LedgerTotals
	if err := client.Get(ctx, "/ledger", url.Values{"by": {by}}, &l); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(l)
	}
	if len(l.Totals) == 0 {
		a.printf("nothing was removed yet\n")
		return nil
	}
	a.raw("%-36s %10s %8s  %s\n", l.By, "redactions", "secrets", "last")
	for _, t := range l.Totals {
		a.raw("%-36s %10d %8d  %s\n", t.Name, t.Redactions, t.Secrets, ago(t.Last))
	}
	return nil
}

func (a *app) runLedgerCheck(ctx context.Context, asJSON bool) error {
	dir, c, err := a.load(nil)
	if err != nil {
		return err
	}
	value, err := io.ReadAll(io.LimitReader(a.in, 1<<20))
	if err != nil {
		return err
	}
	secret := strings.TrimRight(string(value), "\r\n")
	if secret == "" {
		return usage(errors.New("standard input is empty: pipe the value into it"))
	}
	keys, err := home.Prepare(dir)
	if err != nil {
		return err
	}
	gate, err := privacy.New(privacy.Options{Key: keys.HMAC})
	if err != nil {
		return err
	}
	var seen api.LedgerSeen
	if err := api.NewClient(string(dir), c.Daemon.Socket).Get(ctx, "/ledger/seen/"+gate.MAC(secret), nil,
		&seen); err != nil {
		return err
	}
	return a.printSeen(seen, asJSON)
}

func (a *app) printSeen(seen api.LedgerSeen, asJSON bool) error {
	if asJSON {
		if err := a.printJSON(seen); err != nil {
			return err
		}
	} else if seen.Seen == 0 {
		a.printf("this value was never removed\n")
		a.printf("(of what is withheld as a whole, <private>, denied files, commands that print secrets, only values that " +
			"look like secrets are known)\n")
	} else {
		a.printf("this value was removed %s:\n", count(seen.Seen, "time"))
		for _, r := range seen.Rows {
			where := fmt.Sprintf("entry %d", r.ID)
			if r.ID == 0 {
				where = "a session file of an agent, or an import"
			}
			a.printf("  %s  %s, field %s, rule %s\n", ago(r.At), where, r.Field, r.Rule)
		}
	}
	if seen.Seen == 0 {
		return &exitError{code: exitFailure, err: errors.New("")}
	}
	return nil
}

func (a *app) runLedgerVerify(ctx context.Context, asJSON bool) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	var v api.LedgerVerified
	if err := client.Get(ctx, "/ledger/verify", nil, &v); err != nil {
		return err
	}
	if asJSON {
		if err := a.printJSON(v); err != nil {
			return err
		}
	} else if v.Broken == 0 {
		a.printf("ok: %s, none changed or missing\n", plural(v.Rows, "row", "rows"))
	} else {
		a.printf("row %d was changed, or the row before it is missing\n", v.Broken)
	}
	if v.Broken != 0 {
		return &exitError{code: exitFailure, err: errors.New("")}
	}
	return nil
}

func (a *app) runEgress(ctx context.Context, asJSON bool) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	var l api.EgressList
	if err := client.Get(ctx, "/ledger/egress", nil, &l); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(l)
	}
	if len(l.Egress) == 0 {
		a.printf("nothing was sent to any model\n")
		return nil
	}
	for _, e := range l.Egress {
		where := "on this machine"
		if e.Left {
			where = "LEFT this machine"
		}
		a.printf("%s  %-22s %-17s  %-24s %-10s %8d bytes  sha256 %.12s…  job %d\n", ago(e.At), e.Host, where, e.Model,
			e.Purpose, e.Bytes, e.SHA256, e.Job)
	}
	return nil
}
