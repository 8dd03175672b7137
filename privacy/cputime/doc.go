// Package cputime says how much of the processor was used.
package cputime

import "time"

// started is when the program began, for systems that tell nothing better.
var started = time.Now()
