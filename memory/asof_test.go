package memory_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"keepmum/longtest"
	"keepmum/memory"
	"keepmum/privacy"
)

// replay knows what was valid at each moment, by title, as an observer would. It knows nothing of files and intervals.
type replay struct {
	days []map[string]bool
	key  map[string]string // title → key
}

func (r *replay) from(day int, change func(map[string]bool)) {
	for d := day; d < len(r.days); d++ {
		change(r.days[d])
	}
}

// holder returns the statement of a key that was valid on a day.
func (r *replay) holder(day int, key string) string {
	for title := range r.days[day] {
		if key != "" && r.key[title] == key {
			return title
		}
	}
	return ""
}

// says makes a statement valid from a day on, and ends any other one with its key.
func (r *replay) says(day int, title string) {
	r.from(day, func(now map[string]bool) {
		for other := range now {
			if r.key[title] != "" && r.key[other] == r.key[title] {
				delete(now, other)
			}
		}
		now[title] = true
	})
}

// said adds a statement about an earlier day: it was valid until another one began, or until the valid one was
// archived.
func (r *replay) said(day int, title string) {
	held := make([]string, len(r.days))
	for d := range r.days {
		held[d] = r.holder(d, r.key[title])
	}
	if held[day] == title {
		return
	}
	begins := func(d int) bool { return held[d] != "" && held[d] != held[d-1] }
	end := day + 1
	for ; end < len(held) && !begins(end); end++ {
	}
	if end == len(held) && held[day] != "" {
		for end = day; end < len(held) && held[end] == held[day]; end++ {
		}
	}
	for d := day; d < end; d++ {
		delete(r.days[d], held[d])
		r.days[d][title] = true
	}
}

// life is one random history, in a tree and in a replay.
type life struct {
	t    *testing.T
	r    *rand.Rand
	tree *memory.Tree
	past replay
	day  int
	next int
	log  []string
}

// Each day has one moment for what is done on it and others for what is read about it on later days, so that no two
// things happen at once.
const (
	lifeDays = 24
	moments  = lifeDays + 1
)

func at(moment int) time.Time {
	return noon().AddDate(0, 0, moment/moments).Add(time.Duration(moment%moments) * 10 * time.Minute)
}

func (l *life) by() memory.Stamp { return memory.Stamp{Now: at(l.now()), By: privacy.Const("cli")} }

func (l *life) pick(archived bool, fits func(memory.Memory) bool) (memory.Memory, bool) {
	list := load(l.t, l.tree)
	some := list.Active
	if archived {
		some = list.Archived
	}
	some = slices.DeleteFunc(slices.Clone(some), func(m memory.Memory) bool { return !fits(m) })
	if len(some) == 0 {
		return memory.Memory{}, false
	}
	return some[l.r.IntN(len(some))], true
}

func (l *life) now() int { return l.day * moments }

// words makes statements that have no word in common.
func words(n int) string {
	return fmt.Sprintf("alpha%[1]d bravo%[1]d charlie%[1]d delta%[1]d", 7919*n+13)
}

func (l *life) candidate(title, key string, when time.Time) memory.Candidate {
	return memory.Candidate{Primitive: memory.Learning, Kind: memory.Fact, Title: clean(l.t, title), Key: key,
		Confidence: 0.9, Told: true, At: when}
}

// say writes a statement as every writer does: after a decision.
func (l *life) say(c memory.Candidate) {
	list := load(l.t, l.tree)
	v := memory.NewJudge(list.Memories(), nil).Decide(c)
	var target memory.Memory
	for _, m := range list.Memories() {
		if m.ID == v.Target {
			target = m
		}
	}
	var err error
	switch v.Action {
	case memory.Add:
		_, err = l.tree.Add(c, l.by())
	case memory.Update:
		_, err = l.tree.Update(target, c, l.by())
	case memory.Supersede:
		_, err = l.tree.Supersede(c, l.by(), target)
	case memory.History:
		_, err = l.tree.History(c, l.by(), target)
	case memory.Reject:
		l.t.Fatalf("%v", v)
	}
	if err != nil {
		l.t.Fatalf("%v: %v", v, err)
	}
}

