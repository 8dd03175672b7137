package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"keepmum/privacy"
)

var longAgo = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func memoryFile(name, title, body string, change ...func(*MemoryFile)) MemoryFile {
	f := MemoryFile{Name: clean(name), Path: clean("decisions/20260301-" + name + ".md"), Form: clean("decision"),
		State: MemoryActive, Confidence: 0.8, Origin: clean("cli"), Title: clean(title), Body: clean(body), Created: longAgo,
		Updated: longAgo}
	for _, c := range change {
		c(&f)
	}
	return f
}

func memoryRoot(t *testing.T, db *DB, project string) MemoryRoot {
	t.Helper()
	id, err := db.PutProject(t.Context(), Project{Name: clean(project)})
	if err != nil {
		t.Fatal(err)
	}
	root, err := db.PutMemoryRoot(t.Context(), id, RootHome, clean(fmt.Sprintf("projects/%d/memory", id)), false)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func reread(t *testing.T, db *DB, root MemoryRoot, files ...MemoryFile) MemoryChanges {
	t.Helper()
	c, err := db.IndexMemories(t.Context(), root.ID, files, IndexOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func memories(t *testing.T, db *DB, f MemoryFilter) []MemoryRow {
	t.Helper()
	rows, err := db.Memories(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestAMemoryIsFoundWithEverythingElse(t *testing.T) {
	db := openTest(t)
	root := memoryRoot(t, db, "shop")
	prompt := put(t, db, "shop", "s", "which rounding did we choose for the invoice totals?")
	reread(t, db, root,
		memoryFile("round-half-even", "Invoice totals round half to even", "Because the tax office does.",
			func(f *MemoryFile) { f.Tags = []privacy.Clean{clean("bookkeeping")} }))
	found := ids(search(t, db, Query{Text: "rounding of invoice totals", Project: "shop"}))
	m := memories(t, db, MemoryFilter{})
	if len(m) != 1 || !slices.Contains(found, m[0].ID) || !slices.Contains(found, prompt) {
		t.Fatalf("got %v, want %d and memory %+v", found, prompt, m)
	}
	for name, q := range map[string]Query{"its tag": {Text: "bookkeeping"},
		"its kind": {Text: "invoice", Type: KindMemory}, "no words": {Type: KindMemory}} {
		if got := ids(search(t, db, q)); !slices.Equal(got, []int64{m[0].ID}) {
			t.Errorf("by %s: got %v", name, got)
		}
	}
	for _, text := range []string{"???", "***", strings.Repeat("a", 300)} {
		if got := search(t, db, Query{Text: text}); !got.NoWords || len(got.Hits)+got.Total > 0 {
			t.Errorf("%.10q: got %+v", text, got)
		}
	}
	rows, err := db.Observations(t.Context(), []int64{m[0].ID})
	if err != nil || len(rows) != 1 || rows[0].Project != "shop" || rows[0].Agent != "" {
		t.Errorf("got %+v, %v", rows, err)
	}
	if m[0].Body() != "Because the tax office does." || !slices.Equal(m[0].Tags(), []string{"bookkeeping"}) {
		t.Errorf("got %q and %v", m[0].Body(), m[0].Tags())
	}
	checkIndex(t, db)
}

func TestMemoriesOfNoProjectAreSearchedOnRequest(t *testing.T) {
	db := openTest(t)
	memoryRoot(t, db, "shop")
	global, err := db.PutMemoryRoot(t.Context(), NoProjectRow, RootGlobal, clean("memory"), false)
	if err != nil {
		t.Fatal(err)
	}
	reread(t, db, global, memoryFile("tabs", "Indent with tabs everywhere", "The user prefers tabs."))
	for name, c := range map[string]struct {
		q    Query
		want int
	}{"a project": {Query{Text: "tabs", Project: "shop"},
		0}, "a project and everywhere": {Query{Text: "tabs", Project: "shop", Everywhere: true}, 1},
		"an unknown project": {Query{Text: "tabs", ProjectID: NoProject, Everywhere: true}, 1},
		"all":                {Query{Text: "tabs"}, 1}} {
		if got := search(t, db, c.q); len(got.Hits) != c.want {
			t.Errorf("%s: got %d, want %d", name, len(got.Hits), c.want)
		}
	}
}

func TestWhatIsNoLongerInForceIsKeptAndNotFound(t *testing.T) {
	db := openTest(t)
	root := memoryRoot(t, db, "shop")
	f := memoryFile("use-mysql", "Use MySQL for orders", "It was there already.")
	reread(t, db, root, f)
	id := memories(t, db, MemoryFilter{})[0].ID
	if err := db.Accessed(t.Context(), map[int64]int{id: 3}, longAgo.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	f.State, f.Path, f.SupersededBy = MemorySuperseded, clean("archived/decisions/20260301-use-mysql.md"),
		clean("use-postgres")
	if c := reread(t, db, root, f); c.Changed != 1 {
		t.Errorf("got %+v", c)
	}
	for _, q := range []Query{{Text: "MySQL"}, {Type: KindMemory}, {Text: "mysql", Type: KindMemory}} {
		if got := search(t, db, q); len(got.Hits) != 0 {
			t.Errorf("%+v: got %+v", q, got.Hits)
		}
	}
	m := memories(t, db, MemoryFilter{AnyState: true})
	if len(m) != 1 || m[0].ID != id || m[0].Accesses != 3 || m[0].SupersededBy != "use-postgres" ||
		m[0].Text != "It was there already." {
		t.Errorf("got %+v", m)
	}
	checkIndex(t, db)
	f.State = MemoryActive
	reread(t, db, root, f)
	if got := ids(search(t, db, Query{Text: "MySQL"})); !slices.Equal(got, []int64{id}) {
		t.Errorf("restored: got %v", got)
	}
	checkIndex(t, db)
}

// TestTheIndexIsTheSameHoweverItWasMade changes a tree step by step and compares the index with one made from the final
// state only.
func TestTheIndexIsTheSameHoweverItWasMade(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	db, fresh := openTest(t), openTest(t)
	root, freshRoot := memoryRoot(t, db, "shop"), memoryRoot(t, fresh, "shop")
	tree := map[string]MemoryFile{}
	for step := range 60 {
		name := fmt.Sprint("m", random.IntN(12))
		switch f, ok := tree[name]; {
		case ok && random.IntN(4) == 0:
			delete(tree, name)
		case ok && random.IntN(3) == 0:
			f.Path = clean(fmt.Sprintf("learnings/renamed-%d.md", step))
			tree[name] = f
		case ok && random.IntN(2) == 0:
			f.State = []MemoryState{MemoryActive, MemoryArchived, MemorySuperseded}[random.IntN(3)]
			tree[name] = f
		default:
			tree[name] = memoryFile(name, fmt.Sprintf("Title number %d", step), fmt.Sprintf("word%d of the body", step))
		}
		reread(t, db, root, sorted(tree)...)
	}
	reread(t, fresh, freshRoot, sorted(tree)...)
	if _, err := db.IndexMemories(t.Context(), root.ID, sorted(tree), IndexOptions{All: true}); err != nil {
		t.Fatal(err)
	}
	if again := reread(t, db, root, sorted(tree)...); again.Same != len(tree) {
		t.Errorf("a second run changed something: %+v", again)
	}
	byName := cmpopts.SortSlices(func(a, b MemoryRow) bool { return a.Name < b.Name })
	if diff := cmp.Diff(memories(t, fresh, MemoryFilter{AnyState: true}), memories(t, db, MemoryFilter{AnyState: true}),
		byName, cmpopts.IgnoreFields(MemoryRow{}, "ID")); diff != "" {
		t.Error(diff)
	}
	for step := range 60 {
		q := Query{Text: fmt.Sprint("word", step)}
		if a, b := len(search(t, db, q).Hits), len(search(t, fresh, q).Hits); a != b {
			t.Errorf("%s: %d and %d hits", q.Text, a, b)
		}
	}
	checkIndex(t, db)
}

func sorted(tree map[string]MemoryFile) []MemoryFile {
	var out []MemoryFile
	for _, f := range tree {
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b MemoryFile) int { return strings.Compare(a.Name.String(), b.Name.String()) })
	return out
}

func TestAFileThatIsAwayForAMomentKeepsItsMemory(t *testing.T) {
	db := openTest(t)
	root := memoryRoot(t, db, "shop")
	f := memoryFile("tabs", "Indent with tabs", "The user prefers tabs.")
	reread(t, db, root, f)
	id := memories(t, db, MemoryFilter{})[0].ID
	if _, err := db.IndexMemories(t.Context(), root.ID, nil, IndexOptions{KeepMissing: true}); err != nil {
		t.Fatal(err)
	}
	reread(t, db, root, f)
	if m := memories(t, db, MemoryFilter{}); len(m) != 1 || m[0].ID != id {
		t.Errorf("got %+v", m)
	}
	if c := reread(t, db, root); c.Removed != 1 {
		t.Errorf("got %+v", c)
	}
}

func TestForgettingASessionTakesWhatWasLearnedInIt(t *testing.T) {
	db := openTest(t)
	root := memoryRoot(t, db, "shop")
	said := put(t, db, "shop", "s1", "we decided on the wombatformat for exports")
	other := put(t, db, "shop", "s1", "and tabs for indentation")
	from := func(ref string) func(*MemoryFile) {
		return func(f *MemoryFile) { f.Sources = []MemorySource{{clean("claude/s1"), clean(ref)}} }
	}
	reread(t, db, root,
		memoryFile("wombat", "Exports use the wombatformat", "The wombatformat is readable by the warehouse.",
			from(fmt.Sprint("#", said))),
		memoryFile("tabs", "Indent with tabs", "The user prefers tabs over spaces.", from(fmt.Sprint("#", other))),
		memoryFile("width", "Tabs are four wide", "A line of the transcript and its document.",
			from(fmt.Sprint("38#", other))),
		memoryFile("topic", "Never use spaces", "Came up while working on: We decided on the wombatformat.",
			from(fmt.Sprint("39#", other))),
		memoryFile("place", "The warehouse reads exports", "The same, of what goes.", from(fmt.Sprint("12#", said))),
		memoryFile("number", "Learned on a line that has another document's number", "A line of the transcript too.",
			from(fmt.Sprint(other))),
		memoryFile("line", "Learned on some line", "A line of the transcript, not a document.", from("L12")),
		memoryFile("old", "Exports use the ostrichformat", "Before the wombatformat.",
			func(f *MemoryFile) { f.State, f.SupersededBy = MemorySuperseded, clean("wombat") }),
		memoryFile("elsewhere", "Learned elsewhere", "Nothing to do with it.",
			func(f *MemoryFile) { f.Sources = []MemorySource{{clean("claude/s2"), clean("3")}} }))
	plan, err := db.PlanForget(t.Context(), Selection{IDs: []int64{said}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"line", "number", "old", "place", "topic", "wombat"}
	if got := namesOf(t, db, plan.Memories); !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if err := db.BuryMemories(t.Context(), plan.Memories, nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := db.Forget(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	if n := bytesOnDisk(t, db, "wombatformat"); n != 0 {
		t.Errorf("it stands %d times on disk", n)
	}
	checkIndex(t, db)
	again := reread(t, db, root,
		memoryFile("wombat", "Exports use the wombatformat", "The wombatformat is readable by the warehouse."))
	if !slices.Equal(again.Refused, []string{"wombat"}) || again.Added != 0 {
		t.Errorf("a file that was put back: got %+v", again)
	}
}

func TestForgettingASessionThatWasOnlyReadTakesWhatWasLearnedInIt(t *testing.T) {
	db := openTest(t)
	root := memoryRoot(t, db, "shop")
	from := func(session string) func(*MemoryFile) {
		return func(f *MemoryFile) { f.Sources = []MemorySource{{clean(session), clean("12")}} }
	}
	reread(t, db, root, memoryFile("a", "Learned in a file", "Of one session.", from("claude/s9")),
		memoryFile("b", "Learned in another", "Of another agent.", from("codex/s9")),
		memoryFile("c", "Learned elsewhere", "Of another session.", from("claude/xs9")))
	for name, c := range map[string]struct {
		sel  Selection
		want []string
	}{"a session": {Selection{Session: "s9"},
		[]string{"a", "b"}}, "of an agent": {Selection{Session: "s9", Agent: "codex"}, []string{"b"}},
		"with words": {Selection{Session: "s9", Words: "file"}, nil}} {
		plan, err := db.PlanForget(t.Context(), c.sel)
		if err != nil {
			t.Fatal(err)
		}
		if got := namesOf(t, db, plan.Memories); !slices.Equal(got, c.want) || len(plan.From) != len(c.want) {
			t.Errorf("%s: got %v from %v, want %v", name, got, plan.From, c.want)
		}
	}
}

func namesOf(t *testing.T, db *DB, ids []int64) []string {
	t.Helper()
	if ids == nil {
		ids = []int64{}
	}
	var out []string
	for _, m := range memories(t, db, MemoryFilter{IDs: ids, AnyState: true}) {
		out = append(out, m.Name)
	}
	slices.Sort(out)
	return out
}

func TestAForgottenMemoryIsRecognised(t *testing.T) {
	db := openTest(t)
	root := memoryRoot(t, db, "shop")
	reread(t, db, root,
		memoryFile("use-kafka", "Use Kafka for events", "We need replay of the last seven days.", func(f *MemoryFile) {
			f.Sources = []MemorySource{{clean("claude/s1"), clean("7")}, {clean("claude/s1"), clean("9")}}
		}))
	if err := db.BuryMemories(t.Context(), []int64{memories(t, db, MemoryFilter{})[0].ID}, nil, nil); err != nil {
		t.Fatal(err)
	}
	p := root.Project
	for name, c := range map[string]struct {
		m    MemoryMark
		at   time.Time
		want bool
	}{
		"its id":    {MemoryMark{Project: p, Name: "use-kafka"}, longAgo, true},
		"its title": {MemoryMark{Project: p, Title: "use kafka, for events"}, longAgo, true},
		"its text elsewhere": {MemoryMark{Project: 99, Name: "x", Body: "We need REPLAY of the last\nseven days"},
			longAgo, true},
		"other words, same place": {MemoryMark{Project: p, Title: "Event log", Sources: []Source{{"claude/s1", "9"}}},
			longAgo, true},
		"another place as well": {MemoryMark{Project: p, Title: "Event log",
			Sources: []Source{{"claude/s1", "9"}, {"claude/s4", "1"}}}, longAgo, false},
		"its id elsewhere":         {MemoryMark{Project: 99, Name: "use-kafka"}, longAgo, false},
		"said again afterwards":    {MemoryMark{Project: p, Name: "use-kafka"}, time.Now().Add(time.Hour), false},
		"at any time":              {MemoryMark{Project: p, Name: "use-kafka"}, time.Time{}, true},
		"something else, no place": {MemoryMark{Project: p, Name: "use-nats", Title: "Use NATS"}, longAgo, false},
	} {
		if got, err := db.Tombstoned(t.Context(), c.m, c.at); err != nil || got != c.want {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
	}
}

func TestAFingerprintIsForgottenWithItsMemory(t *testing.T) {
	db := openTest(t)
	if err := db.BuryMemories(t.Context(), nil, []string{"kafka event"}, nil); err != nil {
		t.Fatal(err)
	}
	for print, want := range map[string]bool{"kafka event": true, "nats event": false} {
		if got, err := db.ForgottenPrint(t.Context(), print, time.Time{}); err != nil || got != want {
			t.Errorf("%q: got %v, %v", print, got, err)
		}
	}
	if err := db.ExhumeMemory(t.Context(), MemoryMark{}, []string{"kafka event"}); err != nil {
		t.Fatal(err)
	}
	if got, err := db.ForgottenPrint(t.Context(), "kafka event", time.Time{}); err != nil || got {
		t.Errorf("written anew: got %v, %v", got, err)
	}
}

func TestAMergedProjectKeepsItsMemories(t *testing.T) {
	db := openTest(t)
	dir := Project{Name: clean("shop"), Aliases: []Alias{{AliasDir, clean("/src/shop")}}}
	id, err := db.PutProject(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	root, err := db.PutMemoryRoot(t.Context(), id, RootRepo, clean("/src/shop/.mum/memory"), false)
	if err != nil {
		t.Fatal(err)
	}
	reread(t, db, root, memoryFile("tabs", "Indent with tabs", "The user prefers tabs."))
	remote, err := db.PutProject(t.Context(),
		Project{Name: clean("shop"), Aliases: []Alias{{AliasRemote, clean("example.com/shop")}}})
	if err != nil {
		t.Fatal(err)
	}
	merged, err := db.PutProject(t.Context(),
		Project{Name: clean("shop"), Aliases: append(dir.Aliases, Alias{AliasRemote, clean("example.com/shop")})})
	if err != nil || merged != remote {
		t.Fatalf("got %d, %v, want %d", merged, err, remote)
	}
	if got := search(t, db, Query{Text: "tabs", ProjectID: remote}); len(got.Hits) != 1 {
		t.Errorf("got %+v", got)
	}
	if m := memories(t, db, MemoryFilter{Projects: []int64{remote}}); len(m) != 1 {
		t.Errorf("got %+v", m)
	}
	if err := db.DropMemoryRoot(context.Background(), root.ID); err != nil {
		t.Fatal(err)
	}
	if got := search(t, db, Query{Text: "tabs"}); len(got.Hits) != 0 {
		t.Errorf("a root that was dropped: got %+v", got)
	}
	checkIndex(t, db)
}
