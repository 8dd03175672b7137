package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
)

type forgetOptions struct {
	in          api.Forget
	since       string
	until       string
	secretStdin bool
	yes         bool
	asJSON      bool
}

func newForgetCmd(a *app) *cobra.Command {
	var o forgetOptions
	cmd := &cobra.Command{
		Use: "forget [ID...]", Short: "Permanently remove what was kept, and everything derived from it",
		Long: `Remove entries, their index, the summaries made of them, the memories learned from them
with their files, and the backups and files set aside by a restore that contain them.
Then search for them in every byte of the data directory and of the memories in
repositories. An import, a transcript or a retry does not bring back what was forgotten.

With --secret-stdin a value is removed wherever it is, and the rest stays. There is no
dry run of that.`,
		Example: "  mum forget 12 13 --dry-run\n  mum forget --project old-shop --yes\n" +
			"  mum forget --session claude/5f0c2f6e-1d1b-4b7e-9a53-0c8d0a3f1e11 --dry-run\n" +
			"  mum forget --query \"customer list\"\n  printf %s \"$VALUE\" | mum forget --secret-stdin",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.complete(args, a.in); err != nil {
				return err
			}
			return a.runForget(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.in.Query, "query", "", "entries that contain all of these words")
	f.StringVar(&o.in.Session, "session", "", "entries of this session: the agent's id, or AGENT/ID")
	f.StringVarP(&o.in.Project, "project", "p", "", "entries of this project, by name or number")
	f.StringVar(&o.in.Agent, "agent", "", "entries of this agent")
	f.StringVar(&o.since, "since", "", "entries from this time on (2026-03-01 or RFC 3339)")
	f.StringVar(&o.until, "until", "", "entries before this time")
	f.BoolVar(&o.secretStdin, "secret-stdin", false, "remove the value on standard input from everything")
	f.BoolVar(&o.in.DryRun, "dry-run", false, "show what would be removed, remove nothing")
	f.BoolVar(&o.yes, "yes", false, "do not ask")
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
	for _, other := range []string{"query", "session", "project", "agent", "since", "until", "dry-run"} {
		cmd.MarkFlagsMutuallyExclusive("secret-stdin", other)
	}
	return cmd
}

func (o *forgetOptions) complete(args []string, stdin io.Reader) error {
	for _, arg := range args {
		id, err := strconv.ParseInt(arg, 10, 64)
		if err != nil || id < 1 {
			return usage(errors.New("an id must be a number; words go with --query"))
		}
		o.in.IDs = append(o.in.IDs, id)
	}
	for _, t := range []struct {
		text string
		dest **time.Time
	}{{o.since, &o.in.Since}, {o.until, &o.in.Until}} {
		if t.text == "" {
			continue
		}
		at, err := parseDay(t.text)
		if err != nil {
			return usage(err)
		}
		*t.dest = &at
	}
	if !o.secretStdin {
		return nil
	}
	if len(args) > 0 {
		return usage(errors.New("--secret-stdin removes a value from every entry: it takes no ID"))
	}
	value, err := io.ReadAll(io.LimitReader(stdin, 1<<20))
	if err != nil {
		return err
	}
	if o.in.Text = strings.TrimRight(string(value), "\r\n"); o.in.Text == "" {
		return usage(errors.New("standard input is empty: pipe the value into it"))
	}
	o.yes = true // standard input contains the value, not an answer
	return nil
}

// parseDay parses a day in UTC, or a time.
func parseDay(s string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, errors.New("a time must be like 2026-03-01 or 2026-03-01T14:23:05Z")
}

func (a *app) runForget(ctx context.Context, o forgetOptions) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	if !o.yes && !o.in.DryRun {
		if o.in.Confirm, err = a.confirmForget(ctx, client, o.in); err != nil {
			return err
		}
	}
	var out api.Forgotten
	if err := client.Post(ctx, "/forget", o.in, &out); err != nil {
		return err
	}
	if o.asJSON {
		if err := a.printJSON(out); err != nil {
			return err
		}
	} else {
		a.printForgotten(out, o.secretStdin)
	}
	if len(out.Found) > 0 {
		return hinted(fmt.Errorf("%s what was forgotten",
			plural(len(out.Found), "file still contains", "files still contain")), "check the files named above")
	}
	if len(out.Unread) > 0 {
		return hinted(fmt.Errorf("%s, so it may still contain what was forgotten",
			plural(len(out.Unread), "file cannot be read", "files cannot be read")),
			"make it readable (chmod u+r), then give the same command again")
	}
	return nil
}

// confirmForget shows what would be removed and asks. It returns the token of what was shown.
func (a *app) confirmForget(ctx context.Context, client *api.Client, in api.Forget) (token string, err error) {
	in.DryRun = true
	var plan api.Forgotten
	if err := client.Post(ctx, "/forget", in, &plan); err != nil {
		return "", err
	}
	if len(plan.Documents)+len(plan.Memories)+plan.Transcripts == 0 {
		return plan.Token, nil
	}
	a.printFirst(func(format string, args ...any) { a.tell(a.errs, format, args...) }, plan)
	if plan.Transcripts > 0 {
		a.tell(a.errs, "%s in the agents' own files will not be read again up to this point.\n",
			plural(plan.Transcripts, "session", "sessions"))
	}
	if !a.confirm(whatGoes(plan) + " will be removed for good. Continue?") {
		return "", hinted(errors.New("nothing was removed"), "mum forget … --yes")
	}
	return plan.Token, nil
}

