package daemon

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"keepmum/api"
)

// What arrives between the list and the confirmation is not removed.
func TestOnlyWhatWasShownIsForgotten(t *testing.T) {
	r := startRig(t, t.TempDir())
	say := func(words string) api.Memory {
		in := fmt.Sprintf(`{"title":%q,"global":true}`, words)
		return into[api.MemoryWritten](t, r.ask(t, "POST", "/memories", in)).Memory
	}
	first := say("The cellar of the shop is painted in pale blue")
	shown := into[api.Forgotten](t, r.ask(t, "POST", "/forget", `{"query":"cellar","dry_run":true}`))
	if len(shown.Memories) != 1 || shown.Token == "" {
		t.Fatalf("%+v", shown)
	}
	later := say("Wine is kept in the cellar behind the kitchen")
	confirmed := func(token string) reply {
		return r.ask(t, "POST", "/forget", fmt.Sprintf(`{"query":"cellar","confirm":%q}`, token))
	}
	gone := into[api.Forgotten](t, confirmed(shown.Token))
	if len(gone.Memories) != 1 || gone.Memories[0] != first.Entry {
		t.Errorf("%+v, want %d", gone, first.Entry)
	}
	left := into[api.Forgotten](t, r.ask(t, "POST", "/forget", `{"query":"cellar","dry_run":true}`))
	if len(left.Memories) != 1 || left.Memories[0] != later.Entry {
		t.Errorf("%+v, want %d", left, later.Entry)
	}
	// an older entry that matches only now was not shown either
	other := say("Bread is baked behind the kitchen")
	token := into[api.Forgotten](t, r.ask(t, "POST", "/forget", `{"query":"cellar","dry_run":true}`)).Token
	edit := fmt.Sprintf("/memories/%d/edit", other.Entry)
	into[api.MemoryWritten](t, r.ask(t, "POST", edit, `{"title":"Bread is baked in the cellar"}`))
	got := confirmed(token)
	if got.status != http.StatusConflict || !strings.Contains(got.body, "nothing was removed") {
		t.Errorf("%d %s", got.status, got.body)
	}
}
