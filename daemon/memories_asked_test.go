package daemon

import (
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/privacy"
)

func TestACategoryAloneIsNoKey(t *testing.T) {
	r := startRig(t, t.TempDir())
	add := func(title, category, key string) reply {
		return r.post(t, "/memories", api.MemoryAdd{Title: title, Category: category, Key: key, Global: true})
	}
	for title, key := range map[string]string{"Lambs are counted before breakfast": "",
		"The gate to the road is shut": " "} {
		got := into[api.MemoryWritten](t, add(title, "Pasture", key))
		if got.Action != "add" || got.Replaced != "" || got.Memory.Key != "" ||
			!slices.Equal(got.Memory.Tags, []string{"pasture"}) {
			t.Errorf("key %q: %+v", key, got)
		}
	}
	if got := add("Lambs are counted before breakfast", "!", ""); got.code() != api.Invalid {
		t.Errorf("a category that is no word: %d %s", got.status, got.body)
	}
	for category, key := range map[string]string{"pasture": "count", "": "wool/price", "wool": "wool/buyer"} {
		got := into[api.MemoryWritten](t, add("The answer of the day is "+key, category, key))
		if want := strings.TrimPrefix(category+"/"+strings.TrimPrefix(key, category+"/"), "/"); got.Memory.Key != want {
			t.Errorf("%s and %s: the key is %q", category, key, got.Memory.Key)
		}
	}
}

func TestDuplicatesAreThoseThatMaintainMerges(t *testing.T) {
	r, repo := startRig(t, t.TempDir()), repository(t)
	const title = "Wool is weighed twice and the lower weight counts"
	add := func(in api.MemoryAdd) { r.remember(t, in) }
	pairs := func() [][2]int64 {
		return into[api.MemoryStatus](t, r.ask(t, "GET", "/memories/status?directory="+repo, "")).Duplicates
	}
	add(api.MemoryAdd{Title: title, Directory: repo})
	add(api.MemoryAdd{Title: title, Global: true})
	if got := pairs(); len(got) != 0 {
		t.Errorf("a project's memory and one of all projects: %v", got)
	}
	add(api.MemoryAdd{Title: title, Directory: repo, New: true})
	if got := pairs(); len(got) != 1 {
		t.Errorf("two of one project: %v", got)
	}
	r.post(t, "/maintain", api.MaintainRequest{})
	if got := pairs(); len(got) != 0 {
		t.Errorf("after they were merged: %v", got)
	}
}

func TestAnEditedTitleIsLikeThatOfANewMemory(t *testing.T) {
	r := startRig(t, t.TempDir())
	m := r.remember(t, api.MemoryAdd{Title: "Hay is stored under the old roof", Global: true}).Memory
	long := strings.Repeat("hay ", 300)
	edit := func(title string) reply {
		return r.post(t, fmt.Sprintf("/memories/%d/edit", m.Entry), api.MemoryEdit{Title: &title})
	}
	for title, want := range map[string]string{" ": "title is empty", "hay": "fewer than 10", long: "more than 1000"} {
		if got := edit(title); got.code() != api.Invalid || !strings.Contains(got.body, want) {
			t.Errorf("%.20q: %d %s", title, got.status, got.body)
		}
	}
	got := into[api.MemoryWritten](t, edit("Heu liegt im Süden unter dem neuen Dach"))
	if got.Memory.Title != "Heu liegt im Süden unter dem neuen Dach" {
		t.Errorf("got %+v", got.Memory)
	}
	for title, old := range map[string]string{"hay": "straw", long: long + long} {
		if err := checkTitle(title, old); err != nil {
			t.Errorf("%.20q was as short or long before: %v", title, err)
		}
	}
	if got := r.post(t, "/memories", api.MemoryAdd{Title: long, Global: true}); got.code() != api.Invalid {
		t.Errorf("a long title was added: %d %s", got.status, got.body)
	}
}

func TestNothingIsKnownOfTheFuture(t *testing.T) {
	now := time.Date(2027, 3, 1, 23, 0, 0, 0, time.UTC)
	r := startAt(t, t.TempDir(), func() time.Time { return now })
	for at, want := range map[string]int{"2027-03-01": 200, "2027-03-02": 200, "2020-01-01": 200,
		"2027-03-01T23:00:00Z": 200, "2031-01-01": 400, "2027-04-01T00:00:00Z": 400} {
		for _, path := range []string{"/memories?as_of=", "/search?q=hay&as_of="} {
			if got := r.ask(t, "GET", path+at, ""); got.status != want || want == 400 && !strings.Contains(got.body, "future") {
				t.Errorf("%s%s: %d %s", path, at, got.status, got.body)
			}
		}
	}
}

func TestAProposalThatWasSettledSaysHow(t *testing.T) {
	r := startRig(t, t.TempDir())
	r.proposed(t, privacy.Const("Wombat Bay"), time.Now())
	r.acted(t, 1, "never", "{}")
	if got := r.ask(t, "POST", "/review/1/keep", "{}"); got.code() != api.Conflict ||
		!strings.Contains(got.body, "dropped, and nothing like it") {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func TestAFileOutsideOfTheProjectHasNoOutline(t *testing.T) {
	r, repo := startRig(t, t.TempDir()), repository(t)
	writeFile(t, "package main\n\nfunc main() {}\n", filepath.Join(repo, "main.go"))
	writeFile(t, "package other\n\nfunc Other() {}\n", filepath.Join(filepath.Dir(repo), "other.go"))
	for file, want := range map[string]string{"main.go": "func main()", filepath.Join(repo, "main.go"): "func main()",
		"../other.go": "is not in this project", filepath.Join(filepath.Dir(repo), "other.go"): "is not in this project"} {
		got := r.ask(t, "GET", "/outline?directory="+repo+"&file="+url.QueryEscape(file), "")
		if !strings.Contains(got.body, want) || strings.Contains(got.body, "..") {
			t.Errorf("%s: %d %s", file, got.status, got.body)
		}
	}
}
