package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// again starts the program again, because Windows cannot replace a process. This process has released the data
// directory, and ends; no service manager watches it.
func again(program string) error {
	args := slices.DeleteFunc(slices.Clone(os.Args[1:]),
		func(arg string) bool { return strings.HasPrefix(arg, startFlag) })
	cmd := exec.Command(program, args...)
	cmd.Stderr = os.Stderr // the program says there why it cannot start
	cmd.SysProcAttr = ownSession()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start the program again: %w", err)
	}
	return cmd.Process.Release()
}
