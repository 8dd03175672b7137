package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
)

type memoryAdd struct {
	placeFlags
	in       api.MemoryAdd
	decision bool
}

func newMemoryAddCmd(a *app) *cobra.Command {
	var o memoryAdd
	cmd := &cobra.Command{
		Use: "add TITLE", Short: "Write a memory", Args: cobra.ExactArgs(1),
		Long: `Write a memory. The title (10 to 1000 characters) is the statement. The body (at least
50) says why, what the alternatives were, and when it does not apply; --body - reads it
from standard input. A fact is one sentence and needs no body, or a shorter one. Everything passes the gate.

A similar memory is extended instead of written twice (--new always writes a separate
one), and a memory that this one contradicts is archived. With --key it replaces the memory with the
same key, whatever its words; the first segment of a key is its room. --from says since
when it is valid; a memory older than the current one goes into the history.`,
		Example: "  mum memory add \"Payments use Stripe\" --key payments/provider --confidence 0.9\n" +
			"  mum memory add \"Use sqlc for queries\" --body \"The ORM hid an N+1 query on every list, and took 20 " +
			"s.\" --decision\n  mum memory add \"Tests need TZ=UTC\" --kind pitfall --tag tests --body - < why.md\n" +
			"  mum memory add \"Indent with tabs\" --kind preference --global --body \"My editor shows them as wide as I " +
			"like, in every project.\"",
		RunE: func(cmd *cobra.Command, args []string) error { return a.runMemoryAdd(cmd.Context(), o, args[0]) },
	}
	f := cmd.Flags()
	o.register(cmd, false)
	f.StringVar(&o.in.Body, "body", "", "the reasons; - reads standard input (only a fact needs none)")
	f.StringVar(&o.in.Key, "key", "", "the question it answers, as room/name; one statement per key is valid at a time")
	f.StringVar(&o.in.Category, "category", "", "the room of a --key that has none; without a key, a tag")
	f.StringVar(&o.in.ValidFrom, "from", "", "since when it is valid: a day or a time (default: now)")
	f.BoolVar(&o.decision, "decision", false, "it is a decision, not a learning")
	f.StringVar(
		&o.in.Kind,
		"kind",
		"",
		"of a learning: insight (with a body), fact (without), procedure, friction, pitfall or "+
			"preference",
	)
	f.StringSliceVar(&o.in.Tags, "tag", nil, "a `tag`; repeat for more")
	f.Float64Var(&o.in.Confidence, "confidence", 0, "how sure you are, 0..1 (default 0.9)")
	f.StringVar(&o.in.Branch, "branch", "", "valid on this branch only, until it is merged")
	f.BoolVar(&o.in.Global, "global", false, "valid in all projects")
	cmd.MarkFlagsMutuallyExclusive("global", "project")
	f.BoolVar(&o.in.New, "new", false, "always write a new memory, even if a similar one exists")
	return cmd
}

