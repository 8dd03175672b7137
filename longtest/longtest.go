// Package longtest says which tests run only when asked for: kill loops, floods,
// fits and comparisons that take more than a second or two of processor time.
package longtest

import (
	"os"
	"testing"
)

// Env is the variable that asks for the long tests; `make test-long` sets it.
const Env = "MUM_TEST_LONG"

// Asked reports whether the long tests run, for a test that does more rounds then.
func Asked() bool { return os.Getenv(Env) != "" }

// Only skips a test that runs only when the long tests were asked for.
func Only(t testing.TB) {
	t.Helper()
	if !Asked() {
		t.Skipf("a long test: make test-long, or %s=1", Env)
	}
}

// Rounds is how often a test repeats: few times by default, many when asked for.
func Rounds(few, many int) int {
	if Asked() {
		return many
	}
	return few
}
