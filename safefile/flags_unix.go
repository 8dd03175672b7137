//go:build !windows

package safefile

import "syscall"

// nonblock makes opening a pipe return at once; it does not affect regular files.
const nonblock = syscall.O_NONBLOCK

// nofollow refuses links.
const nofollow = syscall.O_NOFOLLOW

// errTooManyLinks is the error for a link that must not be followed.
const errTooManyLinks = syscall.ELOOP
