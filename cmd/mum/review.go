package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"keepmum/api"
)

type reviewFlags struct {
	placeFlags
	limit  int
	hidden bool
}

func newReviewCmd(a *app) *cobra.Command {
	var o reviewFlags
	cmd := &cobra.Command{
		Use: "review", Short: "Keep or drop proposed memories", Args: cobra.NoArgs,
		Long: `Review what sessions may have taught but mum was not sure enough to remember: one
proposal at a time, newest first, with the sentence it comes from: those of this
directory's project and of no project, or with --all those of all projects. Agents do not
get proposals. Keys: k keep, e edit and keep, d drop, n never like this, u undo, s skip,
q quit.

Your choices are recorded in ~/.mum/review.jsonl, on this machine only, and adjust the
threshold for you; mum review reset starts again. Proposals that you do not review are
hidden after 30 days (--hidden shows them).`,
		Example: "  mum review\n  mum review --all\n  mum review --json\n  mum review keep 12\n  mum review drop 12 13",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.runReview(cmd.Context(), o) },
	}
	f := cmd.Flags()
	o.register(cmd, true)
	f.IntVarP(&o.limit, "limit", "n", 20, "maximum number of proposals (1..1000)")
	f.BoolVar(&o.hidden, "hidden", false, "include proposals hidden after 30 days")
	cmd.AddCommand(newReviewKeepCmd(a), newReviewActCmd(a, "drop", "Drop proposals"),
		newReviewActCmd(a, "never", "Drop proposals, and never show anything like them"),
		newReviewActCmd(a, "undo", "Undo what you did with proposals"), newReviewResetCmd(a))
	return cmd
}

