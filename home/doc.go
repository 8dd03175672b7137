// Package home answers one question: what is in the data directory, and who made it?
//
// The daemon, and a hook that finds no daemon, prepare it the same way: the first one creates the token and the key,
// all others read them.
package home
