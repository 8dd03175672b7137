package store

import "os"

// fileNumber returns 0: [os.FileInfo] has no file number here.
func fileNumber(os.FileInfo) uint64 { return 0 }
