//go:build !windows

package main

// shortPath is what Windows has.
var shortPath func(path string) string
