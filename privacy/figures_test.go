package privacy

import (
	"testing"

	"keepmum/docs"
	"keepmum/privacy/scan"
	"keepmum/privacy/sessions"
)

// TestDocsSayWhatTheGateKnows and how much it reads.
func TestDocsSayWhatTheGateKnows(t *testing.T) {
	rules := len(sharedRules().Rules) / 10 * 10 // of vendors; a new one need not change the document
	docs.Says(t, "docs/privacy.md", "tokens of vendors: more than %d rules", rules)
	docs.Says(t, "docs/privacy.md", "learns %d values per text, from its first %d KiB", scan.MaxHarvest,
		scan.MaxHarvested>>10)
	docs.Says(t, "docs/privacy.md", "for the latest %d sessions", sessions.Max)
	docs.Says(t, "docs/privacy.md", "A secret has at least %d bytes", scan.MinSecret)
}
