package main

import (
	"cmp"
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/budget"
	"keepmum/hooks"
)

// completionTime is the maximum time for one press of Tab: the shell waits meanwhile.
const completionTime = time.Second

// lister returns the possible completions of a word.
type lister func(context.Context) []cobra.Completion

// completable says how to complete the arguments and flags of commands. A command is looked up by its path, otherwise
// by the name of its argument.
func (a *app) completable() (arguments, flags map[string]lister) {
	agents := func(context.Context) []cobra.Completion { return hooks.Agents() }
	return map[string]lister{
			"connect": agents, "disconnect": agents, "hook": agents,
			"project remove": a.projectNames,
			"show":           a.recentEntries, "timeline": a.recentEntries, "blast": a.recentEntries, "forget": a.recentEntries,
			"session show": a.recentSessions, "session resume": a.recentSessions, "session diff": a.recentSessions,
			"session verify": a.recentSessions,
			"review keep":    a.proposals, "review drop": a.proposals, "review never": a.proposals,
			"why": a.memoryIDs, "memory show": a.memoryIDs, "memory edit": a.memoryIDs, "memory forget": a.memoryIDs,
			"memory archive": a.memoryIDs, "memory restore": a.memoryIDs, "memory pin": a.memoryIDs,
			"memory unpin": a.memoryIDs, "memory link": a.memoryIDs, "memory unlink": a.memoryIDs,
			"memory links": a.memoryIDs,
		}, map[string]lister{
			"agent": agents, "project": a.projectNames,
		}
}

// completeWords lets shells complete agents, projects and ids.
func (a *app) completeWords(c *cobra.Command) {
	arguments, flags := a.completable()
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		_, path, _ := strings.Cut(c.CommandPath(), " ")
		if list, ok := arguments[path]; ok && c.ValidArgsFunction == nil {
			c.ValidArgsFunction = list.complete
		}
		for name, list := range flags {
			if c.Flags().Lookup(name) != nil {
				_ = c.RegisterFlagCompletionFunc(name, list.complete) // the flag exists
			}
		}
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(c)
}

func (l lister) complete(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	ctx, cancel := context.WithTimeout(cmd.Context(), budget.Of(completionTime))
	defer cancel()
	return l(ctx), cobra.ShellCompDirectiveNoFileComp
}

// offered asks the daemon for completions; if the daemon is not running, there are none.
func offered[T any](ctx context.Context, a *app, path string, q url.Values) (out T) {
	if client, err := a.client(); err == nil {
		_ = client.Get(ctx, path, q, &out)
	}
	return out
}

// offer returns a completion for a number, with the title that identifies it.
func offer(id int64, title string) cobra.Completion {
	return cobra.CompletionWithDesc(strconv.FormatInt(id, 10), oneLine(title, 60))
}

func (a *app) projectNames(ctx context.Context) (list []cobra.Completion) {
	for _, p := range offered[api.ProjectList](ctx, a, "/projects", nil).Projects {
		list = append(list, p.Name)
	}
	return list
}

func (a *app) recentEntries(ctx context.Context) (list []cobra.Completion) {
	for _, r := range offered[api.SearchResults](ctx, a, "/search", url.Values{"limit": {"20"}}).Results {
		list = append(list, offer(r.ID, cmp.Or(r.Title, r.Snippet)))
	}
	return list
}

func (a *app) recentSessions(ctx context.Context) (list []cobra.Completion) {
	for _, s := range offered[api.SessionList](ctx, a, "/sessions", url.Values{"limit": {"20"}}).Sessions {
		list = append(list, offer(s.Row, s.Agent+" in "+s.Project+", "+s.Last.Local().Format(time.DateTime)))
	}
	return list
}

func (a *app) memoryIDs(ctx context.Context) (list []cobra.Completion) {
	for _, m := range offered[api.MemoryList](ctx, a, "/memories", url.Values{"state": {"all"}}).Memories {
		list = append(list, offer(m.Entry, m.Title))
	}
	return list
}

func (a *app) proposals(ctx context.Context) (list []cobra.Completion) {
	for _, p := range offered[api.Proposals](ctx, a, "/review", nil).Proposals {
		list = append(list, offer(p.ID, p.Title))
	}
	return list
}
