package main

import (
	"os"
	"path/filepath"
)

// main is mum hook: a process cannot become another one there, and to start two costs more than it saves.
func main() {
	self, err := os.Executable()
	if err != nil {
		return
	}
	mum := filepath.Join(filepath.Dir(self), "mum.exe")
	p, err := os.StartProcess(mum, append([]string{mum, "hook"}, os.Args[1:]...), &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
	if err == nil {
		_, _ = p.Wait()
	}
}
