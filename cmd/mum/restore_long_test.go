package main

import (
	"strings"
	"testing"
	"time"

	"keepmum/home"
	"keepmum/longtest"
	"keepmum/store"
)

// A restore that is killed at any moment leaves either the previous database or that of the backup, complete, and the
// next start needs no help. The kills are seeded.
func TestARestoreThatIsKilledLeavesAWholeDatabase(t *testing.T) {
	longtest.Only(t)
	rounds := longtest.Rounds(1, 30)
	r := longtest.Chance(t)
	dir := upWith(t, "make walrus", "make penguin")
	must(t, dir, "backup")
	must(t, dir, "down")
	began := time.Now()
	must(t, dir, "restore", "--yes")
	whole := time.Since(began) // the time it takes here, so that a busy machine is killed at as many places
	cut := 0
	for round := range rounds {
		must(t, dir, "up")
		if err := observe(t, dir, "make bandicoot"); err != nil {
			t.Fatal(err)
		}
		must(t, dir, "down")
		cmd := mum(dir, "restore", "--yes")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		kill := time.AfterFunc(time.Duration(r.Int64N(int64(whole))), func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait() // it was killed, or it was quicker
		kill.Stop()
		if exists(store.RestoreJournal(home.Dir(dir).Database())) {
			cut++
		}
		must(t, dir, "up")
		for _, word := range []string{"walrus", "penguin"} {
			if out := must(t, dir, "search", "--all", word); !strings.Contains(out, "make "+word) {
				t.Errorf("round %d: an acknowledged event is out of sight:\n%s", round, out)
			}
		}
		if exists(store.RestoreJournal(home.Dir(dir).Database())) {
			t.Errorf("round %d: the journal is there yet", round)
		}
		must(t, dir, "down")
	}
	t.Logf("%d of %d restores were cut short between their renames", cut, rounds)
}
