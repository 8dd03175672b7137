// Package trace answers one question: what did a run do, and why?
//
// Each run of sync, maintain, compress and ask leaves lines of JSON in
// runs/ID/trace.jsonl of the data directory: the sessions, what became of each
// candidate and for which reason, and the questions to models with their time and
// tokens. It holds ids, numbers and what passed the gate; never what was asked or
// answered.
package trace
