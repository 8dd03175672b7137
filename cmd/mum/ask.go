package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/store"
)

type askOptions struct {
	placeFlags
	noModel bool
	asOf    string
}

func newAskCmd(a *app) *cobra.Command {
	var o askOptions
	cmd := &cobra.Command{
		Use: "ask QUESTION", Short: "Answer a question from what is remembered", Args: cobra.MinimumNArgs(1),
		Long: `Answer a question from the memories and sessions of this project. A local model, if
there is one, writes the answer and cites the entries behind each claim. Without a
model, the best matching passages are printed with their dates.`,
		Example: "  mum ask \"What auth approach did we choose?\"\n  mum ask --no-model why do we round half to even\n" +
			"  mum ask --as-of 2026-03-01 which payment provider do we use",
		RunE: func(cmd *cobra.Command, words []string) error {
			return a.runAsk(cmd.Context(), o, strings.Join(words, " "))
		},
	}
	o.register(cmd, true)
	cmd.Flags().StringVar(&o.asOf, "as-of", "", asOfHelp)
	cmd.Flags().BoolVar(&o.noModel, "no-model", false, "print the passages without asking a model")
	return cmd
}

func (a *app) runAsk(ctx context.Context, o askOptions, question string) error {
	q, err := o.query(a)
	if err != nil {
		return err
	}
	in := api.Question{
		Question:  question,
		Directory: q.Get("directory"),
		Project:   o.project,
		NoModel:   o.noModel,
		AsOf:      o.asOf,
	}
	if o.all {
		in.Project = "*"
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	var out api.Answer
	if err := client.Post(ctx, "/ask", in, &out); err != nil {
		return err
	}
	if o.json {
		return a.printJSON(out)
	}
	a.printAnswer(out, o.all || o.project != "")
	return nil
}

// maxShownPassage is the maximum number of characters that are printed of a passage. Enough to show in full what was
// settled.
const maxShownPassage = 1000

func (a *app) printAnswer(out api.Answer, elsewhere bool) {
	c := a.colours()
	switch {
	case out.Answer != "":
		a.printf("%s\n\n%ssaid by %s, from:%s\n", out.Answer, c.dim, out.Model, c.off)
	case len(out.Citations) == 0:
		more := " --all looks in all projects."
		if elsewhere {
			more = ""
		}
		a.printf("I don't know: nothing kept here is about that.%s\n", more)
	default:
		a.printf("%s%s; best matches:%s\n", c.dim, cmp.Or(out.Why, "No answer from a model"), c.off)
	}
	for _, p := range out.Citations {
		if out.Model != "" && out.Known && !p.Cited {
			continue
		}
		a.printf("\n%s%s%s\n", c.dim, passageHead(p, c), c.off)
		if p.ReplacedBy != 0 {
			a.printf("    %s(replaced by [%d])%s\n", c.dim, p.ReplacedBy, c.off)
		}
		if text := oneLine(p.Text, maxShownPassage); text != "" && text != p.Title {
			a.hang("    ", text)
		}
	}
}

// passageHead returns the line above a passage. A note is named by its kind, as in a search.
func passageHead(p api.Citation, c colours) style {
	kind, title := spoken(p.Type, p.Origin), p.Title
	if kind == string(store.KindNote) {
		kind, title = cmp.Or(title, kind), ""
	}
	head := fmt.Sprintf("[%d] %s %s", p.Entry, p.Date.Local().Format(time.DateOnly), kind)
	if p.Agent != "" {
		head += " · " + p.Agent
	}
	if p.Branch != "" {
		head += " · on branch " + p.Branch
	}
	shown := unstyledText(head)
	if title != "" {
		shown += c.off + "  " + c.bold + unstyledText(oneLine(title, 100))
	}
	return shown
}
