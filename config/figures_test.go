package config

import (
	"testing"

	"keepmum/docs"
)

func TestDocsSayTheLimitsOfAConfig(t *testing.T) {
	docs.Says(t, "docs/privacy.md", "A config must be a file of at most %d KiB", maxFile>>10)
	docs.Says(t, "docs/privacy.md", "may have %d patterns of %d KiB and %d globs", maxPatterns, maxRegex>>10,
		maxExcludePaths)
	docs.Says(t, "docs/privacy.md", "Your own config may have %d patterns", maxOwnPatterns)
}
