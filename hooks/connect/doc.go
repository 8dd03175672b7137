// Package connect answers one question: which edits to an agent's own files make it talk to keepmum?
//
// It computes a [Plan] first: what each file is and what it would become. A
// dry run prints the plan, Apply carries it out. Every edit is written down in
// a manifest, so that disconnecting gives back each file byte for byte, or, if
// its owner has edited it since, takes out our lines and nothing else.
package connect
