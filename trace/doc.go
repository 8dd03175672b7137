// Package trace answers one question: what did a run do, and why?
//
// Each run of sync, maintain, compress and ask writes JSON lines to runs/ID/trace.jsonl in the data directory: the
// sessions, what was done with each candidate and why, and the questions to models with their time and tokens. A trace
// contains ids, numbers and what passed the gate; never what was asked or answered.
package trace
