package main

import (
	"strings"
	"testing"
	"time"

	"keepmum/home"
	"keepmum/longtest"
	"keepmum/store"
)

// A restore that is killed at any moment leaves the database of before or that of the
// backup, whole, and the next start needs no help. The kills are seeded.
func TestARestoreThatIsKilledLeavesAWholeDatabase(t *testing.T) {
	longtest.Only(t)
	const rounds = 30
	r := longtest.Chance(t)
	dir := upWith(t, "make walrus", "make penguin")
	must(t, dir, "backup")
	must(t, dir, "down")
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
		kill := time.AfterFunc(time.Duration(r.IntN(60))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait() // it was killed, or it was quicker
		kill.Stop()
		if exists(store.RestoreJournal(home.Dir(dir).Database())) {
			cut++
		}
		must(t, dir, "up")
		out := must(t, dir, "search", "--all", "make")
		restored, before := !strings.Contains(out, "bandicoot"), strings.Contains(out, "walrus") &&
			strings.Contains(out, "penguin")
		if !before {
			t.Errorf("round %d: acknowledged events are out of sight (restored: %v):\n%s", round, restored, out)
		}
		if exists(store.RestoreJournal(home.Dir(dir).Database())) {
			t.Errorf("round %d: the journal is there yet", round)
		}
		must(t, dir, "down")
	}
	t.Logf("%d of %d restores were cut short between their renames", cut, rounds)
}
