// Package distill answers one question: which sessions are new, and what can be learned from them?
//
// A sync run finds sessions (in the agents' own files and in the store), reads what is new, cleans and compacts it,
// asks extract for candidates, and lets memory decide and write. A maintain run makes a plan for all memories and then
// applies it. Both hold one lock, leave artifacts, and can be stopped at any time.
package distill
