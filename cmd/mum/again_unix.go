//go:build !windows

package main

import (
	"fmt"
	"os"
	"syscall"
)

// again becomes the new program: same process, so a service manager sees no end.
func again(program string) error {
	if err := syscall.Exec(program, append([]string{program}, os.Args[1:]...), os.Environ()); err != nil {
		return fmt.Errorf("start the new program: %w", err)
	}
	return nil
}
