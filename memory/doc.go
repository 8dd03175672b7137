// Package memory answers one question: what was learned, and is it still true?
//
// A memory is a markdown file with a frontmatter, in a tree that belongs to a
// project. Files are the canonical store: an index over them can be made again at
// any time, and a file that a person edited is read again, never overwritten.
// Numbers (similarity, decay, thresholds) are pure functions; a model at most
// words a sentence, and everything passes the gate before it is written.
package memory
