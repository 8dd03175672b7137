//go:build !linux

package compress

// OnBattery reports whether this machine runs on battery. On systems other than Linux that takes a child process or C
// code, and the daemon uses neither, so it assumes mains power.
func OnBattery() bool { return false }
