// Package recall answers one question: what of the past should an agent be told now?
//
// It picks a few dated lines of earlier work in the same project, or none.
// Only what people and agents said and the titles of what was done are told,
// never the output of a tool.
package recall
