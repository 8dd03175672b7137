package memory_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepmum/longtest"
	"keepmum/memory"
	"keepmum/privacy"
)

// web is a tree of linked memories, and the expected links. It identifies each memory by its key, which never changes.
type web struct {
	t    *testing.T
	r    *rand.Rand
	tree *memory.Tree
	step int
	keys []string
	want map[string][]memory.Link // by key; the other end is also a key
	log  []string
}

func (w *web) by() memory.Stamp {
	return memory.Stamp{Now: noon().AddDate(0, 0, w.step), By: privacy.Const("cli")}
}

// one returns a random memory of the tree.
func (w *web) one() memory.Memory {
	w.t.Helper()
	key := w.keys[w.r.IntN(len(w.keys))]
	for _, m := range load(w.t, w.tree).Memories() {
		if m.Key == key {
			return m
		}
	}
	w.t.Fatalf("%s is gone\n%s", key, strings.Join(w.log, "\n"))
	return memory.Memory{}
}

func (w *web) note(format string, args ...any) { w.log = append(w.log, fmt.Sprintf(format, args...)) }

func (w *web) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%v\n%s", err, strings.Join(w.log, "\n"))
	}
}

// grow makes the memories, each with its own title, body and key.
func (w *web) grow(n int) {
	for i := range n {
		key := fmt.Sprintf("room/k%d", i)
		_, err := w.tree.Add(memory.Candidate{Primitive: memory.Learning, Kind: memory.Fact, Key: key, Confidence: 0.9,
			Title: clean(w.t, words(i)), Body: clean(w.t, "It was said by "+words(500+i)+"."), Told: true}, w.by())
		w.must(err)
		w.keys = append(w.keys, key)
	}
}

// leads reports whether one memory depends on another according to the expected links.
func (w *web) leads(from, to string, seen map[string]bool) bool {
	if from == to {
		return true
	}
	seen[from] = true
	return slices.ContainsFunc(w.want[from], func(l memory.Link) bool {
		return l.As == memory.DependsOn && !seen[l.To] && w.leads(l.To, to, seen)
	})
}

func (w *web) link() {
	from, to := w.one(), w.one()
	as := []memory.Relation{memory.DependsOn, memory.See, memory.Replaces}[w.r.IntN(3)]
	w.note("%s %s %s", from.Key, as, to.Key)
	_, err := w.tree.Link(from, memory.Link{To: to.ID, As: as}, w.by())
	refused := from.Key == to.Key || as == memory.DependsOn && w.leads(to.Key, from.Key, map[string]bool{})
	if refused != (err != nil) {
		w.t.Fatalf("a link that cannot be: %v, and it was said: %v\n%s", refused, err, strings.Join(w.log, "\n"))
	}
	if l := (memory.Link{To: to.Key, As: as}); !refused && !slices.Contains(w.want[from.Key], l) {
		w.want[from.Key] = append(w.want[from.Key], l)
	}
}

func (w *web) unlink() {
	from, to := w.one(), w.one()
	w.note("%s leads no more to %s", from.Key, to.Key)
	_, err := w.tree.Unlink(from, to.ID, "", w.by())
	w.must(err)
	w.drop(from.Key, to.Key)
}

func (w *web) drop(from string, to ...string) {
	w.want[from] = slices.DeleteFunc(w.want[from], func(l memory.Link) bool { return slices.Contains(to, l.To) })
}

func (w *web) rename() {
	m, title := w.one(), clean(w.t, words(1000+w.step))
	w.note("%s has another title", m.Key)
	m, err := w.tree.Edit(m, memory.Edit{Title: &title}, w.by())
	w.must(err)
	if w.r.IntN(2) == 0 {
		was := filepath.Join(w.tree.Root(), filepath.FromSlash(m.Path))
		w.must(os.Rename(was, filepath.Join(filepath.Dir(was), fmt.Sprintf("by-hand-%d.md", w.step))))
	}
}

