// Package cputime answers one question: how much processor time was used?
package cputime

import "time"

// started is the start of the program, for systems without a better source.
var started = time.Now()
