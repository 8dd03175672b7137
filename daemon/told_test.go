package daemon

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/await"
	"keepmum/config"
	"keepmum/recall"
)

var (
	toldSets  = flag.String("told", "", "sets of testdata/told to measure, with commas between them")
	toldWith  = flag.String("told-with", "", "nothing, or summaries and memories; empty = both")
	toldYoung = flag.Int("told-young", 0, "each prompt in a project of its own with so many other chats; 0 = as written")
	toldShort = flag.Bool("told-short", false, "with -told-young: each chat cut to one turn")
	toldLines = flag.Bool("told-lines", false, "print what each prompt is told")
)

// bench is a daemon whose clock the benchmark turns.
type bench struct {
	*rig
	dirs  map[string]string
	shift *atomic.Int64 // how far the clock is behind
}

// TestTold measures what agents are told (make bench-told).
func TestTold(t *testing.T) {
	if *toldSets == "" {
		t.Skip("-told names the sets")
	}
	for _, with := range []string{"nothing", "summaries and memories"} {
		if *toldWith != "" && *toldWith != with {
			continue
		}
		var all toldTotals
		for _, set := range strings.Split(*toldSets, ",") {
			s := readTold(t, filepath.Join("..", "testdata", "told", set))
			if *toldYoung > 0 {
				s = s.young(*toldYoung)
			}
			if *toldShort {
				s = s.short()
			}
			b := startBench(t, s, with == "nothing")
			b.measure(t, s, &all)
			b.end(t)
		}
		t.Logf("beside what was said there is %s\n%s", with, all.String())
	}
}

func startBench(t *testing.T, s toldSet, plain bool) *bench {
	t.Helper()
	b := &bench{dirs: s.repositories(t, time.Now()), shift: &atomic.Int64{}}
	now := func() time.Time { return time.Now().Add(-time.Duration(b.shift.Load())) }
	b.rig = startAt(t, t.TempDir(), now, func(c *config.Config) {
		c.Sync.Enabled, c.Compress.Idle = false, config.Duration(50*time.Millisecond)
		if !plain {
			c.Compress.Provider = "heuristic"
		}
	})
	for _, c := range s.chats {
		b.shift.Store(int64(time.Duration(c.DaysAgo) * 24 * time.Hour))
		b.chat(t, c)
	}
	b.shift.Store(0)
	b.await(t, "every commit", func() bool { return b.stats(t).Commits >= int64(len(s.commits)) })
	b.settle(t, plain)
	return b
}

// settle waits until all is made of what was said that is made on its own.
func (b *bench) settle(t *testing.T, plain bool) {
	t.Helper()
	if plain {
		return
	}
	into[api.Compressed](t, b.post(t, "/compress", api.CompressRequest{}))
	b.await(t, "every summary",
		func() bool { return into[api.Status](t, b.ask(t, "GET", "/status", "")).Queue["pending"] == 0 })
	b.sync(t, api.SyncRequest{})
}

// await polls: what the daemon does when nobody is at work has no other sign.
func (b *bench) await(t *testing.T, what string, done func() bool) {
	t.Helper()
	await.True(t, what, done)
}

// chat replays a chat through the hooks of its agent. An agent reports its last
// message of a turn only.
func (b *bench) chat(t *testing.T, c toldChat) {
	t.Helper()
	says := toldDialect(c.Agent, c.ID, b.dirs[c.Project])
	b.send(t, c.Agent, says.start())
	for i, turn := range c.Turns {
		id := fmt.Sprint("t", i)
		switch {
		case turn.User != "":
			b.send(t, c.Agent, says.prompt(id, turn.User))
		case turn.Tool != "":
			b.send(t, c.Agent, says.tool(id, turn))
		case i+1 == len(c.Turns) || c.Turns[i+1].User != "":
			b.send(t, c.Agent, says.answer(id, turn.Agent))
		}
	}
	b.send(t, c.Agent, says.end())
}

