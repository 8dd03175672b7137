package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/store"
)

func newSessionCmd(a *app) *cobra.Command {
	var o placeFlags
	cmd := &cobra.Command{
		Use: "session", Short: "Show and note what is being worked on", Args: cobra.NoArgs,
		Long: `Show the digest of the last session here, or of the one that you resumed: task and
progress, decisions, findings, edited files, the last command that failed, and what is
next. It is computed each time and not stored; the next session gets it at its start.
Your notes belong to the session that is running in this directory; if there is none, to a
session of your own.`,
		Example: "  mum session\n" +
			"  mum session task \"Move payments to Adyen\" --progress 40\n" +
			"  mum session next \"wire the webhook\"",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.showSession(cmd.Context(), o, "")
		},
	}
	o.register(cmd, false)
	cmd.AddCommand(newNoteCmd(a, "task", "Note the task", "  mum session task \"Move payments to Adyen\" --progress 40"),
		newNoteCmd(a, "finding", "Note a finding",
			"  mum session finding \"the webhook signs the raw body\" --file pay/hook.go"),
		newNoteCmd(a, "decision", "Note a decision", "  mum session decision \"keep Stripe for refunds until May\""),
		newNoteCmd(a, "next", "Note the next step", "  mum session next \"wire the webhook\""),
		newSessionListCmd(a), newSessionShowCmd(a), newSessionResumeCmd(a), newSessionDoneCmd(a), newSessionDiffCmd(a),
		newSessionVerifyCmd(a))
	return cmd
}

func newCheckpointCmd(a *app) *cobra.Command {
	cmd := newNoteCmd(a, "checkpoint", "Note the state of the work",
		"  mum checkpoint \"tests pass, the docs are missing\"")
	cmd.Use, cmd.Args = "checkpoint [TEXT…]", cobra.ArbitraryArgs
	return cmd
}

type noteFlags struct {
	in       api.Note
	progress int
	json     bool
}

func newNoteCmd(a *app, kind, short, example string) *cobra.Command {
	var f noteFlags
	cmd := &cobra.Command{
		Use: kind + " TEXT…", Short: short, Example: example, Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, words []string) error {
			f.in.Type, f.in.Text = kind, strings.Join(words, " ")
			if cmd.Flags().Changed("progress") {
				f.in.Progress = &f.progress
			}
			return a.note(cmd.Context(), f.in, f.json)
		},
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	cmd.Flags().StringVar(&f.in.Session, "session", "", "id of a session, or its beginning (default: the running one)")
	switch kind {
	case "task":
		cmd.Flags().IntVar(&f.progress, "progress", 0, "progress in percent, 0..100")
	case "finding":
		cmd.Flags().StringVar(&f.in.File, "file", "", "the file that it is about")
	}
	return cmd
}

func (a *app) note(ctx context.Context, in api.Note, asJSON bool) error {
	dir, err := a.here()
	if err != nil {
		return err
	}
	in.Directory = dir
	client, err := a.client()
	if err != nil {
		return err
	}
	var out api.Noted
	if err := client.Post(ctx, "/note", in, &out); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(out)
	}
	where := "in session " + out.Session
	if out.Own {
		where = "in a session of your own (none is running here)"
	}
	a.printf("noted: %d, %s\n", out.NoteID, where)
	if out.Findings > 0 {
		a.printf("        %s removed from it\n", plural(out.Findings, "secret was", "secrets were"))
	}
	return nil
}

func (a *app) digest(ctx context.Context, o placeFlags, name string) (api.SessionDigest, error) {
	var d api.SessionDigest
	more := url.Values{}
	if name != "" {
		more.Set("session", name)
	}
	return d, a.lookUp(ctx, o, "/sessions/digest", more, &d)
}

func (a *app) showSession(ctx context.Context, o placeFlags, name string) error {
	d, err := a.digest(ctx, o, name)
	if err != nil {
		return err
	}
	if o.json {
		return a.printJSON(d)
	}
	a.printDigest(d)
	if name == "" && d.Resumed {
		a.printf("you resumed it, so the next session here is told about it; mum session list shows those after it\n")
	}
	return nil
}

func (a *app) printDigest(d api.SessionDigest) {
	c := a.colours()
	a.printf("%s%d · %s/%s · %s · %s · %s%s\n", c.dim, d.Row, d.Agent, d.Session,
		d.Last.Local().Format(time.DateTime),
		d.Outcome, count(d.Tokens, "token"), c.off)
	for _, line := range d.Digest {
		a.hang("", line)
	}
	if len(d.Digest) == 0 {
		a.printf("no task, notes or work in this session; mum session task TEXT notes a task\n")
	}
}

func newSessionShowCmd(a *app) *cobra.Command {
	var o placeFlags
	cmd := &cobra.Command{
		Use: "show ID", Short: "Show the digest and the notes of a session", Args: cobra.ExactArgs(1),
		Example: "  mum session show 12\n  mum session show 5f0c2f6e --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.json {
				return a.showSession(cmd.Context(), o, args[0])
			}
			d, err := a.digest(cmd.Context(), o, args[0])
			if err != nil {
				return err
			}
			a.printDigest(d)
			for _, n := range d.Notes {
				if n.Agent == store.ByCompaction {
					n.Text = "before the agent compacted its context"
				}
				a.printf("%6d  %s  %-10s %s\n", n.ID, n.At.Local().Format(time.DateTime), n.Type, oneLine(n.Text, 100))
			}
			return nil
		},
	}
	o.register(cmd, true)
	return cmd
}

