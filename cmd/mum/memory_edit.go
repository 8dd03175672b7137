package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/safefile"
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
	if in == (api.MemoryEdit{}) {
		if in, err = a.editInEditor(ctx, m); err != nil {
			return err
		}
		if in == (api.MemoryEdit{}) {
			a.printf("nothing was changed\n")
			return nil
		}
	}
	in.Updated = m.Updated
	var out api.MemoryWritten
	if err := client.Post(ctx, memoryPath(m, "edit"), in, &out); err != nil {
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

// editInEditor lets the user change a copy, and returns the differences. It then removes the copy, because what was
// typed into it has not passed the gate.
func (a *app) editInEditor(ctx context.Context, m api.Memory) (api.MemoryEdit, error) {
	editor := a.getenv("VISUAL")
	if editor == "" {
		editor = a.getenv("EDITOR")
	}
	if editor == "" {
		return api.MemoryEdit{},
			hinted(errors.New("there is no editor: $VISUAL and $EDITOR are empty"), "EDITOR=vi mum memory edit "+m.ID)
	}
	file, err := os.CreateTemp("", "mum-*.md")
	if err != nil {
		return api.MemoryEdit{}, err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	_, err = file.WriteString(sheet(m))
	if err := errors.Join(err, file.Close()); err != nil {
		return api.MemoryEdit{}, err
	}
	words := append(strings.Fields(editor), file.Name())
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin(a.in), a.errs, a.errs
	if err := cmd.Run(); err != nil {
		return api.MemoryEdit{},
			hinted(fmt.Errorf("the editor %s failed (%w): nothing was changed", words[0], err),
				"EDITOR=vi mum memory edit "+m.ID)
	}
	text, err := safefile.Read(file.Name(), 16<<20)
	if err != nil {
		return api.MemoryEdit{}, err
	}
	return readSheet(m, string(text))
}

// sheet returns a memory as text to edit: a few named lines, an empty line, and the body.
func sheet(m api.Memory) string {
	var b strings.Builder
	fmt.Fprintf(&b, "title: %s\ntags: %s\nconfidence: %g\n", m.Title, strings.Join(m.Tags, ", "), m.Confidence)
	if m.Kind != "" {
		fmt.Fprintf(&b, "kind: %s\n", m.Kind)
	}
	return b.String() + "\n" + strings.TrimSpace(m.Body) + "\n"
}

// readSheet returns the changes in an edited sheet.
func readSheet(m api.Memory, text string) (api.MemoryEdit, error) {
	var in api.MemoryEdit
	lines := bufio.NewScanner(strings.NewReader(strings.ReplaceAll(text, "\r\n", "\n")))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() && strings.TrimSpace(lines.Text()) != "" {
		name, value, ok := strings.Cut(lines.Text(), ":")
		if !ok {
			return in,
				usage(errors.New("the lines before the first empty one must be title, tags, confidence or kind, each with a colon"))
		}
		if err := takeLine(m, &in, strings.TrimSpace(name), strings.TrimSpace(value)); err != nil {
			return in, err
		}
	}
	var body strings.Builder
	for lines.Scan() {
		body.WriteString(lines.Text() + "\n")
	}
	if err := lines.Err(); err != nil {
		return in, err
	}
	if b := strings.TrimSpace(body.String()); b != strings.TrimSpace(m.Body) {
		in.Body = &b
	}
	if in.Body != nil && *in.Body == "" {
		return in, usage(errors.New("the body is empty: nothing was written"))
	}
	return in, nil
}

func takeLine(m api.Memory, in *api.MemoryEdit, name, value string) error {
	switch name {
	case "title":
		if value != m.Title {
			in.Title = &value
		}
	case "kind":
		if value != m.Kind {
			in.Kind = &value
		}
	case "tags":
		tags := strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
		if !slices.Equal(tags, m.Tags) {
			in.Tags = &tags
		}
	case "confidence":
		f, err := strconv.ParseFloat(value, 64)
		if err != nil || f < 0 || f > 1 {
			return usage(errors.New("confidence must be 0..1"))
		}
		if f != m.Confidence {
			in.Confidence = &f
		}
	default:
		return usage(errors.New("there is a line before the first empty one that is not title, tags, confidence or kind"))
	}
	return nil
}
