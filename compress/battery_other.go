//go:build !linux

package compress

// OnBattery reports whether this machine runs on a battery. Elsewhere than on
// Linux the system tells it only to a child process or to C, and the daemon
// has neither: it counts as mains power.
func OnBattery() bool { return false }
