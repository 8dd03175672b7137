// Package distill answers one question: which sessions are new, and what comes of
// them?
//
// A run of sync finds sessions (in the agents' own files and in the store), reads
// what is new, cleans and compacts it, asks extract for candidates and lets memory
// decide and write. A run of maintain plans over all memories, then applies the
// plan. Both hold one lock, leave artifacts, and can be stopped at any time.
package distill
