// Package api answers one question: what travels between a client and the daemon?
//
// It holds the wire types of the HTTP API, its error codes, and the client
// that the command line and the MCP server use.
package api
