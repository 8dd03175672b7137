package connect

import (
	"strings"
	"testing"
)

func TestSettingsThatNestTooDeepAreRefusedBeforeTheyAreParsed(t *testing.T) {
	for name, text := range map[string]string{
		"lists":                       `{"hooks":` + strings.Repeat("[", 2_000_000),
		"objects":                     strings.Repeat(`{"a":`, 1_000_000),
		"after strings that close":    strings.Repeat(`{"]}\"]":`, 100_000),
		"after a comment with quotes": "// \"\n/* \" */" + strings.Repeat("[", 100_000),
	} {
		if _, err := parseJSON([]byte(text)); err == nil || !strings.Contains(err.Error(), "nested deeper") {
			t.Errorf("%s: %v", name, err)
		}
	}
	wide := `{"a": "` + strings.Repeat("[", 5_000) + `", // ` + strings.Repeat("[", 5_000) + "\n" + `"b": [` +
		strings.Repeat("[],", 5_000) + `]}`
	if _, err := parseJSON([]byte(wide)); err != nil {
		t.Errorf("brackets in strings, in comments, and next to each other: %v", err)
	}
}
