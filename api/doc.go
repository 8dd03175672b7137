// Package api answers one question: what do a client and the daemon send each other?
//
// It contains the types of the HTTP API, its error codes, and the client that the command line and the MCP server use.
package api
