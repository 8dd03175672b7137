package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"keepmum/api"
)

type memoryLink struct {
	placeFlags
	as string
}

// ends returns the two memories; the relation may be between them.
func (o *memoryLink) ends(args []string) (from, to string, err error) {
	switch {
	case len(args) == 2:
		return args[0], args[1], nil
	case o.as != "":
		return "", "", usage(errors.New("give the relation once: between the two memories, or as --as"))
	}
	o.as = args[1]
	return args[0], args[2], nil
}

func newMemoryLinkCmd(a *app) *cobra.Command {
	var o memoryLink
	cmd := &cobra.Command{
		Use: "link A [depends_on|see|replaces] B", Short: "Link a memory to another one", Args: cobra.RangeArgs(2, 3),
		Long: `Link memory A to memory B of the same project, or to a global one.
depends_on: A is valid only as long as B is; when B is replaced, you are told to check A.
see (default): they are related. replaces: A replaces B, which is archived.
Memories cannot depend on each other in a circle.`,
		Example: "  mum memory link 12 depends_on 7\n  mum memory link use-adyen keep-stripe --as see",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.changeLink(cmd.Context(), o, args, false)
		},
	}
	o.register(cmd, false)
	cmd.Flags().StringVar(&o.as, "as", "", "depends_on, see (default) or replaces")
	return cmd
}

func newMemoryUnlinkCmd(a *app) *cobra.Command {
	var o memoryLink
	cmd := &cobra.Command{
		Use: "unlink A B", Short: "Remove the links from one memory to another", Args: cobra.RangeArgs(2, 3),
		Long:    "Remove the links from memory A to memory B, or only those of one relation.",
		Example: "  mum memory unlink 12 7\n  mum memory unlink 12 see 7",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.changeLink(cmd.Context(), o, args, true)
		},
	}
	o.register(cmd, false)
	cmd.Flags().StringVar(&o.as, "as", "", "only depends_on, see or replaces")
	return cmd
}

func (a *app) changeLink(ctx context.Context, o memoryLink, args []string, remove bool) error {
	from, to, err := o.ends(args)
	if err != nil {
		return err
	}
	client, m, err := a.memory(ctx, o.placeFlags, from)
	if err != nil {
		return err
	}
	var out api.MemoryWritten
	in := api.MemoryLinkAdd{To: to, As: o.as, Remove: remove}
	if err := client.Post(ctx, memoryPath(m, "link"), in, &out); err != nil {
		return err
	}
	if o.json {
		return a.printJSON(out)
	}
	return a.showLinks(ctx, o.placeFlags, fmt.Sprint(m.Entry))
}

func newMemoryLinksCmd(a *app) *cobra.Command {
	var o placeFlags
	cmd := &cobra.Command{
		Use: "links ID", Short: "Show the links from and to a memory", Args: cobra.ExactArgs(1),
		Long: `Show the links of a memory in both directions, which of them were replaced since, and
which memories depend on it, directly or through others.`,
		Example: "  mum memory links 12\n  mum memory links use-adyen --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.showLinks(cmd.Context(), o, args[0])
		},
	}
	o.register(cmd, false)
	return cmd
}

func (a *app) showLinks(ctx context.Context, o placeFlags, name string) error {
	var l api.MemoryLinks
	if err := a.lookUp(ctx, o, "/memories/"+url.PathEscape(name)+"/links", nil, &l); err != nil {
		return err
	}
	if o.json {
		return a.printJSON(l)
	}
	c := a.colours()
	a.printf("%s%d %s%s\n", c.bold, l.Memory.Entry, oneLine(l.Memory.Title, 90), c.off)
	for _, to := range l.To {
		a.printf("  %s %s\n", relationWords(to.As), linkEnd(to))
	}
	for _, from := range l.From {
		a.printf("  %s: it %s this\n", linkEnd(from), relationWords(from.As))
	}
	for _, m := range l.Dependents {
		a.printf("  a change here affects %d: %s\n", m.Entry, oneLine(m.Title, 80))
	}
	if l.Circle {
		a.printf("  it depends on itself: mum memory unlink removes a link\n")
	}
	if len(l.To)+len(l.From) == 0 {
		a.printf("  no links; to add one: mum memory link %d see OTHER\n", l.Memory.Entry)
	}
	return nil
}

// linkEnd describes the other end of a link.
func linkEnd(l api.MemoryLink) string {
	switch {
	case l.Memory == nil:
		return l.ID + ", which is gone"
	case l.Now != nil:
		return fmt.Sprintf("%d %s (replaced by %d %s)", l.Memory.Entry, oneLine(l.Memory.Title, 60), l.Now.Entry,
			oneLine(l.Now.Title, 60))
	}
	return fmt.Sprintf("%d %s%s", l.Memory.Entry, oneLine(l.Memory.Title, 90), remarks(*l.Memory))
}

func relationWords(as string) string {
	if as == "see" {
		return "sees"
	}
	return strings.ReplaceAll(as, "_", " ")
}

// linkTrouble describes what is wrong with a link.
func linkTrouble(l api.LinkProblem) string {
	switch {
	case l.Why == "dangling":
		return "is gone"
	case l.Why == "circle":
		return "depends on it in turn"
	case l.Now != 0:
		return fmt.Sprintf("was replaced by %d", l.Now)
	}
	return "is not active"
}
