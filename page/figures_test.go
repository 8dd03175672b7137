package page

import (
	"testing"

	"keepmum/docs"
)

func TestDocsSayWhatIsAlike(t *testing.T) {
	docs.Says(t, "docs/page.md",
		"shares at least %d %% of the words with the proposal's, and whose whole text shares %d %%",
		int(nearTitle*100), int(nearWhole*100))
	docs.Says(t, "docs/page.md", "(a test keeps them below %d kB)", mostAssets/1000)
}
