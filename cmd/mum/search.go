package main

import (
	"context"
	"fmt"
	"html"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/legible"
)

// modeHelp is the help of every --mode flag.
const modeHelp = "exact (as it is written), words, meaning (needs a model), or auto: words and meaning (default auto)"

type searchFlags struct {
	project, kind, tool, file, agent, branch, since, until, asOf, mode string
	all, json, team                                                    bool
	limit, offset                                                      int
}

func newSearchCmd(a *app) *cobra.Command {
	var f searchFlags
	cmd := &cobra.Command{
		Use: "search WORDS…", Short: "Find earlier work",
		Long: `Find earlier prompts, answers, tool uses and summaries, best first. Type any words, or a
whole question; without words it lists the newest entries. It searches the project of
this directory; --all searches everywhere. --team asks the shared database for what all
members share, including projects that are not on this machine.`,
		Example: "  mum search why does the deploy fail\n  mum search --type prompt --since 2026-03-01 rounding\n" +
			"  mum search --all --tool Bash make migrate\n  mum search --as-of 2026-03-01 rate limit\n" +
			"  mum search --mode exact \"round half to even\"\n  mum search --team rate limit",
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.team {
				return a.searchTeam(cmd.Context(), f, args)
			}
			return a.runSearch(cmd.Context(), f, args)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.team, "team", false, "ask the shared database of the team (--project takes the key of a project)")
	flags.StringVarP(&f.project, "project", "p", "", "project by name or number (default: the one of this directory)")
	flags.BoolVarP(&f.all, "all", "a", false, "search all projects")
	flags.StringVarP(&f.kind, "type", "t", "", "observation, prompt (answers too), summary, memory, commit or note")
	flags.StringVar(&f.tool, "tool", "", "only this tool")
	flags.StringVar(&f.file, "file", "", "only with this in a file's path")
	flags.StringVar(&f.agent, "agent", "", "only this agent")
	flags.StringVar(&f.branch, "branch", "", "only this branch")
	flags.StringVar(&f.since, "since", "", "from this day or time on (2026-03-01)")
	flags.StringVar(&f.until, "until", "", "before this day or time")
	flags.StringVar(&f.asOf, "as-of", "", asOfHelp)
	flags.StringVar(&f.mode, "mode", "", modeHelp)
	flags.IntVarP(&f.limit, "limit", "n", 10, "maximum number of results (1..100)")
	flags.IntVar(&f.offset, "offset", 0, "skip this many results")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

func (f searchFlags) query(a *app, words []string) (url.Values, error) {
	q := url.Values{"limit": {strconv.Itoa(f.limit)}, "offset": {strconv.Itoa(f.offset)}}
	for name, value := range map[string]string{
		"q": strings.Join(words, " "), "type": f.kind, "tool": f.tool, "file": f.file, "agent": f.agent,
		"branch": f.branch, "since": f.since, "until": f.until, "as_of": f.asOf, "mode": f.mode, "project": f.project,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if f.project != "" || f.all {
		return q, nil
	}
	dir, err := a.here()
	if err != nil {
		return nil, err
	}
	q.Set("directory", dir)
	return q, nil
}

func (a *app) runSearch(ctx context.Context, f searchFlags, words []string) error {
	q, err := f.query(a, words)
	if err != nil {
		return err
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	var found api.SearchResults
	if err := client.Get(ctx, "/search", q, &found); err != nil {
		return err
	}
	if f.json {
		return a.printJSON(found)
	}
	a.printResults(found, f)
	return nil
}

func (a *app) printResults(found api.SearchResults, f searchFlags) {
	for from, to := range found.Corrections {
		a.printf("nothing matches %q; showing results for %q\n", from, to)
	}
	if len(found.Results) == 0 {
		a.printf("%s\n", nothingFound(found, f))
		a.printUnread(found)
		return
	}
	c := a.colours()
	for _, r := range found.Results {
		a.printf("%s%6d%s  %-12s %s%s%s\n", c.dim, r.ID, c.off, ago(r.Date), c.bold, headline(r, f.all), c.off)
		if text := c.marks(r.Snippet, 200); text != "" {
			a.hangStyled("        ", text)
		}
	}
	if shown := f.offset + len(found.Results); found.Total > shown {
		a.printf("%s%d of %d; --offset %d shows more%s\n", c.dim, len(found.Results), found.Total, shown, c.off)
	}
	a.printUnread(found)
}

func (a *app) printUnread(found api.SearchResults) {
	switch {
	case !found.CommitsUnread:
	case len(found.Results) == 0:
		a.printf("commits are not read yet: this happens while you are idle\n")
	default:
		a.printf("not all commits are read yet\n")
	}
}

func nothingFound(found api.SearchResults, f searchFlags) string {
	switch {
	case found.NoWords:
		return "nothing found: that has no word to search for; --mode exact searches for it as it is written"
	case found.Total > 0:
		return fmt.Sprintf("only %d results; --offset %d is too large", found.Total, f.offset)
	case f.all || f.project != "":
		return "nothing found there"
	}
	return "nothing found in this project; --all searches all of them"
}

func headline(r api.Result, withProject bool) string {
	parts := nonEmpty(r.Title, r.Agent)
	if r.Title == "" {
		parts = nonEmpty(spoken(r.Type, r.Origin), r.Agent)
	}
	if withProject {
		parts = append(parts, r.Project)
	}
	return oneLine(strings.Join(parts, " · "), 110)
}

// spoken returns the reader's word for an entry: what an agent said is an answer, and a memory that came with a
// repository or from the team may be anyone's.
func spoken(kind, origin string) string {
	if kind == "prompt" && origin == "agent" {
		return "answer"
	}
	if origin == "repository" || origin == "team" {
		return kind + " of the " + origin
	}
	return kind
}

// colours are styles, empty if nobody would see colours.
type colours struct{ bold, dim, mark, off style }

func (a *app) colours() colours {
	if !a.onTerminal(a.out) {
		return colours{}
	}
	return colours{bold: boldMark, dim: dimMark, mark: foundMark, off: offMark}
}

// marks turns the <mark> of a snippet into colour, and its HTML into one line of text with up to n characters.
func (c colours) marks(snippet string, n int) style {
	var b strings.Builder
	for i, text := range strings.Split(strings.ReplaceAll(snippet, "</mark>", "<mark>"), "<mark>") {
		if i > 0 {
			b.WriteString(string([]style{c.off, c.mark}[i%2]))
		}
		b.WriteString(legible.Text(html.UnescapeString(text)))
	}
	line := oneLine(b.String(), n)
	if strings.LastIndex(line, string(c.mark)) > strings.LastIndex(line, string(c.off)) {
		line += string(c.off)
	}
	return style(line)
}
