package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/budget"
)

// statusTime is how long a status line may take: agents draw it often.
const statusTime = 200 * time.Millisecond

func newStatuslineCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "statusline", Short: "Print one line for an agent's status line", DisableFlagParsing: true,
		Long: `Print one short line about the memory, for the status line of an agent or a
prompt. It is quick, asks only the daemon, and always exits with 0.`,
		Example: `  "statusLine": {"type": "command", "command": "mum statusline"}`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if asksForHelp(args) {
				return cmd.Help()
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), budget.Of(statusTime))
			defer cancel()
			a.raw("%s\n", a.statusLine(ctx))
			return nil
		},
	}
}

func (a *app) statusLine(ctx context.Context) string {
	client, err := a.client()
	if err != nil {
		return "mum: settings are broken (mum config check)"
	}
	var s api.Status
	switch err := client.Get(ctx, "/status", nil, &s); {
	case errors.Is(err, api.ErrDown):
		return "mum: asleep" // the next hook wakes it
	case err != nil:
		return "mum: no answer (mum doctor)"
	}
	return lineOf(s)
}

// lineOf returns the status line, problems first.
func lineOf(s api.Status) string {
	var events int64
	for _, n := range s.Capture.Events {
		events += n
	}
	began := s.Started.Local().Format("15:04")
	if time.Since(s.Started) >= 24*time.Hour {
		began = s.Started.Local().Format("2 Jan")
	}
	parts := []string{count(events, "event") + " since " + began}
	if s.Capture.Redacted > 0 {
		parts = append(parts, count(s.Capture.Redacted, "secret")+" removed")
	}
	if s.Spool > 0 {
		parts = append(parts, fmt.Sprintf("%d waiting", s.Spool))
	}
	head := "mum: "
	if !s.Capture.Enabled || s.Capture.Paused {
		head = "mum: paused, "
	}
	if len(s.Problems) > 0 {
		head = "mum: needs attention (mum doctor), "
	}
	return head + strings.Join(parts, ", ")
}
