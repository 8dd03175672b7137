// Package safefile answers one question: how can we read a file that someone else may have put there?
//
// A directory that an agent works in may be someone else's: a file in it may be a pipe that never answers, an endless
// device, or a link to one. So a file is opened without waiting, checked once it is open (a path can change its meaning
// between two calls), and read up to a limit.
package safefile
