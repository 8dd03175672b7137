package daemon

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/config"
)

// startLearning starts a daemon that learns from what the hooks captured when a test asks for it.
// Its clock goes on by a day for each call of later.
func startLearning(t *testing.T) (r *rig, dir string, later func()) {
	t.Helper()
	var ahead atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	r = startAt(t, t.TempDir(), now, func(c *config.Config) { c.Sync.Window, c.Sync.Enabled = "all", false })
	return r, repository(t), func() { ahead.Add(int64(24 * time.Hour)) }
}

// says captures one prompt of a session and returns its number.
func (r *rig) says(t *testing.T, session, dir, text string) int64 {
	t.Helper()
	return into[api.Prompted](t, r.post(t, "/prompt",
		api.Prompt{SessionID: session, Text: text, Agent: "claude", Directory: dir})).PromptID
}

// learned syncs and returns the valid memories of a directory.
func (r *rig) learned(t *testing.T, dir string) []api.Memory {
	t.Helper()
	r.sync(t, api.SyncRequest{Force: true})
	return into[api.MemoryList](t, r.ask(t, "GET", "/memories?directory="+dir, "")).Memories
}

func forget(t *testing.T, r *rig, m api.Memory, in api.MemoryForget) api.MemoryForgotten {
	t.Helper()
	return into[api.MemoryForgotten](t, r.post(t, fmt.Sprintf("/memories/%d/forget", m.Entry), in))
}

func numbers(list []api.Moment) (ids []int64) {
	for _, m := range list {
		ids = append(ids, m.ID)
	}
	return ids
}

const cellar = "from now on the cellar is locked at nine, because the wine was stolen"

// Whoever forgets a memory must know that what was said in the session stays, even if it was said without the capital.
func TestForgettingAMemoryNamesTheEntriesThatStay(t *testing.T) {
	r, dir, later := startLearning(t)
	id := r.says(t, "s1", dir, cellar)
	r.says(t, "s1", dir, "and paint the cellar in pale blue")
	later()
	learned := r.learned(t, dir)
	if len(learned) != 1 {
		t.Fatalf("learned %+v", learned)
	}
	told := r.says(t, "s2", dir, "why is it that I said: "+cellar+"?")
	r.says(t, "s2", dir, "from now on the cellar is locked at nine, because the children sleep")
	r.says(t, "s3", t.TempDir(), cellar)
	for _, dry := range []bool{true, false} {
		got := forget(t, r, learned[0], api.MemoryForget{DryRun: dry})
		if !slices.Equal(numbers(got.Left), []int64{id}) || !slices.Equal(numbers(got.Repeated), []int64{told}) {
			t.Errorf("dry run %v: names %v and %v", dry, numbers(got.Left), numbers(got.Repeated))
		}
	}
	gone := into[api.Forgotten](t, r.post(t, "/forget", api.Forget{IDs: []int64{id, told}}))
	if len(gone.Documents) != 2 || len(gone.Left) != 0 {
		t.Errorf("its entries: %+v", gone)
	}
}

func TestForgettingAnEntryNamesTheOthersOfItsMemory(t *testing.T) {
	r, dir, later := startLearning(t)
	first := r.says(t, "s1", dir, cellar)
	later()
	r.learned(t, dir)
	again := r.says(t, "s2", dir, cellar)
	r.says(t, "s3", dir, "where is the key of the cellar")
	gone := into[api.Forgotten](t, r.post(t, "/forget", api.Forget{IDs: []int64{first}}))
	if len(gone.Memories) != 1 || !slices.Equal(numbers(gone.Repeated), []int64{again}) {
		t.Errorf("got %+v, want %d left", gone, again)
	}
	if gone := into[api.Forgotten](t, r.post(t, "/forget", api.Forget{IDs: []int64{again}})); len(gone.Repeated) > 0 {
		t.Errorf("got %+v", gone)
	}
}

// The user may change their mind; nothing else brings a forgotten memory back.
func TestOnlyTheUserSayingItAgainLaterBringsAMemoryBack(t *testing.T) {
	r, dir, later := startLearning(t)
	r.says(t, "s1", dir, cellar)
	r.says(t, "before", dir, "well then, "+cellar)
	later()
	learned := r.learned(t, dir)
	if len(learned) != 1 {
		t.Fatalf("learned %+v", learned)
	}
	forget(t, r, learned[0], api.MemoryForget{})
	if got := r.learned(t, dir); len(got) != 0 {
		t.Errorf("the old sessions brought back %+v", got)
	}
	later()
	r.says(t, "s1", dir, cellar)
	later()
	if got := r.learned(t, dir); len(got) != 0 {
		t.Errorf("the same session brought back %+v", got)
	}
	m := learned[0]
	agent := api.MemoryAdd{Title: m.Title, Body: m.Body, Primitive: m.Primitive, Kind: m.Kind, Directory: dir,
		Origin: "agent", Agent: "mcp"}
	if got := r.post(t, "/memories", agent); got.code() != api.Invalid {
		t.Errorf("an agent brought it back: %s", got.body)
	}
	r.says(t, "s3", dir, cellar)
	later()
	if got := r.learned(t, dir); len(got) != 1 {
		t.Errorf("said again, but learned %+v", got)
	}
}
