//go:build !windows

package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
)

// again replaces this process with the new program. The process stays the same, so a service manager sees no end.
func again(program string) error {
	args := slices.DeleteFunc(slices.Clone(os.Args[1:]),
		func(arg string) bool { return strings.HasPrefix(arg, startFlag) })
	if err := syscall.Exec(program, append([]string{program}, args...), os.Environ()); err != nil {
		return fmt.Errorf("start the new program: %w", err)
	}
	return nil
}
