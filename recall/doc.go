// Package recall answers one question: what should an agent be told now about earlier work?
//
// It picks a few dated lines about earlier work in the same project, or none. It uses only what people and agents said,
// and the titles of what was done, never the output of a tool.
package recall
