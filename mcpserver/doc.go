// Package mcpserver answers one question: how does an agent search the memory itself?
//
// It is a server of the Model Context Protocol: a few tools, most of them read-only, over [keepmum/api.Client]. It
// stores nothing; the daemon does the work.
package mcpserver
