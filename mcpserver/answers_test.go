package mcpserver

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The library refuses these messages before a middleware sees them, and quotes them in whole or in part.
func TestAnErrorOfTheLibraryRepeatsNoSecret(t *testing.T) {
	const token = "ghp_x7Kq2VbN9mPzR4tLwY8cJ3hDfG6sA1eUoT5i"
	clean := func(text string) string { return strings.ReplaceAll(text, token, "[TAKEN OUT]") }
	there, here := mcp.NewInMemoryTransports()
	done := make(chan error, 1)
	go func() { done <- Run(t.Context(), Options{Clean: clean}, there) }()
	c, err := here.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for method, params := range map[string]string{
		"initialize": `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`,
		token:        `{}`, "tools/call": `"a longer text, then ` + token + `"`, "tools/list": `{"cursor":"` + token + `"}`,
		"resources/read": `["` + token + `"]`, "completion/complete": `{"ref":{"type":"` + token + `"}}`,
	} {
		id, err := jsonrpc.MakeID(method)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Write(t.Context(), &jsonrpc.Request{ID: id, Method: method, Params: []byte(params)}); err != nil {
			t.Fatal(err)
		}
		got, err := c.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r := got.(*jsonrpc.Response)
		if method == "initialize" {
			continue
		}
		if r.Error == nil || strings.Contains(r.Error.Error(), token[:20]) {
			t.Errorf("%s: %v", method, r.Error)
		}
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
