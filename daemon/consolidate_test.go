package daemon

import (
	"strings"
	"testing"

	"keepmum/api"
)

func (r *rig) rememberPrinters(t *testing.T) {
	t.Helper()
	for _, m := range [][2]string{
		{"Labels are cut at the edge", "A margin of 2 millimetres helps, because the printer feeds them slanted."},
		{"The driver wants millimetres", "The API gives inches, and the driver takes them for millimetres without a word."},
		{"Restart the spooler after a firmware update", "Or the printer prints nothing, and says nothing of it."},
	} {
		r.remember(t, api.MemoryAdd{Global: true, Title: m[0], Body: m[1], Tags: []string{"printer", "labels"}})
	}
}

func TestAModelPutsMemoriesTogetherAndIsHeldToThem(t *testing.T) {
	const good = `{"title":"Printing labels with the driver","body":"Labels are cut at the edge because the printer feeds them slanted: a margin of 2 millimetres helps. The driver wants millimetres and the API gives inches. After a firmware update restart the spooler, or the printer prints nothing."}`
	for name, c := range map[string]struct {
		answer, counts string
		asked          int
	}{
		"good":    {good, `"consolidated":3`, 1},
		"made up": {strings.ReplaceAll(good, "2 millimetres", "7 millimetres"), `"consolidated":0`, 2},
		"junk":    {`certainly!`, `"consolidated":0`, 2},
	} {
		t.Run(name, func(t *testing.T) {
			model, with := modelThatSays(t, c.answer)
			r := startRig(t, t.TempDir(), with)
			r.rememberPrinters(t)
			for range 2 { // the second finds nothing to do, and does not ask in vain
				if got := r.ask(t, "POST", "/maintain", `{}`); got.status != 200 {
					t.Fatal(got.body)
				} else if strings.Contains(got.body, c.counts) {
					c.counts = `"consolidated":0`
				} else {
					t.Errorf("want %s in %s", c.counts, got.body)
				}
			}
			if n := len(model.Chats()); n != c.asked {
				t.Errorf("the model was asked %d times", n)
			}
			list := into[api.MemoryList](t, r.ask(t, "GET", "/memories", ""))
			if want := map[bool]int{true: 1, false: 3}[name == "good"]; len(list.Memories) != want {
				t.Errorf("%d memories", len(list.Memories))
			}
			if got := r.ask(t, "GET", "/ledger/egress", ""); !strings.Contains(got.body, `"purpose":"consolidate"`) {
				t.Errorf("the ledger holds no sending: %s", got.body)
			}
		})
	}
}
