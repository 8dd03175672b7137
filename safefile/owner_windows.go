package safefile

import "io/fs"

// Owned asks nothing: what lies below a user's directory is that user's there.
func Owned(fs.FileInfo) error { return nil }

func links(fs.FileInfo) uint64 { return 1 }
