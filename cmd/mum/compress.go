package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"keepmum/api"
)

type compressFlags struct {
	now, status, redo, dryRun, json bool
	model                           string
	job                             int64
}

func newCompressCmd(a *app) *cobra.Command {
	var f compressFlags
	cmd := &cobra.Command{
		Use: "compress", Short: "Summarise what was captured", Args: cobra.NoArgs,
		Long: `Summarise what was captured. The daemon does this on its own while you are idle. This
command shows its state, starts it now, or prints the exact bytes that a model would get.`,
		Example: "  mum compress --status\n  mum compress --now\n  mum compress --dry-run\n" +
			"  mum compress --redo --model qwen3:4b",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runCompress(cmd.Context(), f) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.now, "now", false, "start now, even while you are typing")
	flags.BoolVar(&f.status, "status", false, "show the state (the default)")
	flags.BoolVar(&f.redo, "redo", false, "summarise again what has a summary")
	flags.BoolVar(&f.dryRun, "dry-run", false, "print the bytes that would be sent, and send nothing")
	flags.Int64Var(&f.job, "job", 0, "with --dry-run: the job to show (default the newest that waits)")
	flags.StringVar(&f.model, "model", "", "use this local model instead of the configured one")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	cmd.MarkFlagsMutuallyExclusive("now", "status", "redo", "dry-run")
	return cmd
}

func (a *app) runCompress(ctx context.Context, f compressFlags) error {
	switch {
	case f.job != 0 && !f.dryRun:
		return usage(errors.New("--job needs --dry-run"))
	case f.model != "" && !f.now && !f.redo:
		return usage(errors.New("--model needs --now or --redo"))
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	switch {
	case f.dryRun:
		return a.previewCompress(ctx, client, f)
	case f.now || f.redo:
		return a.startCompress(ctx, client, f)
	}
	return a.compressStatus(ctx, client, f.json)
}

func (a *app) startCompress(ctx context.Context, client *api.Client, f compressFlags) error {
	var out api.Compressed
	if err := client.Post(ctx, "/compress", api.CompressRequest{Redo: f.redo, Model: f.model}, &out); err != nil {
		return err
	}
	if f.json {
		return a.printJSON(out)
	}
	a.printf("%s waiting; see: mum compress --status\n", count(out.Waiting, "job"))
	if out.Waiting == 0 {
		return nil
	}
	return a.noteRules(ctx, client)
}

func (a *app) compressStatus(ctx context.Context, client *api.Client, asJSON bool) error {
	var s api.Status
	if err := client.Get(ctx, "/status", nil, &s); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(map[string]any{"compress": s.Compress, "queue": s.Queue, "egress": s.Egress, "asked": s.Asked})
	}
	for _, key := range slices.Sorted(maps.Keys(s.Compress)) {
		a.printf("%-9s %s\n", key, s.Compress[key])
	}
	a.printf("%-9s %s\n%-9s %s\n", "queue", queued(s), "sent", sent(s))
	return nil
}

func (a *app) previewCompress(ctx context.Context, client *api.Client, f compressFlags) error {
	q := url.Values{}
	if f.job != 0 {
		q.Set("job", strconv.FormatInt(f.job, 10))
	}
	var p api.Preview
	if err := client.Get(ctx, "/compress/preview", q, &p); err != nil {
		return err
	}
	switch {
	case f.json:
		return a.printJSON(p)
	case len(p.Held) > 0:
		for _, h := range p.Held {
			a.printf("held back: %s at %d..%d\n", h.Rule, h.Start, h.End)
		}
		return &exitError{exitFailure, errors.New("the second gate would hold this back"), "mum quarantine list"}
	case p.Payload == "":
		a.printf("nothing would be sent: %s\n", p.Why)
		return nil
	}
	if err := a.copyOut(strings.NewReader(p.Payload + "\n")); err != nil {
		return err
	}
	if p.Why != "" {
		_, err := fmt.Fprintf(a.errs, "%s\nthese %d bytes would go to %s if one were, sha256 %s\n", p.Why, len(p.Payload),
			p.Host, p.SHA256)
		return err
	}
	_, err := fmt.Fprintf(a.errs, "would go to %s, model %s, %d bytes, sha256 %s\n", p.Host, p.Model, len(p.Payload),
		p.SHA256)
	return err
}
