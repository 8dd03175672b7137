package extract

import (
	"testing"

	"keepmum/docs"
)

func TestDocsSayWhatIsKept(t *testing.T) {
	docs.Says(t, "docs/sync.md", "a message with more than %d such sentences", maxRules)
	docs.Says(t, "docs/sync.md", "A session yields %d at most, or %d if you ask to remember each", maxKept, maxAsked)
	docs.Says(t, "docs/sync.md", "Such a memory has the confidence %.2f", repeatedly)
}
