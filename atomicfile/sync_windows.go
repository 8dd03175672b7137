package atomicfile

// syncDir does nothing: Windows has no handle on a directory to flush, and NTFS journals renames.
func syncDir(string) error { return nil }
