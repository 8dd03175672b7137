// Package spool answers one question: where does a cleaned event wait until the daemon can store it?
//
// Each event is a file named by time, written completely or not at all. Only a [capture.Event] can be put in, so the
// spool never contains anything raw.
package spool
