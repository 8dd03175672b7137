package store

import (
	"strings"
	"testing"
)

func TestTextsAreRankedAsMemoriesAre(t *testing.T) {
	texts := []RankText{
		{"Logging", "Logs are lines of JSON, and the port of the collector is 4317."},
		{"The port of the API", "The API listens on 8080."},
		{"Colours", "Buttons are blue."},
	}
	got := Rank("which port does the API have", texts)
	if len(got) != 2 || got[0].At != 1 || got[1].At != 0 {
		t.Fatalf("%+v", got)
	}
	if !strings.Contains(got[1].Snippet, "<mark>port</mark>") {
		t.Errorf("the word is not marked: %s", got[1].Snippet)
	}
	if got := Rank("the", texts); len(got) > 2 {
		t.Errorf("stop words alone: %+v", got)
	}
	if got := Rank("", nil); len(got) != 0 {
		t.Errorf("nothing at all: %+v", got)
	}
}
