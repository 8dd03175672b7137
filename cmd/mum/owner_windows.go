package main

import "io/fs"

// ownedByUs is not asked on Windows: rights there are not the owner's alone.
func ownedByUs(fs.FileInfo) (owner uint32, ours bool) { return 0, true }
