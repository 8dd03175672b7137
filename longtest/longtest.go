// Package longtest says which tests run only when asked for: kill loops, floods,
// fits and comparisons that take more than a second or two of processor time.
package longtest

import (
	"os"
	"strconv"
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

// RoundsEnv is the variable that makes the long tests repeat so many times as often.
const RoundsEnv = "MUM_TEST_ROUNDS"

// Rounds is how often a test repeats: few times by default, many when asked for.
func Rounds(few, many int) int {
	if !Asked() {
		return few
	}
	if times, err := strconv.Atoi(os.Getenv(RoundsEnv)); err == nil && times > 0 {
		return many * times
	}
	return many
}

// Size is how large a test is: small by default, large when asked for.
func Size(small, large int) int {
	if Asked() {
		return large
	}
	return small
}
