package llm

import "os/exec"

// alone: the program alone is killed there.
func alone(*exec.Cmd) {}
