package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"keepmum/api"
	"keepmum/safefile"
)

// editInEditor lets the user change a copy, and writes and returns the differences. It then removes the copy, because
// what was typed into it has not passed the gate; if it was refused, it would be lost, so the copy stays.
func (a *app) editInEditor(ctx context.Context, m api.Memory,
	write func(api.MemoryEdit) error) (api.MemoryEdit, error) {
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
	refused := false
	defer func() {
		if !refused {
			_ = os.Remove(file.Name())
		}
	}()
	_, err = file.WriteString(sheet(m))
	if err := errors.Join(err, file.Close()); err != nil {
		return api.MemoryEdit{}, err
	}
	words := append(strings.Fields(editor), file.Name())
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin(a.in), a.errs, a.errs
	err = cmd.Run()
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, exec.ErrNotFound) {
		err = errors.New("there is no such program")
	}
	if err != nil {
		return api.MemoryEdit{},
			hinted(fmt.Errorf("the editor %s failed (%w): nothing was changed", words[0], err),
				"EDITOR=vi mum memory edit "+m.ID)
	}
	text, err := safefile.Read(file.Name(), 16<<20)
	if err != nil {
		return api.MemoryEdit{}, err
	}
	in, err := readSheet(m, string(text))
	if err == nil {
		err = write(in)
	}
	if refused = err != nil && string(text) != sheet(m); refused {
		err = &typedError{err, file.Name()}
	}
	return in, err
}

// typedError is the refusal of what was typed into a copy.
type typedError struct {
	error
	file string
}

func (e *typedError) Unwrap() error { return e.error }

// where says where the copy is kept.
func (e *typedError) where() string {
	return "what you typed is in " + e.file + "; it has not passed the gate, so remove it when you have it back"
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
		if err != nil || checkConfidence(f) != nil {
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
