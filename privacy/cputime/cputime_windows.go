package cputime

import (
	"time"

	"golang.org/x/sys/windows"
)

// Spent is what this process had of the processor: what other threads take meanwhile
// is counted too, and no more than the clock says (the caller).
func Spent() time.Duration {
	var made, ended, kernel, user windows.Filetime
	if windows.GetProcessTimes(windows.CurrentProcess(), &made, &ended, &kernel, &user) != nil {
		return time.Since(started)
	}
	return hundredNanoseconds(kernel) + hundredNanoseconds(user)
}

// hundredNanoseconds is a duration; the nanoseconds of a Filetime count from 1601.
func hundredNanoseconds(t windows.Filetime) time.Duration {
	return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
}
