package githistory

import "os"

func yieldTo(int) {}

// owned is left to the access rights of the file system here.
func owned(os.FileInfo) bool { return true }