func (w *web) archive() {
	m := w.one()
	w.note("%s is put away or back (%v)", m.Key, m.Archived)
	var err error
	if m.Archived {
		_, err = w.tree.Restore(m, w.by())
	} else {
		_, err = w.tree.Archive(m, w.by())
	}
	w.must(err)
}

// merge merges one memory into another, which takes over its links.
func (w *web) merge() {
	active := slices.DeleteFunc(load(w.t, w.tree).Active, func(m memory.Memory) bool { return m.Key == "" })
	if len(active) < 2 {
		return
	}
	w.r.Shuffle(len(active), func(i, j int) { active[i], active[j] = active[j], active[i] })
	from, into := active[0], active[1]
	w.note("%s goes into %s", from.Key, into.Key)
	plan := memory.Plan{Steps: []memory.Step{{Action: memory.OpMerge, Source: from.ID, Target: into.ID}}}
	done, err := memory.Apply(w.tree, load(w.t, w.tree), plan, w.by())
	w.must(err)
	if len(done.Skipped) > 0 {
		w.t.Fatalf("skipped\n%s", strings.Join(w.log, "\n"))
	}
	for _, l := range w.want[from.Key] {
		if !slices.Contains(w.want[into.Key], l) {
			w.want[into.Key] = append(w.want[into.Key], l)
		}
	}
	w.drop(into.Key, into.Key, from.Key)
}

// move copies everything to another tree, as files or as memories, where another memory has one of the ids. It does so
// twice, because the second time must change nothing.
func (w *web) move() {
	other, taken, asFiles := newTree(w.t), w.one(), w.r.IntN(2) == 0
	w.note("everything is taken elsewhere, as files: %v; %s is there", asFiles, taken.ID)
	put(w.t, other, "learnings/taken.md", fmt.Sprintf("---\nid: %s\ntitle: %s\nkind: fact\n"+
		"created: 2019-01-01T00:00:00Z\n---\n", taken.ID, words(3000+w.step)))
	for range 2 {
		var err error
		if asFiles {
			_, err = other.Import(w.tree.Root(), w.by())
		} else {
			_, err = other.ImportMemories(load(w.t, w.tree).Memories(), w.by())
		}
		w.must(err)
	}
	if n := len(load(w.t, other).Memories()); n < len(w.keys)+1 {
		w.t.Fatalf("%d memories arrived, of %d\n%s", n-1, len(w.keys), strings.Join(w.log, "\n"))
	}
	w.tree = other
}

// check compares the links of each memory with the expected ones.
func (w *web) check() {
	w.t.Helper()
	key, all := map[string]string{}, load(w.t, w.tree).Memories()
	for _, m := range all {
		if m.Key != "" && key[m.ID] != "" {
			w.t.Fatalf("two memories are %s\n%s", m.ID, strings.Join(w.log, "\n"))
		}
		key[m.ID] = m.Key
	}
	found := 0
	for _, m := range all {
		if m.Key == "" {
			continue
		}
		found++
		var got []memory.Link
		for _, l := range m.Links {
			got = append(got, memory.Link{To: key[l.To], As: l.As})
		}
		if !slices.Equal(got, w.want[m.Key]) {
			w.t.Fatalf("%s leads to %v, want %v\n%s", m.Key, got, w.want[m.Key], strings.Join(w.log, "\n"))
		}
	}
	if found != len(w.keys) {
		w.t.Fatalf("%d memories have a key, of %d\n%s", found, len(w.keys), strings.Join(w.log, "\n"))
	}
}

// TestLinksSurviveInAnyOrder links and changes memories at random: titles, file names, archived, restored, merged,
// copied to another tree.
func TestLinksSurviveInAnyOrder(t *testing.T) {
	r := longtest.Chance(t)
	for range longtest.Rounds(2, 100) {
		w := &web{t: t, r: r, tree: newTree(t), want: map[string][]memory.Link{}}
		w.grow(5)
		acts := []func(){w.link, w.link, w.link, w.unlink, w.rename, w.rename, w.archive, w.archive, w.merge,
			w.merge, w.move}
		for range 30 {
			w.step++
			acts[r.IntN(len(acts))]()
			w.check()
		}
	}
}
