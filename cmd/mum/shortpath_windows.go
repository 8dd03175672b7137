package main

import "golang.org/x/sys/windows"

// shortPath returns a path by its 8.3 names, which have no spaces; if a disk stores none, it returns the path itself.
var shortPath = func(path string) string {
	long, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return path
	}
	short := make([]uint16, windows.MAX_LONG_PATH)
	n, err := windows.GetShortPathName(long, &short[0], uint32(len(short)))
	if err != nil || n == 0 || int(n) > len(short) {
		return path
	}
	return windows.UTF16ToString(short[:n])
}
