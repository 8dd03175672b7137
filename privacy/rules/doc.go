// Package rules answers one question: what does a token of a vendor look like?
//
// The answers are data: *.rules, each with samples that match and that must not.
// shapes.txt has samples of all other ways to write a secret down, kept.txt and
// keptblocks.txt what must stay.
package rules
