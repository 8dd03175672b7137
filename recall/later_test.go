package recall

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/privacy"
	"keepmum/store"
)

// onBranch is a store in which one session was held on an unmerged branch.
type onBranch struct {
	*store.DB
	session int64
}

func (o onBranch) Unmerged(ctx context.Context, docs []int64) (map[int64]string, error) {
	rows, err := o.Observations(ctx, docs)
	out := map[int64]string{}
	for _, r := range rows {
		if r.SessionID == o.session {
			out[r.ID] = "scanner"
		}
	}
	return out, err
}

// What was said last on an unmerged branch is not looked at before what takes a rule back here.
func TestWhatTakesARuleBackHereComesBeforeWhatDoesOnAnotherBranch(t *testing.T) {
	db, err := store.Open(t.Context(), store.Options{Path: filepath.Join(t.TempDir(), "memory.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	gate, err := privacy.New(privacy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	clean := func(s string) privacy.Clean { c, _ := gate.Text(s); return c }
	for i, turns := range [][]string{
		{"look at the booking of groups on the Lismore ferry, the purser complains about boarding",
			"The purser counts passengers by hand, and a group of ninety was booked on one sailing.",
			"then a group is at most forty passengers per sailing, always, because the purser cannot count more at boarding"},
		{"groups of passengers on the Lismore ferry once more",
			"The purser has help at boarding.",
			"scrap the limit of forty passengers per sailing, a group is at most sixty from now on"},
		{"look at the booking of groups of passengers on the Lismore ferry again, the purser cannot count at boarding",
			"The scanner counts a group while it is boarding.",
			"scrap the limit of at most forty passengers per sailing for a group, no limit from now on, the purser cannot " +
				"count more at boarding but the scanner does, always"},
	} {
		for n, text := range turns {
			p := store.Prompt{Session: store.SessionRef{Agent: privacy.Const("claude"), Native: clean(fmt.Sprint("s", i)),
				Project: store.Project{Name: privacy.Const("ferry")}}, Role: store.RoleUser, Text: clean(text),
				At: time.Date(2026, 3, 1+i, 9, n, 0, 0, time.UTC)}
			if n == 1 {
				p.Role = store.RoleAssistant
			}
			if _, err := db.PutPrompt(t.Context(), p); err != nil {
				t.Fatal(err)
			}
		}
	}
	told := func(branch int64) string {
		t.Helper()
		src := onBranch{db, branch}
		q := store.Subjects{All: true,
			Text: "how many passengers may a group have on the Lismore ferry, can the purser count them at boarding?"}
		all, err := statements(t.Context(), src, &builtIn, q, hearer{asked: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, st := range all {
			if strings.HasPrefix(st.said, "then a group") {
				out, err := withLater(t.Context(), src, q, []statement{st}, all, nil)
				if err != nil || len(out) != 2 {
					t.Fatalf("%+v, %v", out, err)
				}
				return out[1].said
			}
		}
		t.Fatalf("the rule is not found: %+v", all)
		return ""
	}
	if got := told(0); !strings.Contains(got, "no limit") {
		t.Errorf("the nearest is not the last: %q", got)
	}
	if got := told(3); !strings.Contains(got, "at most sixty") {
		t.Errorf("what was said on the other branch replaces the rule: %q", got)
	}
}
