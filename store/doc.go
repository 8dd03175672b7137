// Package store keeps what was captured and finds it again.
//
// One SQLite file holds everything: sessions, documents (prompts, observations, summaries, memories), their full-text
// index, the jobs that compress them and the ledger of redactions. Text comes in as [privacy.Clean] only. What is read
// back is a plain string and must pass a gate again before it goes anywhere.
//
// All writes go through one goroutine, which groups waiting calls into one durable transaction (writer.go): the row of
// a document with its ledger rows. Everything derived from it follows in groups (fold.go). Readers have connections of
// their own; they wait for the writer only when something is not folded in yet.
package store
