package main

import "io/fs"

// ownedByUs checks nothing on Windows, where an owner is not the only one with rights.
func ownedByUs(fs.FileInfo) (owner uint32, ours bool) { return 0, true }
