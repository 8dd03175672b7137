//go:build !windows

package main

// shortPath is only set on Windows.
var shortPath func(path string) string
