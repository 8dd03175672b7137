package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"keepmum/api"
)

type memoryEdit struct {
	placeFlags
	title, body string
	tags        []string
	confidence  float64
	kind, key   string
}

func newMemoryEditCmd(a *app) *cobra.Command {
	var o memoryEdit
	cmd := &cobra.Command{
		Use: "edit ID", Short: "Change a memory in your editor, or by flags", Args: cobra.ExactArgs(1),
		Long: `Open a copy of a memory in $VISUAL or $EDITOR; what you save is checked, passes
the gate and is written. With flags nothing is opened. You may also edit the file
itself: it is read again within seconds.`,
		Example: "  mum memory edit 12\n  mum memory edit 12 --title \"Use sqlc for reads\" --tag sql --tag go",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.runMemoryEdit(cmd.Context(), o, args[0], cmd.Flags().Changed)
		},
	}
	o.register(cmd, false)
	f := cmd.Flags()
	f.StringVar(&o.title, "title", "", "new title")
	f.StringVar(&o.body, "body", "", "new body; - reads standard input")
	f.StringSliceVar(&o.tags, "tag", nil, "new tags; they replace the old ones")
	f.Float64Var(&o.confidence, "confidence", 0, "new confidence, 0..1")
	f.StringVar(&o.kind, "kind", "", "new kind of a learning")
	f.StringVar(&o.key, "key", "", "new key; empty removes it")
	return cmd
}

func (a *app) runMemoryEdit(ctx context.Context, o memoryEdit, name string, given func(string) bool) error {
	client, m, err := a.memory(ctx, o.placeFlags, name)
	if err != nil {
		return err
	}
	in, err := o.edit(a.in, given)
	if err != nil {
		return err
	}
	var out api.MemoryWritten
	write := func(in api.MemoryEdit) error {
		if in == (api.MemoryEdit{}) {
			return nil
		}
		in.Updated = m.Updated
		return client.Post(ctx, memoryPath(m, "edit"), in, &out)
	}
	if in != (api.MemoryEdit{}) {
		err = write(in)
	} else if in, err = a.editInEditor(ctx, m, write); err == nil && in == (api.MemoryEdit{}) {
		a.printf("nothing was changed\n")
		return nil
	}
	if err != nil {
		return err
	}
	return a.printWritten(out, o.json)
}

// edit returns the changes that the flags ask for.
func (o memoryEdit) edit(stdin io.Reader, given func(string) bool) (api.MemoryEdit, error) {
	var in api.MemoryEdit
	var err error
	if o.body, err = bodyFrom(stdin, o.body); err != nil {
		return in, err
	}
	if given("title") {
		in.Title = &o.title
	}
	if given("body") {
		in.Body = &o.body
	}
	if given("tag") {
		in.Tags = &o.tags
	}
	if err := checkConfidence(o.confidence); err != nil {
		return in, err
	}
	if given("confidence") {
		in.Confidence = &o.confidence
	}
	if given("kind") {
		in.Kind = &o.kind
	}
	if given("key") {
		in.Key = &o.key
	}
	return in, nil
}
