// Package compress answers one question: what happened in this turn, in a sentence?
//
// When nobody types, a [Worker] turns each unit (a prompt and what answers it,
// or the turns of a session) into a summary. The heuristic comes first, knows
// tools and needs no model, so that a search never waits for one. Then, where a
// local model is there, its better wording replaces it: through two gates, over
// a checked line, within budgets, one ledger row for each sending. What a model
// answers is untrusted until it has passed the gate and the checks for junk.
package compress
