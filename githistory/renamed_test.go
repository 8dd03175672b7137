package githistory_test

import (
	"fmt"
	"testing"
	"time"

	"keepmum/githistory"
)

// A name that is used again for each piece of work moves what was learned under it to the branch that had it then.
func TestABranchWhoseNameIsUsedAgainIsFoundByTheTime(t *testing.T) {
	r := newRepo(t)
	r.save(t, "first", "a.go", text())
	began := time.Now().Truncate(time.Second).Add(-time.Hour)
	minute := func(n int) time.Time { return began.Add(time.Duration(n) * time.Minute) }
	rename := func(at time.Time, to string) {
		t.Setenv("GIT_COMMITTER_DATE", fmt.Sprintf("@%d +0000", at.Unix()))
		r.git(t, "switch", "-q", "-c", "wip", "main")
		r.git(t, "branch", "-m", "wip", to)
	}
	rename(minute(10), "b")
	rename(minute(20), "a")
	rename(minute(30), "c")
	rename(minute(30), "d")
	tip := r.git(t, "rev-parse", "main")
	for _, c := range []struct {
		seen time.Time
		want string
	}{{minute(5), "b"}, {minute(10), "a"}, {minute(11), "a"}, {minute(20), ""}, {minute(21), ""}, {minute(31), ""}} {
		mark := githistory.Mark{Name: "wip", Tip: tip, Seen: c.seen}
		if c.want == "" {
			r.see(t, mark, githistory.Merged)
		} else if now := r.see(t, mark, githistory.Open); now.Name != c.want {
			t.Errorf("seen at %s it is called %s, not %s", c.seen.Format(time.TimeOnly), now.Name, c.want)
		}
	}
	r.git(t, "switch", "-q", "main")
	r.git(t, "branch", "-D", "d")
	if now := r.see(t, githistory.Mark{Name: "wip", Tip: tip, Seen: minute(30).Add(time.Millisecond)},
		githistory.Open); now.Name != "c" {
		t.Errorf("in the second in which it was renamed it is called %s", now.Name)
	}
}
