package daemon

import (
	"fmt"
	"strings"
	"testing"

	"keepmum/api"
)

func TestACategoryAloneIsNoKey(t *testing.T) {
	r := startRig(t, t.TempDir())
	add := func(title, category, key string) reply {
		return r.post(t, "/memories", api.MemoryAdd{Title: title, Category: category, Key: key, Global: true})
	}
	for _, key := range []string{"", " "} {
		if got := add("Lambs are counted before breakfast", "pasture", key); got.code() != api.Invalid ||
			!strings.Contains(got.body, "there is no key") {
			t.Errorf("key %q: %d %s", key, got.status, got.body)
		}
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
	if got := r.post(t, "/memories", api.MemoryAdd{Title: long, Global: true}); got.code() != api.Invalid {
		t.Errorf("a long title was added: %d %s", got.status, got.body)
	}
}
