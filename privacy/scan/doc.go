// Package scan answers one question: where in a text is something worth a look?
//
// The automaton finds all words of all rules and readers in one pass (automaton,
// interleaved); a rule's match is anchored at its word (match); spans are merged
// (span), values found elsewhere in the text (finder), floods judged once
// (repeat). What reads a text is handed in as [Readers]: scan knows none of it.
package scan
