package page

import (
	"testing"

	"keepmum/api"
)

// The text of a summary also has the words by which it is found: nobody reads those.
func TestASessionIsHeadedByTheTitleOfItsSummary(t *testing.T) {
	for want, e := range map[string]api.Event{
		"Prices are cents": {Row: 1, Type: "summary", Title: "Prices are cents", Text: "Asked: prices. cents, floats"},
		"Asked: prices":    {Row: 1, Type: "summary", Text: "Asked: prices"},
		"":                 {Row: 1, Type: "prompt", Title: "Prices are cents"},
	} {
		if got := grouped([]api.Event{e})[0].Digest; got != want {
			t.Errorf("%+v: %q, want %q", e, got, want)
		}
	}
}
