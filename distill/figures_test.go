package distill

import (
	"testing"

	"keepmum/docs"
)

func TestDocsSayHowOftenARuleIsSaid(t *testing.T) {
	docs.Says(t, "docs/sync.md", "that you say in %d sessions of a project, on at least %d days", oftenSessions, oftenDays)
}
