package main

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
)

func newMemoryCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "memory", Short: "Read and write what was learned", Args: cobra.NoArgs,
		Long: `Memories are markdown files: decisions and learnings. mum sync writes them from your
sessions; you can add, edit, archive and forget them, with these commands or in an
editor. Name a memory by its number, its id, or the beginning of its id.`,
		Example: "  mum memory list\n  mum memory add \"Use sqlc for queries\" --body \"Because …\" --decision\n" +
			"  mum memory search rate limit",
	}
	cmd.AddCommand(newMemoryListCmd(a), newMemorySearchCmd(a), newMemoryShowCmd(a), newMemoryAddCmd(a),
		newMemoryEditCmd(a), newMemoryChangeCmd(a, "archive", "Archive a memory",
			"Archive a memory. Its file moves to archived/; mum memory restore brings it back."),
		newMemoryChangeCmd(a, "restore", "Bring back an archived memory",
			"Bring back an archived memory. An active one with the same key is replaced by it."),
		newMemoryChangeCmd(a, "pin", "Keep a memory from fading",
			"Keep a memory from fading: it stays active even if nobody uses it."),
		newMemoryChangeCmd(a, "promote", "Make a memory valid beyond its branch",
			"Make a memory that was learned on a branch valid everywhere, before the branch is merged."),
		newMemoryChangeCmd(a, "unpin", "Let a memory fade again", ""), newMemoryForgetCmd(a), newMemoryExportCmd(a),
		newMemoryImportCmd(a), newMemoryResetCmd(a), newMemoryAuditCmd(a),
		newMemoryReindexCmd(a), newMemoryLinkCmd(a), newMemoryUnlinkCmd(a), newMemoryLinksCmd(a),
		newMemoryHistoryCmd(a), newMemoryRoomsCmd(a), newMemoryStatusCmd(a), newMemoryRulesCmd(a))
	return cmd
}

// placeFlags say where to look for memories.
type placeFlags struct {
	project string
	all     bool
	json    bool
}

func (f *placeFlags) register(cmd *cobra.Command, all bool) {
	cmd.Flags().StringVarP(&f.project, "project", "p", "",
		"project by name or number (default: the one of this directory)")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	if all {
		cmd.Flags().BoolVarP(&f.all, "all", "a", false, "from all projects")
	}
}

// placed adds the flags of a place to a command, and runs it with them.
func placed(cmd *cobra.Command, run func(context.Context, placeFlags, []string) error) *cobra.Command {
	var o placeFlags
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), o, args) }
	o.register(cmd, false)
	return cmd
}

// query returns the place as query parameters for the daemon.
func (f placeFlags) query(a *app) (url.Values, error) {
	q := url.Values{}
	switch {
	case f.all:
	case f.project != "":
		q.Set("project", f.project)
	default:
		dir, err := a.here()
		if err != nil {
			return nil, err
		}
		q.Set("directory", dir)
	}
	return q, nil
}

type memoryList struct {
	placeFlags
	state, primitive, kind, room, asOf, branch string
	limit                                      int
	mode                                       string
}

func newMemoryListCmd(a *app) *cobra.Command {
	var o memoryList
	cmd := &cobra.Command{
		Use: "list", Short: "List memories, newest first", Args: cobra.NoArgs,
		Long: `List the memories of this project and the global ones. Each line shows the number, the
day, today's confidence, the kind and the title.`,
		Example: "  mum memory list\n  mum memory list --state all --all --json\n" +
			"  mum memory list --room payments --as-of 2026-03-01\n  mum memory list --branch feature/queue",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runMemoryList(cmd.Context(), o) },
	}
	o.register(cmd, true)
	cmd.Flags().StringVar(&o.state, "state", "active", "active, archived, superseded or all")
	cmd.Flags().StringVar(&o.primitive, "only", "", "decision or learning")
	cmd.Flags().StringVar(&o.kind, "kind", "", "of a learning: insight, procedure, friction, pitfall, preference or fact")
	cmd.Flags().StringVar(&o.room, "room", "", "only with a key in this room (mum memory rooms)")
	cmd.Flags().StringVar(&o.branch, "branch", "",
		"only memories of this branch; * for all branches (default: valid everywhere, or on the branch checked out)")
	cmd.Flags().StringVar(&o.asOf, "as-of", "", asOfHelp)
	cmd.Flags().IntVarP(&o.limit, "limit", "n", 100, "maximum number of memories (1..1000)")
	return cmd
}

