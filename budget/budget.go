// Package budget says how long others are kept waiting: an agent by its hooks, a person at
// a terminal, a look-up by what may not answer.
package budget

import (
	"os"
	"strconv"
	"time"
)

// Env names the variable that makes all budgets so many times as large. Tests set it: what they
// look at must not hang on how busy the machine is.
const Env = "MUM_PATIENCE"

const most = 1000

// Of is what there is of a budget that is enough on an ordinary machine.
func Of(d time.Duration) time.Duration { return d * times(os.Getenv(Env)) }

// times is 1 for what is no number of times.
func times(text string) time.Duration {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 1
	}
	return time.Duration(min(n, most))
}
