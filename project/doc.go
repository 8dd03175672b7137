// Package project answers one question: which project does a directory belong to?
//
// It reads git's own files and starts no process. It returns raw text from outside: a remote may contain a password.
package project
