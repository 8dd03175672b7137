//go:build !windows

package main

import (
	"fmt"

	"golang.org/x/sys/unix"

	"keepmum/home"
)

// With less free space than this, a database soon cannot grow, or cannot be created at all.
const (
	lowDisk = 200 << 20
	noDisk  = 4 << 20
)

func checkDisk(dir home.Dir) finding {
	var s unix.Statfs_t
	if err := unix.Statfs(existing(string(dir)), &s); err != nil {
		return finding{Check: "disk", State: stateWarning, Detail: err.Error()}
	}
	free := int64(s.Bavail) * int64(s.Bsize) //nolint:unconvert // the types differ between systems
	f := finding{Check: "disk", State: stateOK, Detail: sizeOf(free) + " free"}
	if free < lowDisk {
		f.State, f.Fix = stateWarning, fmt.Sprintf("free some space on the disk of %s", dir)
	}
	if free < noDisk {
		f.State, f.Detail = stateProblem, f.Detail+": no space left for the database"
	}
	return f
}
