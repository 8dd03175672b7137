package review

import (
	"testing"

	"keepmum/docs"
)

func TestDocsSayWhatShiftsTheThreshold(t *testing.T) {
	docs.Says(t, "docs/review.md", "If you kept at least %.0f %% of proposals", promote*100)
	docs.Says(t, "docs/review.md", "If you kept at most %.0f %% of those", leave*100)
	docs.Says(t, "docs/review.md", "The last %d reviews for each reason count", recent)
}