// send posts one event and returns what its agent is told.
func (b *bench) send(t *testing.T, agent string, event map[string]any) string {
	t.Helper()
	body, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	got := b.ask(t, "POST", "/hooks/"+agent, string(body))
	if got.status != http.StatusOK {
		t.Fatalf("status %d: %s", got.status, got.body)
	}
	var said struct {
		Context  string
		Specific struct{ AdditionalContext string } `json:"hookSpecificOutput"`
	}
	if got.body != "" {
		if err := json.Unmarshal([]byte(got.body), &said); err != nil {
			t.Fatal(err)
		}
	}
	return said.Context + said.Specific.AdditionalContext
}

// measure asks for each task what a new session is told, and what `mum ask` shows.
func (b *bench) measure(t *testing.T, s toldSet, all *toldTotals) {
	t.Helper()
	for _, task := range s.tasks {
		got := b.tell(t, task)
		all.task(task, got)
		if *toldLines {
			t.Logf("%s %s: %s\n? %s\n%s\nstart: %s\nask: %s", task.ID, task.Kind, toldWhole(task, got.start+got.text),
				task.Prompt, got.text, got.start, toldWhole(task, got.ask))
		}
	}
	for _, harm := range s.harms {
		got := b.tell(t, harm)
		all.harm(harm, got)
		if *toldLines {
			t.Logf("%s %s: harm %v\n? %s\n%s", harm.ID, harm.Kind, needless(harm, got.text), harm.Prompt, got.text)
		}
	}
	for _, task := range s.tasks {
		b.absent(t, task, all)
	}
}

// absent asks for a task again when its chats are forgotten: then there is nothing to tell.
func (b *bench) absent(t *testing.T, task toldTask, all *toldTotals) {
	t.Helper()
	if len(task.Chats) == 0 {
		return
	}
	b.forget(t, task)
	got := b.tell(t, task)
	all.absent[is(got.text != "")]++
	if *toldLines && got.text != "" {
		t.Logf("%s: forgotten, told\n? %s\n%s", task.ID, task.Prompt, got.text)
	}
}

// forget forgets the chats of a task.
func (b *bench) forget(t *testing.T, task toldTask) {
	t.Helper()
	for _, c := range task.Chats {
		b.ask(t, "POST", "/forget", fmt.Sprintf(`{"session":%q}`, c.ID))
	}
}

func is(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// telling is what a new session was told, and what a person who asks is shown.
type telling struct{ start, text, ask string }

func (b *bench) tell(t *testing.T, task toldTask) (got telling) {
	t.Helper()
	answer := into[api.Answer](t,
		b.post(t, "/ask", api.Question{Question: task.Prompt, Directory: b.dirs[task.Project], NoModel: true}))
	for _, c := range answer.Citations {
		got.ask += c.Title + "\n" + c.Text + "\n"
	}
	session := "new-" + task.ID
	says := toldDialect("claude", session, b.dirs[task.Project])
	got.start = b.send(t, "claude", says.start())
	got.text = b.send(t, "claude", says.prompt("p", task.Prompt))
	b.ask(t, "POST", "/forget", fmt.Sprintf(`{"session":%q}`, session)) // the next prompt is not to find this one
	return got
}

// toldWhole is how much of a rule stands in a text: all of its parts, some, or none.
func toldWhole(task toldTask, text string) string {
	n := 0
	for _, part := range task.Parts {
		if holdsAny(text, part) {
			n++
		}
	}
	switch n {
	case 0:
		return "not"
	case len(task.Parts):
		return "fully"
	}
	return "in part"
}

func holdsAny(text string, words []string) bool {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, strings.ToLower(w)) })
}