func (l *life) step() {
	anyone := func(memory.Memory) bool { return true }
	free := func(m memory.Memory) bool { return m.Key == "" }
	key := fmt.Sprintf("room/%d", l.r.IntN(2))
	value := words(1000*(1+l.r.IntN(3)) + int(key[len(key)-1]))
	l.past.key[value] = key
	switch l.r.IntN(9) {
	case 0: // something new
		l.next++
		l.say(l.candidate(words(l.next), "", at(l.now())))
		l.past.says(l.now(), words(l.next))
	case 1, 2: // one of three values of a key
		l.note("said on day %d: %s", l.day, value)
		l.say(l.candidate(value, key, at(l.now())))
		l.past.says(l.now(), value)
	case 3, 4: // read later
		if l.day > 1 {
			then := l.r.IntN(l.day)*moments + 1 + l.day
			l.note("read on day %d: said on day %d: %s", l.day, then/moments, value)
			l.say(l.candidate(value, key, at(then)))
			l.past.said(then, value)
		}
	case 5:
		if m, ok := l.pick(false, anyone); ok {
			body := clean(l.t, "It says more than it did on day "+fmt.Sprint(l.day)+".")
			_, err := l.tree.Edit(m, memory.Edit{Body: &body}, l.by())
			l.must(err)
		}
	case 6:
		if m, ok := l.pick(false, anyone); ok {
			l.note("archived on day %d: %s", l.day, m.Title)
			_, err := l.tree.Archive(m, l.by())
			l.must(err)
			l.past.from(l.now(), func(now map[string]bool) { delete(now, m.Title) })
		}
	case 7:
		if m, ok := l.pick(true, anyone); ok {
			l.note("restored on day %d: %s", l.day, m.Title)
			_, err := l.tree.Restore(m, l.by())
			l.must(err)
			l.past.says(l.now(), m.Title)
		}
	case 8:
		from, ok1 := l.pick(false, free)
		into, ok2 := l.pick(false, func(m memory.Memory) bool { return free(m) && m.ID != from.ID })
		if ok1 && ok2 {
			plan := memory.Plan{Steps: []memory.Step{{Action: memory.OpMerge, Source: from.ID, Target: into.ID}}}
			_, err := memory.Apply(l.tree, load(l.t, l.tree), plan, l.by())
			l.must(err)
			l.past.from(0, func(then map[string]bool) {
				if then[from.Title] {
					delete(then, from.Title)
					then[into.Title] = true
				}
			})
		}
	}
}

// note records what happened, for debugging.
func (l *life) note(format string, args ...any) { l.log = append(l.log, fmt.Sprintf(format, args...)) }

func (l *life) must(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

// TestAsOfIsAReplayOfTheLog checks random histories (added, superseded, read late, edited, merged, archived, restored):
// what was valid at each moment, including the ends of days.
func TestAsOfIsAReplayOfTheLog(t *testing.T) {
	first := uint64(time.Now().UnixNano())
	if s := os.Getenv("MUM_TEST_SEED"); s != "" {
		first, _ = strconv.ParseUint(s, 10, 64)
	}
	t.Logf("first seed %d", first)
	for i := range longtest.Rounds(2, 150) {
		seed := first + uint64(i)
		l := life{t: t, r: rand.New(rand.NewPCG(seed, 7)), tree: newTree(t), past: replay{key: map[string]string{}}}
		for range lifeDays * moments {
			l.past.days = append(l.past.days, map[string]bool{})
		}
		for l.day = range lifeDays {
			l.step()
			oneActive(t, load(t, l.tree), seed)
		}
		list := load(t, l.tree)
		for d := range l.past.days {
			got := map[string]bool{}
			for _, m := range list.Memories() {
				if m.HeldAt(at(d).Add(time.Minute)) {
					got[m.Title] = true
				}
			}
			if !maps.Equal(got, l.past.days[d]) {
				t.Fatalf("seed %d, moment %d: as of then %v, replayed %v\n%s", seed, d, slices.Sorted(maps.Keys(got)),
					slices.Sorted(maps.Keys(l.past.days[d])), strings.Join(l.log, "\n"))
			}
		}
	}
}

func oneActive(t *testing.T, l memory.Listing, seed uint64) {
	t.Helper()
	seen := map[string]string{}
	for _, m := range l.Active {
		if m.Key != "" && seen[m.Key] != "" {
			t.Fatalf("seed %d: %s and %s are both in use for %s", seed, seen[m.Key], m.ID, m.Key)
		}
		seen[m.Key] = m.ID
	}
}
