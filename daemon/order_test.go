package daemon

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"keepmum/api"
	"keepmum/config"
	"keepmum/longtest"
)

// happening is something that is told to a daemon at a moment.
type happening struct {
	at  time.Time
	say func(*rig)
}

// entryNumber is what depends on which of two things came first; a digest counts the digits of it as well.
var entryNumber = regexp.MustCompile(`\(\d+\)|"(?:entry|row|session_row|id|tokens)":\d+`)

// chanceLines are some random happenings: each of them keeps its order, and what is in two of them
// comes in any. Some memories are of one moment.
func chanceLines(t *testing.T, r *rand.Rand, dir string) (lines [][]happening) {
	begin := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	word := func() string { return fmt.Sprintf("alpha%[1]d bravo%[1]d charlie%[1]d", r.IntN(1_000_000)) }
	for range 6 {
		in := api.MemoryAdd{Title: "The till knows " + word(), Directory: dir, Kind: "fact"}
		at := begin.AddDate(0, 0, r.IntN(2))
		lines = append(lines, []happening{{at, func(rig *rig) { rig.remember(t, in) }}})
	}
	kinds := []string{"task", "finding", "decision", "next", "checkpoint"}
	for s := range 3 {
		session := fmt.Sprintf("session-%d", s)
		opening := prompt(session, "p", "look at "+word())
		opening["cwd"] = dir
		line := []happening{{say: func(rig *rig) { rig.hook(t, opening) }}}
		for range 4 {
			in := api.Note{Type: kinds[r.IntN(len(kinds))], Text: word(), Session: session, Directory: dir}
			line = append(line, happening{say: func(rig *rig) { rig.post(t, "/note", in) }})
		}
		failed := "make " + word()
		line = append(line, happening{say: func(rig *rig) {
			rig.ran(t, dir, session, failed, "Exit code 1\nno such rule")
		}})
		for i := range line {
			line[i].at = begin.Add(time.Duration(s)*time.Hour + time.Duration(i)*time.Minute)
		}
		lines = append(lines, line)
	}
	return lines
}

// TestDigestAndOverviewAreTheSameBytes tells two daemons the same in two orders, and asks each of
// them twice. Only the numbers of entries may differ between the two.
func TestDigestAndOverviewAreTheSameBytes(t *testing.T) {
	r := longtest.Chance(t)
	for range longtest.Rounds(1, 20) {
		dir := repository(t)
		lines := chanceLines(t, r, dir)
		first, second := tell(t, r, dir, lines), tell(t, r, dir, lines)
		for path, want := range first {
			if diff := cmp.Diff(strings.Split(want, ","), strings.Split(second[path], ",")); diff != "" {
				t.Errorf("%s in another order: %s", path, diff)
			}
		}
	}
}

// undisturbed turns off what adds to the data on its own: a run that is due when the clock jumps writes memories, and
// what an agent is told is counted.
func undisturbed(c *config.Config) { c.Sync.Enabled, c.Context.Enabled = false, false }

// tell is what a new daemon answers, by the path, once it was told everything in a random order.
func tell(t *testing.T, r *rand.Rand, dir string, lines [][]happening) map[string]string {
	t.Helper()
	var clock atomic.Int64
	rig := startAt(t, t.TempDir(), func() time.Time { return time.Unix(0, clock.Load()).UTC() }, undisturbed)
	var order []int
	for i, line := range lines {
		for range line {
			order = append(order, i)
		}
	}
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	at := make([]int, len(lines))
	for _, i := range order {
		h := lines[i][at[i]]
		at[i]++
		clock.Store(h.at.UnixNano())
		h.say(rig)
	}
	clock.Store(lines[0][0].at.AddDate(0, 0, 9).UnixNano())
	where, out := "directory="+url.QueryEscape(dir), map[string]string{}
	for _, path := range []string{"/sessions/digest?session=session-0&", "/sessions/digest?session=session-2&",
		"/overview?", "/overview?task=alpha&"} {
		body := rig.ask(t, "GET", path+where, "").body
		if again := rig.ask(t, "GET", path+where, "").body; again != body {
			t.Errorf("%s, asked again:\n%s\n%s", path, body, again)
		}
		if !strings.Contains(body, "alpha") {
			t.Fatalf("%s says nothing: %s", path, body)
		}
		if strings.Contains(path, "task=") {
			continue // of hits that are equally good the first to come is first
		}
		out[path] = entryNumber.ReplaceAllString(strings.ReplaceAll(body, string(rig.home), "~/.mum"), "#")
	}
	rig.end(t)
	return out
}
