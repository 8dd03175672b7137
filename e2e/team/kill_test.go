//go:build unix

package team

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/longtest"
	"keepmum/team/pgtest"
)

// TestKilledWhilePushingAndPulling kills the daemons of two machines of one member, and of another member, in the
// middle of exchanges: what was written is everywhere in the end, once, and what was forgotten nowhere.
func TestKilledWhilePushingAndPulling(t *testing.T) {
	rng := longtest.Chance(t)
	c := newTeam(t, "anna", "ben")
	all := []*machine{c.machine("anna", "laptop"), c.machine("anna", "desk"), c.machine("ben", "ben-desk")}
	var want []string
	by, killed := map[string][]string{}, 0 // what each member wrote: only they can forget it for all
	rounds := longtest.Rounds(6, 40)
	for n := 0; n < rounds || killed == 0 && n < 10*rounds; n++ { // on a fast machine most exchanges end first
		m := all[rng.IntN(len(all))]
		for range 3 {
			text := sentence(rng)
			m.fact(text)
			want, by[m.member()] = append(want, text), append(by[m.member()], text)
		}
		if mine := m.written(by[m.member()]); rng.IntN(2) == 0 && len(mine) > 0 {
			gone := mine[rng.IntN(len(mine))]
			m.forget(gone)
			want = slices.DeleteFunc(want, func(w string) bool { return w == gone })
		}
		killed += m.killedIn(rng, all[rng.IntN(len(all))])
	}
	for _, m := range all {
		m.mum("up")
	}
	rest(all...)
	for _, m := range all {
		m.has(want...)
	}
	rows := pgtest.Exec(t, c.owner, `SELECT count(*) FROM mum.items WHERE NOT deleted`)[0][0]
	if rows != fmt.Sprint(len(want)) || killed == 0 {
		t.Errorf("%s items for %d memories, %d daemons were killed", rows, len(want), killed)
	}
	t.Logf("%d daemons killed in the middle of an exchange, %d memories on %d machines", killed, len(want), len(all))
}

// sentence is of words that no other sentence has: what is alike is written once.
func sentence(rng *rand.Rand) string {
	var words []string
	for range 5 {
		w := ""
		for range 3 {
			w += string("bdfgklmnprstvz"[rng.IntN(14)]) + string("aeiou"[rng.IntN(5)])
		}
		words = append(words, w)
	}
	return "The " + strings.Join(words, " ")
}

// member is whose machine it is.
func (m *machine) member() string {
	m.t.Helper()
	return ask[api.Team](m, "team", "status").Member
}

// written are those of some texts that this machine has.
func (m *machine) written(texts []string) (out []string) {
	for _, title := range m.facts() {
		if slices.Contains(texts, title) {
			out = append(out, title)
		}
	}
	return out
}

// killedIn begins an exchange here and at another machine, and kills both daemons somewhere in it. It returns how many
// did not come to their end.
func (m *machine) killedIn(rng *rand.Rand, other *machine) (cut int) {
	m.t.Helper()
	list := []*machine{m, other}
	if m == other {
		list = list[:1]
	}
	ends := make(chan error, len(list))
	for _, x := range list {
		x.mum("up")
		go func() {
			_, _, err := x.try("team", "sync", "--json")
			ends <- err
		}()
	}
	time.Sleep(time.Duration(rng.IntN(150)) * time.Millisecond) // somewhere: each run at other places
	for _, x := range list {
		x.kill()
	}
	for range list {
		if <-ends != nil {
			cut++
		}
	}
	for _, x := range list {
		x.mum("up")
	}
	return cut
}

// TestASyncThatWatchesSaysWhatChanged and ends when it is told to.
func TestASyncThatWatchesSaysWhatChanged(t *testing.T) {
	c := newTeam(t, "anna", "ben")
	a, b := c.machine("anna", "laptop"), c.machine("ben", "ben-desk")
	lines, stop := b.watch()
	a.fact(portFact)
	a.sync()
	read := 0
	for read < 1 { // the daemon itself may have read it first: then the next one counts
		select {
		case line := <-lines:
			read += strings.Count(line, `"pulled":1`)
		case <-time.After(20 * time.Second):
			a.fact(sentence(longtest.Chance(t)))
			a.sync()
		}
	}
	if err := stop(); err != nil {
		t.Errorf("an interrupted watch ends with %v", err)
	}
}