func newSessionListCmd(a *app) *cobra.Command {
	var o placeFlags
	var limit int
	cmd := &cobra.Command{
		Use: "list", Short: "List sessions with their outcome, newest first", Args: cobra.NoArgs,
		Long:    "List sessions, newest first. The outcome is done, failed (the last command failed), or open.",
		Example: "  mum session list\n  mum session list --all --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			var list api.SessionDigests
			more := url.Values{"limit": {strconv.Itoa(limit)}}
			if err := a.lookUp(cmd.Context(), o, "/sessions/digests", more, &list); err != nil {
				return err
			}
			if o.json {
				return a.printJSON(list)
			}
			for _, d := range list.Sessions {
				first := "no prompt"
				if len(d.Digest) > 0 {
					first = d.Digest[0]
				}
				a.printf("%6d  %s  %-8s %-6s  %s\n", d.Row, d.Last.Local().Format(time.DateTime), d.Agent, d.Outcome,
					oneLine(strings.Join(strings.Fields(first), " "), 90))
			}
			if len(list.Sessions) == 0 {
				a.printf("no sessions here; --all lists those of all projects\n")
			}
			return nil
		},
	}
	o.register(cmd, true)
	cmd.Flags().IntVarP(&limit, "limit", "n", 20, "maximum number of sessions (1..100)")
	return cmd
}

func newSessionResumeCmd(a *app) *cobra.Command {
	return placed(&cobra.Command{
		Use: "resume [ID]", Short: "Tell the next session about an earlier one first", Args: cobra.MaximumNArgs(1),
		Long: "Tell the next session that starts here about an earlier one first. Without ID, that is the\n" +
			"one before the last.",
		Example: "  mum session resume 12\n  mum session resume",
	}, a.resumeSession)
}

func (a *app) resumeSession(ctx context.Context, o placeFlags, args []string) error {
	name, err := a.toResume(ctx, o, args)
	if err != nil {
		return err
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	var d api.SessionDigest
	if err := client.Post(ctx, "/sessions/"+url.PathEscape(name)+"/resume", struct{}{}, &d); err != nil {
		return err
	}
	if o.json {
		return a.printJSON(d)
	}
	a.printf("the next start here is told:\n")
	a.printDigest(d)
	return nil
}

// toResume returns the row of the named session, otherwise of the one before the last.
func (a *app) toResume(ctx context.Context, o placeFlags, args []string) (string, error) {
	if len(args) == 0 {
		return a.sessionBefore(ctx, o, 1)
	}
	d, err := a.digest(ctx, o, args[0])
	return strconv.FormatInt(d.Row, 10), err
}

// sessionBefore returns the nth session before the last one here; 0 is the last.
func (a *app) sessionBefore(ctx context.Context, o placeFlags, n int) (string, error) {
	var list api.SessionDigests
	if err := a.lookUp(ctx, o, "/sessions/digests", url.Values{"limit": {strconv.Itoa(n + 1)}}, &list); err != nil {
		return "", err
	}
	if len(list.Sessions) <= n {
		return "", errors.New("there is no earlier session here")
	}
	return strconv.FormatInt(list.Sessions[n].Row, 10), nil
}

func newSessionDoneCmd(a *app) *cobra.Command {
	var asJSON bool
	in := api.Note{Type: "done"}
	cmd := &cobra.Command{
		Use: "done", Aliases: []string{"reset"}, Short: "Start the digest again, empty", Args: cobra.NoArgs,
		Long: "Stop telling agents what was done and noted in this session so far: its digest starts empty.\n" +
			"Nothing is removed.",
		Example: "  mum session done",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.note(cmd.Context(), in, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&in.Session, "session", "", "id of a session, or its beginning (default: the running one)")
	return cmd
}

// sessionDiff is what a later session has and an earlier one does not.
type sessionDiff struct {
	From  int64    `json:"from"`
	To    int64    `json:"to"`
	Added []string `json:"added"`
}

func newSessionDiffCmd(a *app) *cobra.Command {
	return placed(&cobra.Command{
		Use: "diff [A] [B]", Short: "Compare two sessions: what is new in the later one", Args: cobra.MaximumNArgs(2),
		Long: "Show tasks, decisions, findings and files that are in session B but not in A. Without B it is the\n" +
			"last; without A the one before.",
		Example: "  mum session diff\n  mum session diff 11 12 --json",
	}, func(ctx context.Context, o placeFlags, args []string) error {
		for n := len(args); n < 2; n++ { // those that are not named are the one before the last, and the last
			row, err := a.sessionBefore(ctx, o, 1-n)
			if err != nil {
				return err
			}
			args = append(args, row)
		}
		return a.diffSessions(ctx, o, args[0], args[1])
	})
}

func (a *app) diffSessions(ctx context.Context, o placeFlags, from, to string) error {
	was, err1 := a.digest(ctx, o, from)
	now, err2 := a.digest(ctx, o, to)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	diff := sessionDiff{From: was.Row, To: now.Row, Added: []string{}}
	had := facets(was)
	for _, line := range facets(now) {
		if !slices.Contains(had, line) {
			diff.Added = append(diff.Added, line)
		}
	}
	if o.json {
		return a.printJSON(diff)
	}
	a.printf("new in %d, compared with %d:\n", now.Row, was.Row)
	for _, line := range diff.Added {
		a.printf("  %s\n", line)
	}
	if len(diff.Added) == 0 {
		a.printf("  nothing\n")
	}
	return nil
}

// facets returns the parts of a session that can be compared.
func facets(d api.SessionDigest) []string {
	var out []string
	for _, n := range d.Notes {
		out = append(out, fmt.Sprintf("%-10s %s", n.Type, n.Text))
	}
	for _, f := range d.Edited {
		out = append(out, fmt.Sprintf("%-10s %s", "edited", f))
	}
	return out
}