func (a *app) runMemoryList(ctx context.Context, o memoryList) error {
	if o.primitive != "" && o.primitive != "decision" && o.primitive != "learning" {
		return usage(fmt.Errorf("--only must be decision or learning, not %q", o.primitive))
	}
	q, err := o.query(a)
	if err != nil {
		return err
	}
	q.Set("state", o.state)
	q.Set("limit", strconv.Itoa(o.limit))
	for name, value := range map[string]string{"primitive": o.primitive, "kind": o.kind, "room": o.room, "as_of": o.asOf,
		"branch": o.branch} {
		if value != "" {
			q.Set(name, value)
		}
	}
	none := "no memories here; --all lists those of all projects"
	if o.all || o.project != "" {
		none = "no memories there"
	}
	return a.listMemories(ctx, "/memories", q, o.json, none)
}

func (a *app) listMemories(ctx context.Context, path string, q url.Values, asJSON bool, none string) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	var found api.MemoryList
	if err := client.Get(ctx, path, q, &found); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(found)
	}
	if len(found.Memories) == 0 {
		a.printf("%s\n", none)
	}
	for _, m := range found.Memories {
		a.printMemoryLine(m, projectNote(m, found.Memories, q))
	}
	if more := found.Total - len(found.Memories); more > 0 {
		a.printf("%d more; --limit shows them\n", more)
	}
	return nil
}

// projectNote names the project of a memory in a list of the memories of all projects, with its number if another
// project has the same name.
func projectNote(m api.Memory, all []api.Memory, q url.Values) string {
	switch {
	case m.Project == "" || q.Has("project") || q.Has("directory"):
		return ""
	case slices.ContainsFunc(all, func(o api.Memory) bool { return o.Project == m.Project && o.ProjectID != m.ProjectID }):
		return fmt.Sprintf("  · %s %d", m.Project, m.ProjectID)
	}
	return "  · " + m.Project
}

func (a *app) printMemoryLine(m api.Memory, project string) {
	c := a.colours()
	a.printf("%s%6d  %s  %3.0f %%  %-10s%s  %s%s%s%s%s\n", c.dim, m.Entry, m.ValidFrom.Local().Format(time.DateOnly),
		100*m.Effective, kindOf(m), c.off, c.bold, oneLine(m.Title, 90), c.off, project, remarks(m))
	if text := c.marks(m.Snippet, 160); text != "" {
		a.printf("        %s\n", text)
	}
}

// kindOf returns one word for the kind of a memory.
func kindOf(m api.Memory) string {
	if m.Kind != "" {
		return m.Kind
	}
	return m.Primitive
}

// remarks returns what a reader should know about a memory besides its title.
func remarks(m api.Memory) string {
	var out []string
	if m.State != "active" {
		out = append(out, m.State)
	}
	if m.Pinned {
		out = append(out, "pinned")
	}
	if m.Branch != "" {
		out = append(out, "on branch "+m.Branch)
	}
	if m.Project == "" {
		out = append(out, "everywhere")
	}
	if m.Foreign {
		out = append(out, "came with the repository")
	}
	if len(out) == 0 {
		return ""
	}
	return "  (" + strings.Join(out, ", ") + ")"
}

