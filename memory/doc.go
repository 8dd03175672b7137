// Package memory answers one question: what was learned, and is it still true?
//
// A memory is a markdown file with a frontmatter, in a tree that belongs to a project. The files are the only source:
// the index over them can be rebuilt at any time, and a file that a person edited is read again, never overwritten.
// Similarity, decay and thresholds are computed by pure functions. A model only words sentences, and everything passes
// the gate before it is written.
package memory
