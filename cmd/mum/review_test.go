package main

import (
	"bytes"
	"strings"
	"testing"

	"keepmum/api"
)

func TestProposalsOfSeveralProjectsNameThem(t *testing.T) {
	var out bytes.Buffer
	a := &app{out: &out, getenv: func(string) string { return "" }}
	list := api.Proposals{Proposals: []api.Proposal{{ID: 3, Title: "Never push to main", Project: "shop"},
		{ID: 4, Title: "Never commit generated files", Project: "shop"}}}
	a.printProposals(list)
	if got := out.String(); strings.Contains(got, "shop") || !strings.HasPrefix(got, "3  Never push to main\n4  Never") {
		t.Errorf("of one project:\n%s", got)
	}
	out.Reset()
	list.Proposals = append(list.Proposals, api.Proposal{ID: 5, Title: "Bread is baked at night"})
	a.printProposals(list)
	for _, want := range []string{"3  Never push to main  (shop)\n", "5  Bread is baked at night  (no project)\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}

func TestAKeptProposalIsNamedByItsNewWords(t *testing.T) {
	out := api.Reviewed{Action: "edit", Proposal: api.Proposal{Title: "times are local"}}
	if got := reviewedTitle(out); got != "times are local" {
		t.Errorf("got %q", got)
	}
	out.Written = &api.MemoryWritten{Memory: api.Memory{Title: "Times are UTC"}}
	if got := reviewedTitle(out); got != "Times are UTC" {
		t.Errorf("got %q", got)
	}
}

func TestAProgramMayAskForNoProposals(t *testing.T) {
	for _, c := range []struct {
		limit    int
		json, ok bool
	}{{0, true, true}, {0, false, false}, {1, false, true}, {1000, false, true}, {1001, true, false}, {-1, true, false}} {
		if err := (reviewFlags{placeFlags: placeFlags{json: c.json}, limit: c.limit}).check(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestAReviewIsOfThisDirectoryUnlessAsked(t *testing.T) {
	for _, c := range []struct {
		place           placeFlags
		key, not, value string
	}{{placeFlags{}, "directory", "project", ""}, {placeFlags{project: "shop"}, "project", "directory", "shop"},
		{placeFlags{all: true}, "", "directory", ""}} {
		q, err := reviewFlags{placeFlags: c.place, limit: 20}.query(&app{})
		if err != nil || q.Has(c.not) || c.key != "" && !q.Has(c.key) || c.value != "" && q.Get(c.key) != c.value {
			t.Errorf("%+v: got %v, %v", c.place, q, err)
		}
	}
	if cmd := newReviewCmd(&app{}); cmd.Flags().Lookup("all") == nil {
		t.Error("there is no --all")
	}
}
