package distill_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"keepmum/capture"
	"keepmum/distill"
	"keepmum/store"
)

func TestAWaitingSessionOutlastsWhatKeepsItFromBeingRead(t *testing.T) {
	t.Run("pause", func(t *testing.T) {
		r := newRig(t)
		r.claude("shop", "s1", user(always))
		r.sync(distill.SyncOptions{NoExtract: true})
		if err := capture.Pause(r.home, time.Time{}); err != nil {
			t.Fatal(err)
		}
		r.waits("paused")
		path := r.claude("shop", "s1", user(always)) // the file is written again, with nothing new
		if err := os.Chtimes(path, r.now, r.now.Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
		r.waits("paused")
		if err := capture.Resume(r.home); err != nil {
			t.Fatal(err)
		}
		r.taken()
	})
	t.Run("locked database", func(t *testing.T) {
		r := newRig(t)
		db := r.openCode("/home/dev/shop", "t", always, "make", "no", "done")
		r.sync(distill.SyncOptions{NoExtract: true})
		for _, s := range []string{`PRAGMA journal_mode = delete`, `BEGIN EXCLUSIVE`} {
			if _, err := db.Exec(s); err != nil {
				t.Fatal(err)
			}
		}
		r.waits("its file could not be looked for")
		if _, err := db.Exec(`ROLLBACK`); err != nil {
			t.Fatal(err)
		}
		r.taken()
	})
	t.Run("missing home", func(t *testing.T) {
		r := newRig(t)
		r.claude("shop", "s1", user(always))
		r.sync(distill.SyncOptions{NoExtract: true})
		home := filepath.Join(r.agents, "claude")
		if err := os.Rename(home, home+"-away"); err != nil {
			t.Fatal(err)
		}
		r.waits("the directory of its agent is missing")
		if err := os.Rename(home+"-away", home); err != nil {
			t.Fatal(err)
		}
		r.taken()
	})
}

func TestASessionThatIsExcludedMeanwhileDoesNotWait(t *testing.T) {
	for name, grown := range map[string]bool{"unchanged": false, "grown": true} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			path := r.claude("shop", "s1", user(always))
			r.sync(distill.SyncOptions{NoExtract: true})
			if grown {
				r.append(path, "shop", "s1", 1, user("and now the tests"))
			}
			admit := r.world.Admit
			r.world.Admit = func(distill.Origin) (*distill.Admission, string) { return nil, distill.Excluded }
			for range 2 {
				if rep := r.sync(distill.SyncOptions{}); rep.Why[distill.Excluded] != 1 || len(r.jobs(store.SyncSkipped)) != 1 {
					t.Fatalf("%+v\nqueue %+v", rep, r.jobs())
				}
			}
			r.world.Admit = admit
			r.taken()
		})
	}
}

// waits runs once and expects the one session to stay in the queue.
func (r *rig) waits(why string) {
	r.t.Helper()
	if rep := r.sync(distill.SyncOptions{}); rep.Why[why] != 1 || len(r.jobs(store.SyncPending)) != 1 {
		r.t.Fatalf("%+v\nqueue %+v", rep, r.jobs())
	}
}

// taken runs once and expects the one session to be extracted.
func (r *rig) taken() {
	r.t.Helper()
	if rep := r.sync(distill.SyncOptions{}); rep.Extracted != 1 || len(r.jobs(store.SyncDone)) != 1 {
		r.t.Fatalf("%+v\nqueue %+v", rep, r.jobs())
	}
}
