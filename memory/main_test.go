package memory

import (
	"os"
	"testing"

	"keepmum/memdir"
)

func TestMain(m *testing.M) {
	memdir.Use()
	os.Exit(m.Run())
}
