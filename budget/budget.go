// Package budget says how long others may have to wait: an agent for its hooks, a person at a terminal, a lookup that
// may get no answer.
package budget

import (
	"os"
	"strconv"
	"time"
)

// Env names the variable that multiplies all budgets. Tests set it, so that their results do not depend on how busy the
// machine is.
const Env = "MUM_PATIENCE"

const maxFactor = 1000

// Of returns the budget d, multiplied as [Env] says. Each d is enough on an ordinary machine.
func Of(d time.Duration) time.Duration { return d * times(os.Getenv(Env)) }

// times returns the factor in text, or 1 if text is not a factor.
func times(text string) time.Duration {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 1
	}
	return time.Duration(min(n, maxFactor))
}
