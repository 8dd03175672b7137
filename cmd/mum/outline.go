package main

import (
	"context"
	"net/url"

	"github.com/spf13/cobra"

	"keepmum/api"
)

func newOutlineCmd(a *app) *cobra.Command {
	return placed(&cobra.Command{
		Use: "outline F12|PATH", Short: "Print what a file declares", Args: cobra.ExactArgs(1),
		Long: `Print the signatures of a file with their lines. A file that an agent read or changed has a number,
which mum session shows. Go is read by its own scanner; of other languages it shows the lines that
begin a block by their indentation.`,
		Example: "  mum outline F12\n  mum outline pay/hook.go --json",
	}, a.showOutline)
}

func (a *app) showOutline(ctx context.Context, o placeFlags, args []string) error {
	var out api.Outline
	if err := a.lookUp(ctx, o, "/outline", url.Values{"file": args}, &out); err != nil {
		return err
	}
	if o.json {
		return a.printJSON(out)
	}
	for _, line := range out.Outline {
		a.raw("%s\n", line)
	}
	if len(out.Outline) == 0 {
		a.printf("no declarations found in it\n")
	}
	return nil
}
