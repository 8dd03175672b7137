// Package connect answers one question: which edits to an agent's own files make it talk to keepmum?
//
// It first computes a [Plan]: what each file contains now and what it will contain. A dry run prints the plan, Apply
// carries it out. Every edit is recorded in a manifest. Disconnecting restores each file byte for byte or, if its owner
// has edited it since, removes our entries and nothing else.
package connect
