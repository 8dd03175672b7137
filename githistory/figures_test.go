package githistory

import (
	"testing"

	"keepmum/docs"
)

func TestDocsSayTheLimitsOfACommit(t *testing.T) {
	docs.Says(t, "docs/commits.md", "up to %d changed paths", maxFiles)
	docs.Says(t, "docs/commits.md", "are larger than %d MiB", maxObject>>20)
	docs.Says(t, "docs/commits.md", "at most %d of each", maxTouched)
}
