package atomicfile

// syncDir does nothing: Windows cannot flush a directory, and NTFS journals renames.
func syncDir(string) error { return nil }