func newReviewKeepCmd(a *app) *cobra.Command {
	var title, body string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "keep ID", Short: "Make a proposal a memory, in your own words if you give some", Args: cobra.ExactArgs(1),
		Example: "  mum review keep 12\n  mum review keep 12 --title \"Use sqlc for reads\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			var in api.ReviewAct
			for name, to := range map[string]**string{"title": &in.Title, "body": &in.Body} {
				if v, err := cmd.Flags().GetString(name); err == nil && cmd.Flags().Changed(name) {
					*to = &v
				}
			}
			return a.actOnProposals(cmd.Context(), "keep", args, in, asJSON)
		},
	}
	cmd.Flags().StringVar(&title, "title", "", "the statement, in your words")
	cmd.Flags().StringVar(&body, "body", "", "the reasons, in your words")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newReviewActCmd(a *app, act, short string) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: act + " ID...", Short: short, Args: cobra.MinimumNArgs(1), Example: "  mum review " + act + " 12 13",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.actOnProposals(cmd.Context(), act, args, api.ReviewAct{}, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newReviewResetCmd(a *app) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "reset", Short: "Forget your reviews: use the built-in threshold again", Args: cobra.NoArgs,
		Example: "  mum review reset",
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := a.client()
			if err != nil {
				return err
			}
			var out api.ReviewReset
			if err := client.Post(cmd.Context(), "/review/reset", struct{}{}, &out); err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(out)
			}
			a.printf("%s forgotten\n", plural(out.Labels, "review", "reviews"))
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// actOnProposals takes the same action on each of some proposals.
func (a *app) actOnProposals(ctx context.Context, act string, ids []string, in api.ReviewAct, asJSON bool) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := strconv.ParseInt(id, 10, 64); err != nil {
			return usage(fmt.Errorf("%q is not the number of a proposal", id))
		}
		out, err := actOn(ctx, client, id, act, in)
		if err != nil {
			return err
		}
		if asJSON {
			err = a.printJSON(out)
		} else {
			a.printf("%s: %s\n", doneWith(out), reviewedTitle(out))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func actOn(ctx context.Context, client *api.Client, id, act string, in api.ReviewAct) (out api.Reviewed, err error) {
	return out, client.Post(ctx, "/review/"+url.PathEscape(id)+"/"+act, in, &out)
}

// reviewedTitle returns the title of the memory that a proposal became, which may be in the user's own words, otherwise
// that of the proposal.
func reviewedTitle(out api.Reviewed) string {
	if out.Written != nil {
		return out.Written.Memory.Title
	}
	return out.Proposal.Title
}

func doneWith(out api.Reviewed) string {
	switch out.Action {
	case "keep", "edit":
		return fmt.Sprintf("kept as memory %d", out.Proposal.Memory)
	case "undo":
		return "open again"
	case "never":
		return "dropped, and nothing like it"
	}
	return "dropped"
}

// check rejects a number of proposals that is none. A program may ask for 0, to have the counts.
func (o reviewFlags) check() error {
	if o.limit < 0 || o.limit > 1000 || o.limit == 0 && !o.json {
		return usage(errors.New("--limit must be 1..1000"))
	}
	return nil
}

// query returns what is to be reviewed as query parameters for the daemon.
func (o reviewFlags) query(a *app) (url.Values, error) {
	q, err := o.placeFlags.query(a)
	if err != nil {
		return nil, err
	}
	q.Set("limit", strconv.Itoa(o.limit))
	if o.hidden {
		q.Set("hidden", "true")
	}
	return q, nil
}

func (a *app) runReview(ctx context.Context, o reviewFlags) error {
	if err := o.check(); err != nil {
		return err
	}
	q, err := o.query(a)
	if err != nil {
		return err
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	var list api.Proposals
	if err := client.Get(ctx, "/review", q, &list); err != nil {
		return err
	}
	if o.json {
		return a.printJSON(list)
	}
	if len(list.Proposals) == 0 {
		return a.nothingToReview(ctx, client, o, list.Hidden)
	}
	if in, ok := a.keyboard(); ok {
		return a.reviewOnScreen(ctx, client, in, list)
	}
	a.printProposals(list)
	return nil
}

// keyboard returns the terminal in which somebody types and sees the answers.
func (a *app) keyboard() (*os.File, bool) {
	in, typing := terminalOf(stdin(a.in))
	_, shown := terminalOf(a.out)
	return in, typing && shown && a.getenv("TERM") != "dumb"
}

// printProposals lists proposals, with their projects if there are several.
func (a *app) printProposals(list api.Proposals) {
	several := slices.ContainsFunc(list.Proposals, func(p api.Proposal) bool {
		return p.Project != list.Proposals[0].Project
	})
	for _, p := range list.Proposals {
		of := ""
		if several {
			of = "  (" + cmp.Or(p.Project, "no project") + ")"
		}
		a.printf("%d  %s%s\n", p.ID, oneLine(p.Title, 100), of)
		if p.Sentence != "" {
			a.printf("    %q\n", oneLine(p.Sentence, 140))
		}
	}
	a.printf("mum review keep|drop|never ID decides%s\n", hiddenOnes(list.Hidden))
}

// nothingToReview says so, and where there is something.
func (a *app) nothingToReview(ctx context.Context, client *api.Client, o reviewFlags, hidden int) error {
	if o.all || o.project != "" {
		a.printf("nothing to review%s\n", hiddenOnes(hidden))
		return nil
	}
	var all api.Proposals
	if err := client.Get(ctx, "/review", url.Values{"limit": {"0"}}, &all); err != nil {
		return err
	}
	elsewhere := ""
	if all.Open > 0 {
		elsewhere = fmt.Sprintf("; %s in other projects: mum review --all", plural(all.Open, "proposal", "proposals"))
	}
	a.printf("nothing to review here%s%s\n", hiddenOnes(hidden), elsewhere)
	return nil
}

func hiddenOnes(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d not reviewed for 30 days: mum review --hidden", n)
}

// screen is a review on a terminal: one proposal at a time, a key for each answer.
type screen struct {
	a      *app
	client *api.Client
	key    func() (byte, error)
	list   api.Proposals
	at     int
	done   []int // indexes in the list, in the order of the answers
	said   string
}

func (a *app) reviewOnScreen(ctx context.Context, client *api.Client, in *os.File, list api.Proposals) error {
	s := &screen{a: a, client: client, list: list}
	keys := bufio.NewReader(a.in) // it ends when the command is stopped
	s.key = func() (byte, error) {
		old, err := term.MakeRaw(int(in.Fd()))
		if err != nil { // not a terminal after all: read a line instead
			return keys.ReadByte()
		}
		defer func() { _ = term.Restore(int(in.Fd()), old) }()
		return keys.ReadByte()
	}
	return s.run(ctx)
}

func (s *screen) run(ctx context.Context) error {
	for {
		s.draw()
		k, err := s.key()
		if errors.Is(err, io.EOF) || k == 'q' || k == 3 || k == 4 { // Ctrl-C, Ctrl-D
			s.a.printf("\n")
			return nil
		}
		if err != nil {
			return err
		}
		if err := s.press(ctx, k); err != nil {
			s.said = err.Error()
		}
	}
}

// press carries out the action of a key.
func (s *screen) press(ctx context.Context, k byte) error {
	s.said = ""
	acts := map[byte]string{'k': "keep", 'd': "drop", 'n': "never"}
	switch {
	case k == 'u' && len(s.done) > 0:
		at := s.done[len(s.done)-1]
		if _, err := s.act(ctx, at, "undo", api.ReviewAct{}); err != nil {
			return err
		}
		s.done, s.at, s.said = s.done[:len(s.done)-1], at, "undone"
		return nil
	case k == 'u':
		s.said = "nothing to undo"
		return nil
	case s.at >= len(s.list.Proposals):
		return nil
	case k == 's':
		s.at++
		return nil
	case k == 'e':
		return s.edit(ctx)
	case acts[k] == "":
		return nil
	}
	return s.answer(ctx, acts[k], api.ReviewAct{})
}

func (s *screen) answer(ctx context.Context, act string, in api.ReviewAct) error {
	out, err := s.act(ctx, s.at, act, in)
	if err != nil {
		return err
	}
	s.said = doneWith(out)
	s.done = append(s.done, s.at)
	s.at++
	return nil
}

func (s *screen) act(ctx context.Context, at int, act string, in api.ReviewAct) (api.Reviewed, error) {
	return actOn(ctx, s.client, strconv.FormatInt(s.list.Proposals[at].ID, 10), act, in)
}

// edit opens the proposal in the user's editor, and stores what the user saves.
func (s *screen) edit(ctx context.Context) error {
	p := s.list.Proposals[s.at]
	m := api.Memory{ID: strconv.FormatInt(p.ID, 10), Title: p.Title, Body: p.Body, Tags: p.Tags, Confidence: 0.9,
		Kind: p.Kind}
	_, err := s.a.editInEditor(ctx, m, func(e api.MemoryEdit) error {
		return s.answer(ctx, "keep", api.ReviewAct{Title: e.Title, Body: e.Body, Tags: e.Tags})
	})
	var typed *typedError
	if errors.As(err, &typed) {
		err = fmt.Errorf("%w; %s", err, s.a.clean(typed.where()))
	}
	return err
}

func (s *screen) draw() {
	const clear = "\x1b[H\x1b[2J"
	var b strings.Builder
	fmt.Fprint(s.a.out, clear)
	if s.at >= len(s.list.Proposals) {
		fmt.Fprintf(&b, "%s\n\nNo more proposals. u undo, q quit ", s.said)
		s.a.printf("%s", b.String())
		return
	}
	p := s.list.Proposals[s.at]
	fmt.Fprintf(&b, "%d of %d%s\n\n", s.at+1, s.list.Open, hiddenOnes(s.list.Hidden))
	fmt.Fprintf(&b, "%s\n\n%s\n\n", p.Title, p.Body)
	if p.Sentence != "" {
		fmt.Fprintf(&b, "from %s, %s:\n  %s\n\n", cmp.Or(p.Project, "no project"), p.Said.Format("2006-01-02"),
			oneLine(p.Sentence, 400))
	}
	fmt.Fprintf(&b, "%s\n[k]eep [e]dit [d]rop [n]ever like this [u]ndo [s]kip [q]uit ", s.said)
	s.a.printf("%s", b.String())
}
