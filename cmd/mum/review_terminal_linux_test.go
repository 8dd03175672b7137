package main

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"keepmum/api"
)

// answering is a daemon that says yes to everything, and remembers what was asked.
type answering struct{ asked []string }

func (d *answering) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasPrefix(r.URL.Path, "/review") {
		d.asked = append(d.asked, r.URL.Path)
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("{}")), Request: r}, nil
}

// Main puts a terminal into a [typed].
func TestAReviewOnATerminalAsksForKeys(t *testing.T) {
	screen := terminal(t, "skq")
	daemon := &answering{}
	a := &app{in: typed{screen, t.Context()}, out: &output{File: screen}, getenv: func(string) string { return "" }}
	in, ok := a.keyboard()
	if !ok {
		t.Fatal("nobody is asked")
	}
	list := api.Proposals{Open: 2, Proposals: []api.Proposal{{ID: 7, Title: "Bread is baked at night"},
		{ID: 8, Title: "Never commit generated files"}}}
	err := a.reviewOnScreen(t.Context(), api.NewLocalClient("", daemon), in, list)
	if want := []string{"/review/8/keep"}; err != nil || !slices.Equal(daemon.asked, want) {
		t.Errorf("got %v, %v, want %v", daemon.asked, err, want)
	}
}

func TestAReviewWithoutATerminalIsAList(t *testing.T) {
	screen := terminal(t, "k")
	typing := typed{screen, t.Context()}
	for name, a := range map[string]*app{
		"into a pipe":     {in: typing, out: &bytes.Buffer{}},
		"without a key":   {in: strings.NewReader("k"), out: &output{File: screen}},
		"from a file":     {in: os.NewFile(^uintptr(0), "none"), out: &output{File: screen}},
		"a dumb terminal": {in: typing, out: &output{File: screen}},
	} {
		a.getenv = func(string) string { return map[bool]string{true: "dumb"}[name == "a dumb terminal"] }
		if _, ok := a.keyboard(); ok {
			t.Errorf("%s: somebody is asked", name)
		}
	}
}
