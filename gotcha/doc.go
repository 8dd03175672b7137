// Package gotcha answers one question: which failure is this, and what fixed it before?
//
// A failure is recognised by its sign: the program that failed and the line that says why, without what differs from
// run to run. A remedy is what was done between the last failing run of a command and its next good one. Signs and
// remedies are text that the caller must hash with a key before storing it. This package stores nothing.
package gotcha
