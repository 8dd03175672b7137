// Package project answers one question: which project does a directory belong to?
//
// It reads git's own files and starts no process. What it returns is raw text
// from outside: a remote may hold a password.
package project
