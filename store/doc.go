// Package store answers one question: what was kept, and where is it found again?
//
// One SQLite file holds everything: sessions, documents (prompts, observations,
// summaries, memories), the full-text index over them, the jobs that compress
// them and the ledger of what the gate took out. Text comes in as
// [privacy.Clean] only; what is read back is a plain string, and must pass a
// gate again before it goes anywhere.
//
// All writes go through one goroutine, which groups the calls that wait for it
// into one durable transaction (writer.go): the row of a document with its ledger
// rows. What is derived of it follows in groups (fold.go). Readers have connections
// of their own; they wait for the writer only when something is not folded yet.
package store
