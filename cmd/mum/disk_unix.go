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

// fewestFiles is how many files a daemon must be able to open: 23 when it is idle, and some more for each hook, search
// and repository that it reads. With 20 it takes events that it cannot store; with 64 it works beside a hundred silent
// clients.
const fewestFiles = 48

// enoughFiles returns an error if this process may open too few files for a daemon.
func enoughFiles() error {
	var most unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &most) != nil || most.Cur >= fewestFiles {
		return nil
	}
	return hinted(fmt.Errorf("only %d files may be open at once, and the daemon needs %d", most.Cur, fewestFiles),
		"ulimit -n 1024   (in the shell that starts it)")
}

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