func (a *app) runMemoryAdd(ctx context.Context, o memoryAdd, title string) error {
	var err error
	if o.in.Body, err = bodyFrom(a.in, o.in.Body); err != nil {
		return err
	}
	if kind := o.in.Kind; kind != "" && !slices.Contains(memoryKinds, kind) {
		return usage(fmt.Errorf("--kind %q is not one of %s", kind, strings.Join(memoryKinds, ", ")))
	}
	if err := o.check(); err != nil {
		return err
	}
	o.in.Title, o.in.Project = title, o.project
	if o.decision {
		o.in.Primitive = "decision"
	}
	q, err := o.query(a)
	if err != nil {
		return err
	}
	o.in.Directory = q.Get("directory")
	if err := nameable(o.in.Directory, "add --project NAME, or --global for all projects"); err != nil && !o.in.Global {
		return err
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	var out api.MemoryWritten
	if err := client.Post(ctx, "/memories", o.in, &out); err != nil {
		return err
	}
	if err := a.printWritten(out, o.json); err != nil || o.json {
		return err
	}
	a.printConsequences(out, o.in)
	return nil
}

// check rejects what was typed wrong.
func (o *memoryAdd) check() error {
	if err := checkConfidence(o.in.Confidence); err != nil {
		return err
	}
	if from := o.in.ValidFrom; from != "" && !isMoment(from) {
		return usage(errors.New("--from must be a day like 2026-03-01 or a time like 2026-03-01T14:23:05Z"))
	}
	if strings.TrimSpace(o.in.Body) == "" && (o.decision || o.in.Kind != "" && o.in.Kind != "fact") {
		return usage(errors.New("a memory needs a body: --body says why; only a fact needs none"))
	}
	return nil
}

// checkConfidence rejects what is no share; what is not a number has no form in JSON.
func checkConfidence(share float64) error {
	if !(share >= 0 && share <= 1) { // NaN fails both comparisons
		return usage(errors.New("--confidence must be 0..1"))
	}
	return nil
}

// isMoment reports whether a text is a day or a time.
func isMoment(s string) bool {
	_, day := time.Parse(time.DateOnly, s)
	_, moment := time.Parse(time.RFC3339, s)
	return day == nil || moment == nil
}

// bodyFrom returns the body that a flag gives: - reads it from standard input.
func bodyFrom(stdin io.Reader, body string) (string, error) {
	if body != "-" {
		return body, nil
	}
	text, err := io.ReadAll(io.LimitReader(stdin, 1<<20))
	return string(text), err
}

// printConsequences prints the further effects of adding a memory.
func (a *app) printConsequences(out api.MemoryWritten, in api.MemoryAdd) {
	if out.Memory.Key != "" {
		a.printf("        key %s\n", out.Memory.Key)
	}
	a.printReplaced(out)
	is := cmp.Or(out.Memory.Kind, out.Memory.Primitive)
	if asked := cmp.Or(in.Kind, in.Primitive); asked != "" && asked != is {
		a.printf("        its kind stays %s\n", is)
	}
	switch {
	case out.Action == "update":
		a.printf("        --new writes a separate memory instead\n")
	case out.Action == "noop" && in.Key == "":
		a.printf("        nothing was added; --new adds it as a separate memory\n")
	case out.Action == "noop":
		a.printf("        nothing was added; mum memory edit %d changes it\n", out.Memory.Entry)
	}
	if out.Memory.Project == "" && !in.Global {
		a.printf("        this directory belongs to no project, so the memory is valid in all\n")
	}
}

// printReplaced names the memory that was replaced, and those that depend on it.
func (a *app) printReplaced(out api.MemoryWritten) {
	if out.Replaced != "" {
		a.printf("        %s was replaced; mum memory restore brings it back\n", out.Replaced)
	}
	for _, m := range out.Dependents {
		a.printf("        %d depends on it; check whether it is still valid: %s\n", m.Entry, oneLine(m.Title, 80))
	}
}

func (a *app) printWritten(out api.MemoryWritten, asJSON bool) error {
	if asJSON {
		return a.printJSON(out)
	}
	did := map[string]string{"add": "written", "update": "added to an existing memory", "noop": "already known",
		"supersede": "written; it replaces what it contradicts",
		"history":   "written to the history: a newer memory is valid",
		"edit":      "changed", "archive": "archived", "restore": "restored", "pin": "pinned",
		"unpin": "no longer pinned", "promote": "now valid everywhere",
		"instead": "written; on its branch it replaces the memory that is valid elsewhere"}[out.Action]
	if out.Reason == "already" {
		did = map[string]string{"archive": "already archived", "restore": "already active", "pin": "already pinned",
			"unpin": "not pinned", "promote": "already valid everywhere"}[out.Action]
	}
	a.printf("%s: %d %s\n        %s\n", did, out.Memory.Entry, out.Memory.Title, a.tilde(out.Memory.File))
	if out.Findings > 0 {
		a.printf("        %s removed from it\n", plural(out.Findings, "secret was", "secrets were"))
	}
	return nil
}

func newMemoryChangeCmd(a *app, action, short, long string) *cobra.Command {
	var o placeFlags
	cmd := &cobra.Command{
		Use: action + " ID", Short: short, Long: long, Args: cobra.ExactArgs(1), Example: "  mum memory " + action + " 12",
		RunE: func(cmd *cobra.Command, args []string) error {
			client, m, err := a.memory(cmd.Context(), o, args[0])
			if err != nil {
				return err
			}
			var out api.MemoryWritten
			if err := client.Post(cmd.Context(), memoryPath(m, action), struct{}{}, &out); err != nil {
				return err
			}
			if err := a.printWritten(out, o.json); err != nil || o.json {
				return err
			}
			a.printReplaced(out)
			return nil
		},
	}
	o.register(cmd, false)
	return cmd
}

func memoryPath(m api.Memory, action string) string {
	return "/memories/" + strconv.FormatInt(m.Entry, 10) + "/" + action
}

// memoryKinds are the kinds of a learning.
var memoryKinds = []string{"insight", "fact", "procedure", "friction", "pitfall", "preference"}
