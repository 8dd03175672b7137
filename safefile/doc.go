// Package safefile answers one question: what does a file say that somebody else may have put there?
//
// A directory that an agent works in is somebody else's text: a file of it may be
// a pipe that never answers, a device without end or a link to one. So a file is
// opened without waiting, looked at once it is open (what a path means may change
// between two calls), and read up to a limit.
package safefile
