//go:build !windows

package safefile

import "syscall"

// nonblock lets the opening of a pipe return at once; for a file it changes nothing.
const nonblock = syscall.O_NONBLOCK

// nofollow refuses a link.
const nofollow = syscall.O_NOFOLLOW

// errTooManyLinks is what a system says about a link that it must not follow.
const errTooManyLinks = syscall.ELOOP
