package main

import (
	"cmp"
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"keepmum/api"
	"keepmum/budget"
	"keepmum/config"
	"keepmum/hooks"
)

// completionTime is the maximum time for one press of Tab: the shell waits meanwhile.
const completionTime = time.Second

// lister returns the possible completions of a word.
type lister func(context.Context) []cobra.Completion

// completable returns how to complete the arguments of commands, by their paths, and the flags, by their names or by
// the path of a command and a name.
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
			"runs show":    a.recentRuns, "runs why": a.recentSessions,
			"gotchas show": a.knownGotchas, "gotchas keep": a.knownGotchas, "gotchas drop": a.knownGotchas,
			"gotchas undo": a.knownGotchas,
			"config set":   settingNames, "config unset": settingNames,
		}, map[string]lister{
			"agent": agents, "project": a.projectNames, "session": a.recentSessions,
			"state":          choices("active", "archived", "superseded", "all"),
			"queue state":    choices("pending", "running", "done", "failed", "dead", "quarantined", "skipped"),
			"type":           choices("observation", "prompt", "summary", "memory", "commit", "note"),
			"kind":           choices(memoryKinds...),
			"runs list kind": choices("sync", "maintain", "compress", "ask"),
			"mode":           choices("auto", "exact", "words", "meaning"), "redact mode": choices("safe", "strict", "none"),
			"sensitivity": choices("low", "normal", "high"), "only": choices("decision", "learning"),
			"by": choices("rule", "project", "day"), "format": choices("jsonl", "json", "markdown"),
			"scope": choices("user", "project"), "memory reset scope": choices("project", "global", "both"),
			"to": choices("claude", "agents", "cursor"), "transport": choices("exec", "shell", "http"),
			"provider": choices("agent:claude", "agent:codex", "agent:opencode"),
		}
}

// choices completes a word from a fixed list.
func choices(list ...string) lister {
	return func(context.Context) []cobra.Completion { return list }
}

// completeWords lets shells complete agents, projects, ids, settings and the values of flags.
func (a *app) completeWords(c *cobra.Command) {
	arguments, flags := a.completable()
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		_, path, _ := strings.Cut(c.CommandPath(), " ")
		if list, ok := arguments[path]; ok && c.ValidArgsFunction == nil {
			c.ValidArgsFunction = list.complete
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			list, ok := flags[path+" "+f.Name]
			if !ok {
				list, ok = flags[f.Name]
			}
			if ok {
				_ = c.RegisterFlagCompletionFunc(f.Name, list.complete) // the flag exists
			}
		})
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

func (a *app) recentRuns(ctx context.Context) (list []cobra.Completion) {
	for _, r := range offered[api.RunList](ctx, a, "/runs", url.Values{"limit": {"20"}}).Runs {
		list = append(list, r.RunID)
	}
	return append(list, "last")
}

func (a *app) knownGotchas(ctx context.Context) (list []cobra.Completion) {
	for _, g := range offered[api.Gotchas](ctx, a, "/gotchas", nil).Gotchas {
		list = append(list, offer(g.ID, g.Command))
	}
	return list
}

func settingNames(context.Context) (list []cobra.Completion) {
	for _, k := range (config.Loaded{}).Keys() {
		list = append(list, k.Key)
	}
	return list
}

// explainCompletion replaces cobra's help of the completion commands, which is not for our width.
func explainCompletion(c *cobra.Command) {
	const once = "\n\nStart a new shell afterwards."
	how := map[string]string{
		"bash": "Print the completion script for bash; it needs the package bash-completion. Install it with:\n\n" +
			"  mkdir -p ~/.local/share/bash-completion/completions\n" +
			"  mum completion bash > ~/.local/share/bash-completion/completions/mum",
		"zsh": "Print the completion script for zsh. Install it into a directory of $fpath:\n\n" +
			"  mum completion zsh > \"${fpath[1]}/_mum\"\n\n" +
			"If zsh completes nothing yet, add this line to ~/.zshrc first:\n\n  autoload -U compinit; compinit",
		"fish": "Print the completion script for fish. Install it with:\n\n" +
			"  mum completion fish > ~/.config/fish/completions/mum.fish",
		"powershell": "Print the completion script for PowerShell. Add this line to your profile ($PROFILE):\n\n" +
			"  mum completion powershell | Out-String | Invoke-Expression",
	}
	for _, sub := range c.Commands() {
		sub.Short = "Print the completion script for " + sub.Name()
		sub.Long = how[sub.Name()] + once
	}
	c.Long = ""
	c.Example = "  mum completion bash > ~/.local/share/bash-completion/completions/mum"
}
