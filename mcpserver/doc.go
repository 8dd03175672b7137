// Package mcpserver answers one question: how does an agent look into the memory on its own?
//
// It is a server of the Model Context Protocol: a few read-only tools over
// [keepmum/api.Client]. It owns nothing; the daemon does the work.
package mcpserver