func newMemorySearchCmd(a *app) *cobra.Command {
	var o memoryList
	cmd := &cobra.Command{
		Use: "search WORDS…", Short: "Find memories", Args: cobra.MinimumNArgs(1),
		Long: `Find memories, best first. Type any words, or a whole question.`,
		Example: "  mum memory search rate limit\n" +
			"  mum memory search --state all --project shop --limit 3 --json rounding\n" +
			"  mum memory search --mode exact \"half to even\"",
		RunE: func(cmd *cobra.Command, words []string) error {
			q, err := o.query(a)
			if err != nil {
				return err
			}
			q.Set("q", strings.Join(words, " "))
			q.Set("state", o.state)
			q.Set("limit", strconv.Itoa(o.limit))
			if o.asOf != "" {
				q.Set("as_of", o.asOf)
			}
			if o.mode != "" {
				q.Set("mode", o.mode)
			}
			return a.listMemories(cmd.Context(), "/memories/search", q, o.json,
				"no memory matches; mum search covers everything")
		},
	}
	o.register(cmd, true)
	cmd.Flags().StringVar(&o.state, "state", "active", "active, archived, superseded or all")
	cmd.Flags().StringVar(&o.mode, "mode", "", modeHelp)
	cmd.Flags().IntVarP(&o.limit, "limit", "n", 10, "maximum number of results (1..100)")
	cmd.Flags().StringVar(&o.asOf, "as-of", "", asOfHelp)
	return cmd
}

func newMemoryShowCmd(a *app) *cobra.Command {
	var o placeFlags
	var then string
	cmd := &cobra.Command{
		Use: "show ID", Short: "Print a memory", Args: cobra.ExactArgs(1),
		Long:    `Print a memory. With --as-of, print the one that was valid then for the same key.`,
		Example: "  mum memory show 12\n  mum memory show use-sqlc --json\n  mum memory show 12 --as-of 2026-03-01",
		RunE: func(cmd *cobra.Command, args []string) error {
			var m api.Memory
			more := url.Values{}
			if then != "" {
				more.Set("as_of", then)
			}
			if err := a.lookUp(cmd.Context(), o, "/memories/"+url.PathEscape(args[0]), more, &m); err != nil {
				return err
			}
			if o.json {
				return a.printJSON(m)
			}
			a.printMemory(m)
			return nil
		},
	}
	o.register(cmd, false)
	cmd.Flags().StringVar(&then, "as-of", "", asOfHelp)
	return cmd
}

// memory returns the memory that the user names.
func (a *app) memory(ctx context.Context, f placeFlags, name string) (*api.Client, api.Memory, error) {
	var m api.Memory
	q, err := f.query(a)
	if err != nil {
		return nil, m, err
	}
	client, err := a.client()
	if err != nil {
		return nil, m, err
	}
	return client, m, client.Get(ctx, "/memories/"+url.PathEscape(name), q, &m)
}

func (a *app) printMemory(m api.Memory) {
	c := a.colours()
	a.printf("%s%s%s\n", c.bold, m.Title, c.off)
	what := m.Primitive
	if m.Kind != "" {
		what += " (" + m.Kind + ")"
	}
	a.printf("%s%d · %s · %s · confidence %.2f, today %.2f%s%s\n", c.dim, m.Entry, m.ID, what, m.Confidence, m.Effective,
		remarks(m), c.off)
	a.printf("%screated %s, updated %s, by %s%s\n", c.dim, m.Created.Local().Format(time.DateOnly),
		m.Updated.Local().Format(time.DateOnly), m.Origin, c.off)
	if m.Key != "" {
		a.printf("%skey: %s%s\n", c.dim, m.Key, c.off)
	}
	if m.ValidTo != nil {
		a.printf("%svalid from %s to %s%s\n", c.dim, m.ValidFrom.Format(time.DateOnly), m.ValidTo.Format(time.DateOnly),
			c.off)
	}
	if len(m.Tags) > 0 {
		a.printf("%stags: %s%s\n", c.dim, strings.Join(m.Tags, ", "), c.off)
	}
	if m.SupersededBy != "" {
		a.printf("%sreplaced by %s%s\n", c.dim, m.SupersededBy, c.off)
	}
	a.printf("%s%s%s\n", c.dim, a.tilde(m.File), c.off)
	if m.Body != "" {
		a.printf("\n%s\n", strings.TrimSpace(m.Body))
	}
}
