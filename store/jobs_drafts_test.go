package store

import (
	"maps"
	"testing"
	"time"

	"keepmum/privacy"
)

func TestADraftIsFoundWhileItsJobWaits(t *testing.T) {
	db := openTest(t)
	if _, err := db.PutPrompt(t.Context(),
		Prompt{Session: ref("inn", "s1"), Text: clean("why do bookings overlap")}); err != nil {
		t.Fatal(err)
	}
	jobs, err := db.UndraftedJobs(t.Context(), 10)
	if err != nil || len(jobs) != 1 {
		t.Fatalf("got %d jobs, %v", len(jobs), err)
	}
	sum := Summary{Text: clean("Changed the last night to be exclusive"), Type: clean("bugfix"),
		Concepts: []privacy.Clean{clean("calendar")}}
	if err := db.PutDraft(t.Context(), jobs[0], &sum, false); err != nil {
		t.Fatal(err)
	}
	if left, err := db.UndraftedJobs(t.Context(), 10); err != nil || len(left) != 0 {
		t.Errorf("%d units still have no draft, %v", len(left), err)
	}
	if res, err := db.Search(t.Context(), Query{Text: "calendar"}); err != nil || len(res.Hits) != 1 {
		t.Errorf("the draft is not found: %+v, %v", res, err)
	}
	if _, ok, err := db.ClaimJob(t.Context(), clean("w"), time.Minute); err != nil || !ok {
		t.Errorf("the job does not wait for a model: %v, %v", ok, err)
	}
}

func TestAUnitThatChangesIsDraftedAgain(t *testing.T) {
	db := openTest(t)
	if _, err := db.PutPrompt(t.Context(), Prompt{Session: ref("inn", "s1"), Text: clean("one")}); err != nil {
		t.Fatal(err)
	}
	jobs, err := db.UndraftedJobs(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.PutObservation(t.Context(),
		Observation{Session: ref("inn", "s1"), Tool: clean("Bash"), Input: clean(`{}`)}); err != nil {
		t.Fatal(err)
	}
	if err := db.PutDraft(t.Context(), jobs[0], nil, true); err != nil {
		t.Fatal(err)
	}
	again, err := db.UndraftedJobs(t.Context(), 10)
	if err != nil || len(again) != 1 || again[0].State != JobPending {
		t.Errorf("got %+v, %v: an old draft ended a changed unit", again, err)
	}
}

func TestWordsAreCountedWithinAProject(t *testing.T) {
	db := openTest(t)
	for _, p := range []struct{ project, text string }{{"inn", "booking night"}, {"inn", "booking price"},
		{"inn", "the rate_limit, the limit of the rate"}, {"other", "booking"}} {
		if _, err := db.PutPrompt(t.Context(),
			Prompt{Session: ref(p.project, "s-"+p.project), Text: clean(p.text)}); err != nil {
			t.Fatal(err)
		}
	}
	inn, err := db.ProjectsNamed(t.Context(), "inn")
	if err != nil || len(inn) != 1 {
		t.Fatal(inn, err)
	}
	df, docs, err := db.DocumentFrequencies(t.Context(), inn[0], []string{"booking", "night", "absent", "rate_limit", "_"})
	want := map[string]int{"booking": 2, "night": 1, "absent": 0, "rate_limit": 1, "_": 0}
	if err != nil || docs != 3 || !maps.Equal(df, want) {
		t.Errorf("got %v of %d, %v", df, docs, err)
	}
}
