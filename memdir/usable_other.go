//go:build !linux

package memdir

func usable(string) bool { return false }
