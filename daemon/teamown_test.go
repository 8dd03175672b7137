package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/privacy"
	"keepmum/store"
	"keepmum/team"
)

// fromDesk makes an item of this member from another machine.
func fromDesk(n byte, title string, change func(*team.Raw)) team.Incoming {
	at := time.Now().Truncate(time.Second).Add(-time.Hour).UnixMilli()
	raw := team.Raw{Form: "learning", Kind: "insight", Title: title, State: "active", Confidence: 0.9,
		Body: "The proxy of the shop expects it there, and nobody remembers who set it up.", Created: at, Updated: at}
	if change != nil {
		change(&raw)
	}
	return team.Incoming{ID: store.TeamID{n}, Kind: team.KindMemory, Author: privacy.Const("anna"),
		Machine: privacy.Const("desk"), Mine: true, Content: raw}
}

func startTeamPlace(t *testing.T) (*rig, *teamPlace, int64) {
	t.Helper()
	r := startRig(t, t.TempDir())
	id, err := r.d.db.PutProject(t.Context(), store.Project{Name: privacy.Const("shop")})
	if err != nil {
		t.Fatal(err)
	}
	return r, newTeamPlace(r.d), id
}

func ignore([]team.Local) error { return nil }

// One memory that cannot be written holds up no other.
func TestAMemoryOfTheTeamThatCannotBeWrittenHoldsUpNoOther(t *testing.T) {
	r, p, id := startTeamPlace(t)
	out, err := p.Put(t.Context(), id, []team.Incoming{
		fromDesk(1, "Nobody can read this", func(r *team.Raw) { r.Confidence = 7 }),
		fromDesk(2, "The port of the API is 8080", func(r *team.Raw) { r.Kind = "premonition" }),
		fromDesk(3, "The port of the page is 8081", func(r *team.Raw) { r.Key = "ports/page" }),
		fromDesk(4, "Deploys run on Fridays", nil)}, ignore)
	if err != nil || out[0].Ref != "" || out[1].Ref == "" || out[2].Ref == "" || out[3].Ref == "" {
		t.Fatalf("%v %+v", err, out)
	}
	list := into[api.MemoryList](t, r.ask(t, "GET", "/memories?project=shop", ""))
	if len(list.Memories) != 3 {
		t.Errorf("%+v", list)
	}
	held := fromDesk(4, "Deploys run on Mondays", func(r *team.Raw) { r.Key = "ports/page" })
	held.Ref = out[3].Ref
	next := fromDesk(2, "The port of the API is 9090", nil)
	next.Ref = out[1].Ref
	if _, err := p.Put(t.Context(), id, []team.Incoming{held, next}, ignore); err != nil {
		t.Fatal(err)
	}
	all := r.ask(t, "GET", "/memories?project=shop", "").body
	if !strings.Contains(all, "on Mondays") || !strings.Contains(all, "9090") {
		t.Errorf("%s", all)
	}
}

func TestAVersionOfTheTeamDoesNotOverwriteAnEditByHand(t *testing.T) {
	for name, indexed := range map[string]bool{"not indexed yet": false, "indexed": true} {
		t.Run(name, func(t *testing.T) { checkEditByHand(t, indexed) })
	}
}

func checkEditByHand(t *testing.T, indexed bool) {
	r, p, id := startTeamPlace(t)
	out, err := p.Put(t.Context(), id, []team.Incoming{fromDesk(1, "The port of the API is 8080", nil)}, ignore)
	if err != nil {
		t.Fatal(err)
	}
	other, err := r.d.db.PutProject(t.Context(), store.Project{Name: privacy.Const("other")})
	if err != nil {
		t.Fatal(err)
	}
	for _, project := range []int64{id, other} { // as a round begins
		if _, err := p.Items(t.Context(), project); err != nil {
			t.Fatal(err)
		}
	}
	file := into[api.MemoryList](t, r.ask(t, "GET", "/memories?project=shop", "")).Memories[0].File
	text, err := os.ReadFile(filepath.Clean(file))
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(text), "nobody remembers", "Weber remembers", 1)
	if err := os.WriteFile(file, []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	if indexed {
		r.post(t, "/memories/reindex", map[string]any{})
	}
	if _, err := p.Shown(t.Context(), id); err != nil { // which is for people, and not part of a round
		t.Fatal(err)
	}
	next := fromDesk(1, "The port of the API is 9090", nil)
	next.Ref = out[0].Ref
	if _, err := p.Put(t.Context(), id, []team.Incoming{next}, ignore); !errors.Is(err, team.ErrEdited) {
		t.Errorf("%v", err)
	}
	if text, err = os.ReadFile(filepath.Clean(file)); err != nil || !strings.Contains(string(text), "Weber") {
		t.Errorf("%v %s", err, text)
	}
	items, err := p.Items(t.Context(), id)
	if err != nil || len(items) != 1 || !strings.Contains(items[0].Content.Body.String(), "Weber") {
		t.Errorf("the edit is not listed: %v %+v", err, items)
	}
	if _, err := p.Put(t.Context(), id, []team.Incoming{next}, ignore); err != nil {
		t.Error(err)
	}
}