// needless says that a text does harm, or costs and helps nobody.
func needless(harm toldTask, text string) bool {
	switch harm.Kind {
	case "nothing":
		return text != ""
	case "contradicting": // one of two opinions
		n := 0
		for _, w := range harm.OK {
			if holdsAny(text, w) {
				n++
			}
		}
		return n > 0 && n < len(harm.OK)
	default:
		return holdsAny(text, harm.MustNot) &&
			!slices.ContainsFunc(harm.OK, func(w toldWords) bool { return holdsAny(text, w) })
	}
}

// toldTotals are the figures of a run.
type toldTotals struct {
	told, asked   map[string]map[string]int // kind → how much → tasks
	newest, stale int                       // of amended rules: the newest told in full; the old one told alone
	tokens, start []int                     // of what a prompt and a start were told
	harms         map[string][2]int         // kind → all, harmful
	wasted        int                       // tokens of the harmful
	absent        [2]int                    // prompts whose rule was forgotten: told nothing, told something
}

func count(m *map[string]map[string]int, kind, how string) {
	if *m == nil {
		*m = map[string]map[string]int{}
	}
	for _, k := range []string{kind, "all"} {
		if (*m)[k] == nil {
			(*m)[k] = map[string]int{}
		}
		(*m)[k][how]++
		(*m)[k]["n"]++
	}
}

func (s *toldTotals) task(task toldTask, got telling) {
	text := got.start + got.text
	how := toldWhole(task, text)
	count(&s.told, task.Kind, how)
	count(&s.asked, task.Kind, toldWhole(task, got.ask))
	s.spent(got)
	if task.Kind != "amended" {
		return
	}
	if how == "fully" {
		s.newest++
	} else if how == "not" && holdsAny(text, task.Stale) {
		s.stale++
	}
}

func (s *toldTotals) harm(harm toldTask, got telling) {
	if s.harms == nil {
		s.harms = map[string][2]int{}
	}
	n := s.harms[harm.Kind]
	n[0]++
	if needless(harm, got.text) {
		n[1]++
		s.wasted += recall.Tokens(got.text)
	}
	s.harms[harm.Kind] = n
	s.start = append(s.start, recall.Tokens(got.start))
}

func (s *toldTotals) spent(got telling) {
	s.start = append(s.start, recall.Tokens(got.start))
	if got.text != "" {
		s.tokens = append(s.tokens, recall.Tokens(got.text))
	}
}

func (s *toldTotals) String() string {
	var b strings.Builder
	for _, kind := range []string{"rule", "amended", "commit", "symptom", "oneword", "all"} {
		told, asked := s.told[kind], s.asked[kind]
		fmt.Fprintf(&b, "%-8s %3d: told fully %3d, in part %3d, not %3d; ask fully %3d, in part %3d\n", kind, told["n"],
			told["fully"], told["in part"], told["not"], asked["fully"], asked["in part"])
	}
	fmt.Fprintf(&b, "amended: the newest told %d, the old one alone %d\n", s.newest, s.stale)
	fmt.Fprintf(&b, "tokens of a told prompt: %s; of a start: %s\n", meanAndMost(s.tokens), meanAndMost(s.start))
	all, bad := 0, 0
	for _, kind := range []string{"nothing", "superseded", "contradicting", "adjacent"} {
		n := s.harms[kind]
		all, bad = all+n[0], bad+n[1]
		fmt.Fprintf(&b, "%s: needless %d of %d; ", kind, n[1], n[0])
	}
	fmt.Fprintf(&b, "harms: needless %d of %d, %d tokens on average\n", bad, all, s.wasted/max(all, 1))
	fmt.Fprintf(&b, "the rule's chats forgotten: told something %d of %d", s.absent[1], s.absent[0]+s.absent[1])
	return b.String()
}

func meanAndMost(n []int) string {
	if len(n) == 0 {
		return "none"
	}
	sum := 0
	for _, v := range n {
		sum += v
	}
	return fmt.Sprintf("mean %d, most %d (%d)", sum/len(n), slices.Max(n), len(n))
}
