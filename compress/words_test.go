package compress

import "testing"

func TestATitleIsNeverEmptied(t *testing.T) {
	for text, want := range map[string]string{
		"[urgent the importer fails with every file of the new supplier": "[urgent the importer fails…",
		"the importer has [REDACTED:password#1234] in its log":           "the importer has…",
		"the importer logs a[0 of every row that it has read":            "the importer logs a[0 of…",
	} {
		if got := shorten(text, 30); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
