// Package store answers one question: what was kept, and where is it found again?
//
// One SQLite file holds everything: sessions, documents (prompts, observations,
// summaries, memories), the full-text index over them, the jobs that compress
// them and the ledger of what the gate took out. Text comes in as
// [privacy.Clean] only; what is read back is a plain string, and must pass a
// gate again before it goes anywhere.
//
// All writes go through one goroutine, which groups the calls that wait for it
// into one durable transaction (writer.go). A row, its entry in the index, its
// job and its ledger rows are always in the same transaction. Readers have
// connections of their own and never wait for the writer.
package store