// whatGoes names what is removed: "2 entries, 1 summary made of them, 1 session".
func whatGoes(f api.Forgotten) string {
	var parts []string
	for _, part := range []struct {
		n    int
		text string
	}{{len(f.Documents), plural(len(f.Documents), "entry", "entries")},
		{len(f.Derived), plural(len(f.Derived), "summary", "summaries") + " made of " + noun(len(f.Documents), "it", "them")},
		{len(f.Memories), plural(len(f.Memories), "memory", "memories")},
		{f.Sessions, plural(f.Sessions, "session", "sessions")}} {
		if part.n > 0 {
			parts = append(parts, part.text)
		}
	}
	if len(parts) == 0 {
		return "0 entries"
	}
	return strings.Join(parts, ", ")
}

func (a *app) printForgotten(out api.Forgotten, value bool) {
	verb := "removed"
	if out.DryRun {
		verb = "would remove"
	}
	switch {
	case value && out.Changed+out.FilesChanged == 0:
		a.printf("the value was not found in any entry or memory file\n")
	case value:
		a.printf("removed the value from %s and %s\n", plural(out.Changed, "entry", "entries"),
			plural(out.FilesChanged, "memory file", "memory files"))
	default:
		a.printf("%s %s\n", verb, whatGoes(out))
	}
	a.printFirst(a.printf, out)
	a.printProblems(out.Problems)
	a.printSetAside(out)
	if out.Transcripts > 0 {
		a.printf("%s in the agents' own files will not be read again up to this point\n",
			plural(out.Transcripts, "session", "sessions"))
	}
	defer a.printLeft(a.printf, out)
	if out.DryRun || out.Probes == 0 {
		return
	}
	a.printf("searched for %s in every byte of %s: found in %d\n", plural(out.Probes, "piece", "pieces"),
		plural(out.Files, "file", "files"), len(out.Found))
	for _, f := range out.Found {
		a.printf("    %s\n", a.tilde(f))
	}
	for _, f := range out.Unread {
		a.printf("not searched, because it cannot be read: %s\n", a.tilde(f))
	}
}

// maxRepeated limits how many of the entries that contain the words of a memory are listed.
const maxRepeated = 10

// printLeft names the entries that a removed memory came from, with the command that removes them, and those that
// contain its words: they may say more, so no command is given for them.
func (a *app) printLeft(printf func(string, ...any), out api.Forgotten) {
	stays, stay := "stays, and agents can still be told of it", "stay"
	if out.DryRun {
		stays, stay = "would stay, and agents could still be told of it", "would stay"
	}
	if len(out.Left) > 0 {
		printf("what the memory came from %s:\n", stays)
		printMoments(printf, out.Left, len(out.Left))
		command := "mum forget"
		for _, m := range out.Left {
			command += fmt.Sprint(" ", m.ID)
		}
		printf("to remove that too, with all that was learned from it: %s\n", command)
	}
	if len(out.Repeated) > 0 {
		printf("entries that contain the words of the memory %s:\n", stay)
		printMoments(printf, out.Repeated, maxRepeated)
	}
}

// printMoments prints the first entries of a list, and how many more there are.
func printMoments(printf func(string, ...any), list []api.Moment, most int) {
	for _, m := range list[:min(len(list), most)] {
		printf("%6d  %s  %-11s  %s\n", m.ID, m.Date.Local().Format("2006-01-02 15:04"), m.Type, oneLine(m.Title, 100))
	}
	if more := len(list) - most; more > 0 {
		printf("        and %d more\n", more)
	}
}

// printFirst prints the first entries of what would be removed, and how many more there are.
func (a *app) printFirst(printf func(string, ...any), out api.Forgotten) {
	printMoments(printf, out.First, len(out.First))
	if more := len(out.Documents) + len(out.Derived) + len(out.Memories) - len(out.First); len(out.First) > 0 && more > 0 {
		printf("        and %d more\n", more)
	}
}

// printSetAside names the copies that a restore left.
func (a *app) printSetAside(out api.Forgotten) {
	title := "nothing of it is kept, but files set aside by a restore may contain it; remove them with rm:"
	if out.Probes+len(out.Documents)+len(out.Memories)+out.Transcripts > 0 {
		title = "also removed, because they told of it (set aside by a restore):"
	}
	a.printPaths(title, out.SetAside)
	a.printPaths("set aside by a restore and still there, because nothing in it is known to tell of it; rm -r removes it:",
		out.SetAsideLeft)
}

func (a *app) printPaths(title string, paths []string) {
	if len(paths) > 0 {
		a.printf("%s\n", title)
	}
	for _, path := range paths {
		a.printf("    %s\n", a.tilde(path))
	}
}

// printProblems names the files that a person should check.
func (a *app) printProblems(problems []string) {
	for _, p := range problems {
		a.printf("check %s\n", a.tilde(p))
	}
}
