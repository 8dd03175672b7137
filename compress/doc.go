// Package compress answers one question: what happened in this turn, in a sentence?
//
// While you are idle, a [Worker] turns each unit (a prompt with its answers, or the turns of a session) into a summary.
// The heuristic comes first: it knows tools and needs no model, so a search never waits for one. If there is a local
// model, its better wording then replaces the summary. The request passes two gates and a checked connection, stays
// within budgets, and is recorded in the ledger. A model's answer is untrusted until it has passed the gate and the
// checks for junk.
package compress
