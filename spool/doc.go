// Package spool answers one question: where does a cleaned event wait until the daemon can store it?
//
// One file per event, named by time, written whole or not at all. Only a
// [capture.Event] can be put in, so nothing raw ever is here.
package spool
