package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"keepmum/home"
	"keepmum/mcpserver"
)

func newMCPCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "mcp", Short: "Serve the memory to an agent over MCP", Args: cobra.NoArgs,
		Long: `Speak the Model Context Protocol on standard input and output, so that an agent
can search the memory on its own. Agents run this; mum connect tells them to.`,
		Example: "  claude mcp add mum -- mum mcp",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.runMCP(cmd.Context()) },
	}
}

func (a *app) runMCP(ctx context.Context) error {
	dir, c, misset := a.load(nil)
	if misset == nil && !readOnly(dir) {
		if _, err := home.Prepare(dir); err != nil { // the client reads the token
			return err
		}
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	out := shared{&sync.Mutex{}, a.out}
	err = mcpserver.Run(ctx, mcpserver.Options{
		Client:  client,
		Dir:     cmp.Or(a.getenv("CLAUDE_PROJECT_DIR"), a.hereOrNowhere()),
		Version: version(),
		Session: fmt.Sprintf("%08x", rand.Uint32()), // short: longer random text looks like a secret
		Clean:   a.clean,
		// Claude Code's name for it; the daemon knows it from the hooks.
		AgentSession: a.getenv("CLAUDE_CODE_SESSION_ID"),
		Start: func(ctx context.Context) error {
			if misset != nil {
				return misset
			}
			_, err := start(ctx, dir, c)
			return err
		},
	}, &mcp.IOTransport{Reader: io.NopCloser(newMCPLines(a.in, out)), Writer: keepOpen{out}})
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil // the agent has gone
	}
	return err
}

// keepOpen ignores Close: the process closes the stream when it ends.
type keepOpen struct{ io.Writer }

func (keepOpen) Close() error { return nil }
