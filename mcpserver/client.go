package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type clientKey struct{}

// withClient adds the name of the client that calls a tool, like claude-code or codex-mcp-client.
func withClient(ctx context.Context, req *mcp.CallToolRequest) context.Context {
	if p := req.Session.InitializeParams(); p != nil && p.ClientInfo != nil {
		return context.WithValue(ctx, clientKey{}, p.ClientInfo.Name)
	}
	return ctx
}

func clientOf(ctx context.Context) string {
	name, _ := ctx.Value(clientKey{}).(string)
	return name
}
