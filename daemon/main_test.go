package daemon

import (
	"os"
	"testing"

	"keepmum/budget"
	"keepmum/memdir"
)

// TestMain gives hooks thirty times the time that agents give them: what these tests look at does
// not hang on how busy the machine is.
func TestMain(m *testing.M) {
	if err := os.Setenv(budget.Env, "30"); err != nil {
		panic(err)
	}
	memdir.Use()
	os.Exit(m.Run())
}
