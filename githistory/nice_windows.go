package githistory

import "os"

func yieldTo(int) {}

// owned relies on the access rights of the file system here.
func owned(os.FileInfo) bool { return true }
