//go:build !linux

package daemon

func releaseProgram() error { return nil }
