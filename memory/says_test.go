package memory

import "testing"

func TestAMemorySaysWhatAddsNothingToIt(t *testing.T) {
	m := Memory{Title: "Never push to main", Body: "Never push to main.\n\nSaid by the user in several sessions."}
	for statement, want := range map[string]bool{
		"Never push to main.": true, "never push to main": true,
		"Always push to main.": false, "Push to main.": false, "Never push to main on Fridays.": false,
		"Never push to release.": false, "Never merge to main.": false, "Tag what is pushed to main.": false,
		"Never push to main. Always open a pull request.": false, "We push to main again.": false,
		"Never force push to main.": false,
	} {
		if got := m.Says(statement, statement); got != want {
			t.Errorf("%q: %v", statement, got)
		}
	}
	if m.Archived = true; m.Says("Never push to main", "Never push to main.") {
		t.Error("an archived memory says nothing")
	}
}
