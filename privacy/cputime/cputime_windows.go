package cputime

import (
	"time"

	"golang.org/x/sys/windows"
)

// Spent returns the processor time of this process. Other threads are included, so the caller limits it to wall-clock
// time.
func Spent() time.Duration {
	var made, ended, kernel, user windows.Filetime
	if windows.GetProcessTimes(windows.CurrentProcess(), &made, &ended, &kernel, &user) != nil {
		return time.Since(started)
	}
	return hundredNanoseconds(kernel) + hundredNanoseconds(user)
}

// hundredNanoseconds converts a Filetime to a duration; its Nanoseconds method counts from 1601.
func hundredNanoseconds(t windows.Filetime) time.Duration {
	return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
}
