// Package memdir keeps the temporary files of tests in memory, if the machine has room for them.
package memdir

import (
	"os"

	"keepmum/longtest"
)

// dir is where Linux systems have a file system in memory. Its name is short: the path of a socket has 107 bytes.
const dir = "/dev/shm"

// atLeast is the free space that is asked for: far more than all tests together need at a time.
const atLeast = 1 << 30

// Use puts the temporary directories of this process into memory: a test then waits for no disk, and a sync costs
// nothing. A killed process loses as little there as on a disk. Long tests use the disk.
func Use() {
	if os.Getenv("TMPDIR") != "" || longtest.Asked() || !usable(dir) {
		return
	}
	if err := os.Setenv("TMPDIR", dir); err != nil {
		panic(err)
	}
}
