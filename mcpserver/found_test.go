package mcpserver

import (
	"strings"
	"testing"

	"keepmum/api"
)

func TestAnEditIsShownOnce(t *testing.T) {
	const edit = "/shop/pay/hook.go mollie.Notification stripe.Event"
	for snippet, want := range map[string]string{
		edit + " " + edit:                           edit,
		edit + " now " + edit + " …":                edit + " now",
		"no no no, never":                           "no no no, never",
		"use tabs in Go, and in C, use tabs in Go":  "use tabs in Go, and in C, use tabs in Go",
		"prices are cents; prices are never floats": "prices are cents; prices are never floats",
		"": "",
	} {
		if got := once(snippet); got != want {
			t.Errorf("%q: %q, want %q", snippet, got, want)
		}
	}
	got := searchText(api.SearchResults{Total: 1, Results: []api.Result{{ID: 7, Type: "observation",
		Title: "Edit pay/hook.go", Snippet: edit + " " + edit, Origin: "tool"}}}, "shop")
	if strings.Count(got, "stripe.Event") != 1 {
		t.Error(got)
	}
}

func TestASearchSaysWhatWasReplaced(t *testing.T) {
	got := searchText(api.SearchResults{Total: 1, Results: []api.Result{{ID: 64, Type: "prompt", Origin: "user",
		Snippet: "carts are kept for 30 days", ReplacedBy: 89}}}, "shop")
	if !strings.Contains(got, "prompt by the user (replaced by [89]): carts") {
		t.Error(got)
	}
}
