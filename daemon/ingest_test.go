package daemon

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"keepmum/api"
	"keepmum/spool"
	"keepmum/store"
)

func TestAnEventIsGivenUpAfterSeveralTries(t *testing.T) {
	tries := map[string]int{}
	own := errors.New("events of this kind are not stored")
	for i := 1; i <= drainTries; i++ {
		refused := (*spool.Refused)(nil)
		err := lastTry(t.Context(), tries, "k", own)
		if !errors.Is(err, own) || errors.As(err, &refused) != (i == drainTries) {
			t.Errorf("try %d: %v", i, err)
		}
	}
	if len(tries) != 0 {
		t.Errorf("still counted: %v", tries)
	}
}

func TestAFullDiskIsNoFaultOfAnEvent(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, c := range []struct {
		ctx context.Context
		err error
	}{
		{t.Context(), fmt.Errorf("write: %w", store.ErrFull)},
		{t.Context(), store.ErrCorrupt},
		{stopped, errors.New("anything")},
	} {
		tries := map[string]int{}
		for range 2 * drainTries {
			refused := (*spool.Refused)(nil)
			if err := lastTry(c.ctx, tries, "k", c.err); errors.As(err, &refused) {
				t.Errorf("given up: %v", err)
			}
		}
	}
}

func TestAProjectThatIsNamedAfterItsDirectoryIsThatOfTheDirectory(t *testing.T) {
	r := startRig(t, t.TempDir())
	const dir = "/home/dev/shop"
	r.hook(t, prompt("s1", "p1", "move the payments of the shop over to Adyen"))
	for path, in := range map[string]any{
		"/observe":       api.Observe{SessionID: "s2", ToolName: "Bash", Project: "shop", Directory: dir},
		"/prompt":        api.Prompt{SessionID: "s3", Text: "is it done?", Project: "shop", Directory: dir + "/../shop"},
		"/session/start": map[string]any{"session_id": "s4", "project": "shop", "directory": "file://" + dir},
	} {
		if got := r.post(t, path, in); got.status != http.StatusOK {
			t.Errorf("%s: %s", path, got.body)
		}
	}
	if rows, err := r.d.db.Projects(t.Context()); err != nil || len(rows) != 1 {
		t.Errorf("got %+v, %v", rows, err)
	}
	r.post(t, "/observe", api.Observe{SessionID: "s5", ToolName: "Bash", Project: "other", Directory: dir})
	if rows, err := r.d.db.Projects(t.Context()); err != nil || len(rows) != 2 {
		t.Errorf("another name: got %+v, %v", rows, err)
	}
}
