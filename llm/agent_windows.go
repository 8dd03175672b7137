package llm

import "os/exec"

// ownGroup does nothing: on Windows only the program itself is killed.
func ownGroup(*exec.Cmd) {}

// endGroup does nothing either.
func endGroup(*exec.Cmd) {}
