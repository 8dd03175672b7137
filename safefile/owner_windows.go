package safefile

import "io/fs"

// Ours asks nothing, like Owned.
func Ours(fs.FileInfo) error { return nil }

// Owned asks nothing: what is below a user's directory is that user's there.
func Owned(fs.FileInfo) error { return nil }

// Writable asks nothing either: a mode says little there.
func Writable(string) error { return nil }

func links(fs.FileInfo) uint64 { return 1 }
