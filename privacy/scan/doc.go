// Package scan answers one question: which parts of a text need a check?
//
// The automaton finds all words of all rules and readers in one pass (automaton, interleaved); a rule's match is
// anchored at its word (match); spans are merged (span), known values are found elsewhere in the text (finder),
// repeated text is judged once (repeat). The code that reads a text is passed in as [Readers]: scan does not depend on
// it.
package scan
