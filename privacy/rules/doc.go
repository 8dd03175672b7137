// Package rules answers one question: what does a token of a vendor look like?
//
// The answers are data: *.rules, each with samples that match and samples that must not. shapes.txt has samples of all
// other ways to write down a secret; kept.txt and keptblocks.txt contain texts that must be kept.
package rules
