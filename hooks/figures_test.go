package hooks

import (
	"testing"

	"keepmum/docs"
)

func TestDocsSayTheLimitOfAContext(t *testing.T) {
	docs.Says(t, "docs/context.md", "never more than %d,%03d characters", maxContext/1000, maxContext%1000)
	docs.Says(t, "docs/api.md", "have up to %d bytes", maxName)
}
