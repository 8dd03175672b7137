package mcpserver

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"keepmum/api"
)

// overview returns the most important memories, for an agent that names no task.
func (o Options) overview(ctx context.Context, project string) (string, error) {
	q := url.Values{}
	o.place(q, project)
	var v api.Overview
	if err := o.ask(ctx, "/overview", q, &v); err != nil {
		return "", err
	}
	return overviewText(v), nil
}

func overviewText(v api.Overview) string {
	var b strings.Builder
	line := func(name string, list []string) {
		if len(list) > 0 {
			fmt.Fprintf(&b, "%s: %s\n", name, limit(strings.Join(list, ", "), maxLine))
		}
	}
	var langs []string
	for _, l := range v.Languages {
		langs = append(langs, fmt.Sprintf("%s (%d files)", l.Name, l.Files))
	}
	line("Project", []string{v.Project})
	line("Written in", langs)
	line("Begins in", v.Entries)
	line("Built with", v.Build)
	line("Tested with", v.Test)
	for _, m := range v.Holds {
		fmt.Fprintf(&b, "- [%d] %s %s: %s\n", m.Entry, day(m.ValidFrom), kind(strings.TrimSpace(m.Primitive+" "+m.Kind),
			m.By), limit(m.Title, maxLine))
	}
	if v.More > 0 {
		fmt.Fprintf(&b, "%d more memories: memory_search finds them\n", v.More)
	}
	if v.Last != nil {
		b.WriteString("Done last:\n" + strings.Join(v.Last.Digest, "\n") + "\n")
	}
	for _, f := range v.Failed {
		fmt.Fprintf(&b, "Failed: %s [%d]\n", limit(f.Command, maxLine), f.Entry)
	}
	return fence(b.String())
}

// outline returns what a file declares, so that an agent need not read all of it.
func (o Options) outline(ctx context.Context, file string) (string, error) {
	var out api.Outline
	q := url.Values{"file": {file}}
	o.place(q, "")
	if err := o.ask(ctx, "/outline", q, &out); err != nil {
		return "", err
	}
	if len(out.Outline) == 0 {
		return "No signatures are known of " + out.Path + ": read the file itself.", nil
	}
	return fence(out.Path + "\n" + strings.Join(out.Outline, "\n") + "\n"), nil
}
