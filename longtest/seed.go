package longtest

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// SeedEnv is the variable that plays a round of chance again: its value is the seed that
// the test printed.
const SeedEnv = "MUM_TEST_SEED"

// Chance is a source of chance for a test, and says in its log how to play it again.
func Chance(t testing.TB) *rand.Rand {
	t.Helper()
	seed := rand.Uint64()
	if given, err := strconv.ParseUint(os.Getenv(SeedEnv), 10, 64); err == nil {
		seed = given
	}
	t.Logf("play it again with %s=%d", SeedEnv, seed)
	return rand.New(rand.NewPCG(seed, 17)) // any second number, but always the same
}

// Every reports whether case i of many runs: one in n by default, each when asked for.
func Every(n, i int) bool { return Asked() || i%n == 0 }
