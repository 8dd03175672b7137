package memory_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/quick"
	"time"

	"github.com/google/go-cmp/cmp"

	"keepmum/longtest"
	"keepmum/memory"
	"keepmum/privacy"
)

func maintain(t testing.TB, tree *memory.Tree, access map[string]time.Time,
	by memory.Stamp) (memory.Plan, memory.Applied) {
	t.Helper()
	l := load(t, tree)
	p := memory.PlanMaintenance(l, access, by.Now, memory.DefaultDecay())
	done, err := memory.Apply(tree, l, p, by)
	if err != nil {
		t.Fatal(err)
	}
	return p, done
}

func file(id, front, body string) string {
	return "---\nid: " + id + "\n" + front + "---\n\n" + body + "\n"
}

const (
	queueBody = "We picked Postgres with SKIP LOCKED for the job queue because the database is there anyway and jobs " +
		"must commit with the row that caused them."
	queueAgain = "The job queue stays in PostgreSQL (SKIP LOCKED): jobs have to commit together with the row that " +
		"caused them. Finished jobs are kept for 14 days."
)

func TestMaintenanceDoesWhatItPlans(t *testing.T) {
	tree := newTree(t)
	put(t, tree, "decisions/20260201-a.md",
		file("queue-a",
			"title: Use Postgres for the job queue\ncreated: 2026-02-01\nconfidence: 0.9\ntags: [queue]\n"+
				"sources: [{session: claude/1}]\n", queueBody))
	put(t, tree, "decisions/20260202-b.md",
		file("queue-b",
			"title: Job queue lives in PostgreSQL\ncreated: 2026-02-02\nconfidence: 0.7\ntags: [postgres]\n"+
				"sources: [{session: codex/2}]\n", queueAgain))
	put(t, tree, "learnings/20250101-old.md",
		file("old",
			"title: The staging proxy needs a restart after a certificate change\ncreated: 2025-01-01\nconfidence: 0.8\n",
			"Nothing reloads the certificate: restart it by hand."))
	put(t, tree, "learnings/20250101-pinned.md",
		file("pinned",
			"title: Invoices are numbered without gaps by law\ncreated: 2025-01-01\nconfidence: 0.8\npinned: true\n",
			"A gap in the numbers is a finding of the tax office."))
	put(t, tree, "learnings/20250101-seen.md",
		file("seen", "title: Thumbnails are made by a lambda in another account\ncreated: 2025-01-01\nconfidence: 0.8\n",
			"Its logs are in the account of the media team."))
	put(t, tree, "learnings/20260201-todo.md", file("todo", "title: About the deployment\ncreated: 2026-02-01\n", "TODO"))
	access := map[string]time.Time{"seen": noon().AddDate(0, 0, -60)}
	p, done := maintain(t, tree, access, stamp())

	want := []memory.Step{
		{Action: memory.OpArchive, Source: "todo", Reason: memory.Junk},
		{Action: memory.OpMerge, Source: "queue-b", Target: "queue-a", Reason: memory.NearDuplicate, Score: p.Steps[1].Score},
		{Action: memory.OpArchive, Source: "old", Reason: memory.Faded, Score: 0.1},
	}
	if diff := cmp.Diff(want, p.Steps); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(memory.Counts{Merged: 1, Archived: 2, Decayed: 1, Unchanged: 2}, p.Counts); diff != "" {
		t.Error(diff)
	}
	if !slices.Equal(p.Steps, done.Done) || len(done.Skipped) != 0 {
		t.Errorf("done %+v, skipped %+v", done.Done, done.Skipped)
	}
	kept, err := tree.Get("queue-a")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(kept.Tags, []string{"queue", "postgres"}) || len(kept.Sources) != 2 ||
		!strings.HasSuffix(kept.Body, "Finished jobs are kept for 14 days.") {
		t.Errorf("merged: %+v", kept)
	}
	gone, err := tree.Get("queue-b")
	if err != nil || !gone.Archived || gone.SupersededBy != "queue-a" {
		t.Errorf("%+v, %v", gone, err)
	}
	if text, err := json.Marshal(p); err != nil ||
		!strings.Contains(string(text), `"counts":{"merged":1,"archived":2,"consolidated":0,"decayed":1,"unchanged":2}`) {
		t.Errorf("%s, %v", text, err)
	}
	again, _ := maintain(t, tree, access, later())
	if len(again.Steps) != 0 || again.Counts.Merged+again.Counts.Archived != 0 {
		t.Errorf("a second run does %+v", again.Steps)
	}
}

func TestAFileThatWasEditedAfterThePlanIsLeftAlone(t *testing.T) {
	tree := newTree(t)
	put(t, tree, "decisions/a.md",
		file("queue-a", "title: Use Postgres for the job queue\ncreated: 2026-02-01\nconfidence: 0.9\n", queueBody))
	put(t, tree, "decisions/b.md",
		file("queue-b", "title: Job queue lives in PostgreSQL\ncreated: 2026-02-02\nconfidence: 0.7\n", queueAgain))
	l := load(t, tree)
	p := memory.PlanMaintenance(l, nil, noon(), memory.DefaultDecay())
	for _, rel := range []string{"decisions/a.md", "decisions/b.md"} {
		path := filepath.Join(tree.Root(), rel)
		original := readFile(t, path)
		if err := os.WriteFile(path, []byte(original+"By hand.\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		done, err := memory.Apply(tree, l, p, stamp())
		if err != nil || len(done.Skipped) != 1 || len(done.Done) != 0 || len(done.Paths) != 0 {
			t.Errorf("%s: %+v, %v", rel, done, err)
		}
		if err := os.WriteFile(path, []byte(original), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if l := load(t, tree); len(l.Active) != 2 {
		t.Errorf("%d active", len(l.Active))
	}
}

func TestMaintenanceFinishesWhatWasCutShort(t *testing.T) {
	tree := newTree(t)
	put(t, tree, "decisions/a.md", file("a", "title: Use Redis for the job queue\nsuperseded_by: b\n", queueBody))
	put(t, tree, "decisions/b.md",
		file("b", "title: Use Postgres for the job queue\nsupersedes: [a]\n",
			"Postgres it is now, since a restart of Redis lost jobs."))
	p, _ := maintain(t, tree, nil, stamp())
	if len(p.Steps) != 1 || p.Steps[0].Reason != memory.Superseded || len(load(t, tree).Archived) != 1 {
		t.Errorf("%+v", p.Steps)
	}
}

func TestContradictionsAreListedNotMerged(t *testing.T) {
	tree := newTree(t)
	put(t, tree, "decisions/a.md",
		file("a", "title: HTTP client timeout is 30 seconds\ncreated: 2026-02-01\n",
			"The client of the billing API waits for 30 seconds, as their reports take 20."))
	put(t, tree, "decisions/b.md",
		file("b", "title: HTTP client timeout is 60 seconds\ncreated: 2026-02-02\n",
			"The client of the billing API waits for 60 seconds, as their reports take 50."))
	p, _ := maintain(t, tree, nil, stamp())
	if len(p.Steps) != 0 || !cmp.Equal(p.Contradictions, [][2]string{{"a", "b"}}) {
		t.Errorf("%+v", p)
	}
}

func TestProposals(t *testing.T) {
	tree := newTree(t)
	for i, m := range []said{{"Labels are cut at the edge", "A margin of two millimetres helps."},
		{"The driver wants millimetres", "The API gives inches: convert them."},
		{"Restart the spooler after a firmware update", "Or it prints nothing, and says nothing."}} {
		put(t, tree, fmt.Sprintf("learnings/p%d.md", i),
			file(fmt.Sprintf("printer-%d", i), "title: "+m.title+"\ntags: [printer, labels]\ncreated: 2026-02-01\n", m.body))
	}
	for i := range 4 {
		_, err := tree.WriteSummary(memory.Draft{Title: clean(t, fmt.Sprintf("Ask about the flaky checkout test %d", i)),
			Session: clean(t, fmt.Sprintf("claude/%d", i)), At: noon().Add(time.Duration(i) * time.Hour),
			Intent: privacy.Const("Make the test stable."), Happened: privacy.Const("It was the clock.")}, stamp())
		if err != nil {
			t.Fatal(err)
		}
	}
	p, _ := maintain(t, tree, nil, stamp())
	if len(p.Consolidate) != 1 || p.Consolidate[0].Topic != "labels, printer" || len(p.Consolidate[0].Members) != 3 {
		t.Errorf("consolidate %+v", p.Consolidate)
	}
	if len(p.CrossSession) != 0 {
		t.Errorf("four of four sessions are no topic, they are what this project is: %+v", p.CrossSession)
	}
	for i := range 6 {
		_, err := tree.WriteSummary(memory.Draft{Title: clean(t, fmt.Sprintf("Other work number%d", i)),
			Session: clean(t, fmt.Sprintf("codex/%d", i)), At: noon(), Happened: privacy.Const("x")}, stamp())
		if err != nil {
			t.Fatal(err)
		}
	}
	p, _ = maintain(t, tree, nil, stamp())
	if len(p.CrossSession) != 1 || p.CrossSession[0].Topic != "checkout, flaky, test" ||
		len(p.CrossSession[0].Members) != 4 {
		t.Errorf("cross-session %+v", p.CrossSession)
	}
	p.WithoutCommon(func(words []string) map[string]bool { return map[string]bool{"test": true, "flaky": true} })
	if len(p.CrossSession) != 1 || p.CrossSession[0].Topic != "checkout" {
		t.Errorf("without what is common here: %+v", p.CrossSession)
	}
	p.WithoutCommon(func(words []string) map[string]bool { return map[string]bool{words[0]: true} })
	if len(p.CrossSession) != 0 {
		t.Errorf("a topic of nothing: %+v", p.CrossSession)
	}
}

func TestOneTagSpelledInTwoWaysIsOneTag(t *testing.T) {
	tree := newTree(t)
	for i, m := range []struct{ title, tags, body string }{
		{"Labels are cut at the edge", "printer, Printer", "A margin of two millimetres helps."},
		{"The driver wants millimetres", "printer, Printer", "The API gives inches: convert them."},
		{"Restart the spooler after a firmware update", "printer", "Or it prints nothing, and says nothing."},
	} {
		put(t, tree, fmt.Sprintf("learnings/p%d.md", i), file(fmt.Sprintf("printer-%d", i),
			"title: "+m.title+"\ntags: ["+m.tags+"]\ncreated: 2026-02-01\n", m.body))
	}
	if p, _ := maintain(t, tree, nil, stamp()); len(p.Consolidate) != 0 {
		t.Errorf("they share one tag only: %+v", p.Consolidate)
	}
}

// TestFillerIsNotATopic: what every other session mentions is not a topic, however often it is in a title.
func TestFillerIsNotATopic(t *testing.T) {
	tree := newTree(t)
	for i := range 9 {
		d := memory.Draft{Title: clean(t, fmt.Sprintf("Please review and explain work number%d", i)),
			Session: clean(t, fmt.Sprintf("claude/%d", i)), At: noon(), Happened: privacy.Const("The walkthrough went on.")}
		if i < 3 {
			d.Title = clean(t, fmt.Sprintf("Please review the walkthrough of number%d", i))
		}
		if _, err := tree.WriteSummary(d, stamp()); err != nil {
			t.Fatal(err)
		}
	}
	if p, _ := maintain(t, tree, nil, stamp()); len(p.CrossSession) != 0 {
		t.Errorf("%+v", p.CrossSession)
	}
}

// randomTree makes memories, many of which are near-duplicates.
func randomTree(t testing.TB, seed uint64, n int) *memory.Tree {
	r := rand.New(rand.NewPCG(seed, 7))
	tree := newTree(t)
	topics := strings.Fields("queue cache login invoice upload search export webhook billing avatar")
	things := strings.Fields("Postgres Redis SQLite Kafka S3 nginx Docker Terraform Vite pnpm")
	why := []string{"because it is there anyway", "because the team knows it", "since the other one lost data twice",
		"as the auditors ask for it", "so that it can be rolled back in a minute"}
	for i := range n {
		topic, thing := topics[r.IntN(len(topics))], things[r.IntN(len(things))]
		title := fmt.Sprintf("Use %s for the %s", thing, topic)
		body := fmt.Sprintf("The %s of the shop runs on %s, %s.", topic, thing, why[r.IntN(len(why))])
		if r.IntN(2) == 0 {
			title = fmt.Sprintf("The %s lives in %s", topic, thing)
			body += fmt.Sprintf(" It handles %d requests a second.", 10*r.IntN(9))
		}
		day := noon().AddDate(0, 0, -r.IntN(400)).Format("2006-01-02")
		front := fmt.Sprintf("title: %s\ncreated: %s\nconfidence: %.2f\ntags: [%s, t%d]\nsources: [{session: claude/%d}]\n",
			title, day, 0.5+r.Float64()/2, topic, r.IntN(6), i)
		put(t, tree, fmt.Sprintf("decisions/m%03d.md", i), file(fmt.Sprintf("m%03d", i), front, body))
	}
	return tree
}

func TestMaintenanceIsIdempotentAndLosesNothing(t *testing.T) {
	check := func(seed uint64) bool {
		tree := randomTree(t, seed, 60)
		before := load(t, tree)
		p, done := maintain(t, tree, nil, stamp())
		if len(done.Skipped) != 0 {
			t.Errorf("seed %d: skipped %+v", seed, done.Skipped)
		}
		if diff := cmp.Diff(p, memory.PlanMaintenance(before, nil, noon(), memory.DefaultDecay())); diff != "" {
			t.Errorf("seed %d: two plans of one tree: %s", seed, diff)
		}
		after := load(t, tree)
		if len(after.Memories()) != len(before.Active) || len(after.Broken) != 0 {
			t.Errorf("seed %d: %d memories of %d, broken %v", seed, len(after.Memories()), len(before.Active), after.Broken)
		}
		kept := map[string]memory.Memory{}
		for _, m := range after.Memories() {
			kept[m.ID] = m
		}
		for _, m := range before.Active {
			end := m.ID
			for kept[end].SupersededBy != "" {
				end = kept[end].SupersededBy
			}
			for _, o := range m.Sources {
				if !slices.Contains(kept[end].Sources, o) {
					t.Errorf("seed %d: %s lost the source %v", seed, end, o)
				}
			}
			for _, tag := range m.Tags {
				if !slices.Contains(kept[end].Tags, tag) {
					t.Errorf("seed %d: %s lost the tag %s", seed, end, tag)
				}
			}
		}
		again := memory.PlanMaintenance(after, nil, noon(), memory.DefaultDecay())
		if len(again.Steps) != 0 {
			t.Errorf("seed %d: a second run does %+v", seed, again.Steps)
		}
		return !t.Failed() && p.Counts.Merged > 0
	}
	if err := quick.Check(check, &quick.Config{MaxCount: longtest.Rounds(1, 12)}); err != nil {
		t.Error(err)
	}
}

func BenchmarkPlanMaintenance(b *testing.B) {
	l := load(b, randomTextTree(b, 2000))
	b.ResetTimer()
	for b.Loop() {
		memory.PlanMaintenance(l, nil, noon(), memory.DefaultDecay())
	}
}

// randomTextTree makes memories with a vocabulary like a project's: a few words everywhere, most of them rare.
func randomTextTree(t testing.TB, n int) *memory.Tree {
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 8, 5000)
	words := func(n int) string {
		out := make([]string, n)
		for i := range out {
			k := zipf.Uint64()
			out[i] = string([]byte{byte('b' + k%19), "aeiou"[k/19%5], byte('b' + k/95%19), "aeiou"[k/1805%5], 'x'})
		}
		return strings.Join(out, " ")
	}
	tree := newTree(t)
	for i := range n {
		put(t, tree, fmt.Sprintf("learnings/m%04d.md", i),
			file(fmt.Sprintf("m%04d", i), fmt.Sprintf("title: %s\ncreated: 2026-02-01\ntags: [%s]\n", words(6), words(1)),
				words(20)+". "+words(20)+"."))
	}
	return tree
}

// TestMaintenanceContinuesIfOneFileCannotBeWritten: otherwise the project would never be tidied again.
func TestMaintenanceContinuesIfOneFileCannotBeWritten(t *testing.T) {
	tree := newTree(t)
	for _, id := range []string{lowToken, "plain"} {
		put(t, tree, "learnings/"+id[:5]+".md",
			file(id, "title: An old finding of "+id[:5]+"\ncreated: 2020-01-01\nconfidence: 0.5\n",
				"Nobody has looked at it for years, and nobody will."))
	}
	p, done := maintain(t, tree, nil, stamp())
	if len(p.Steps) != 2 || len(done.Skipped) != 1 || len(done.Done) != 1 || len(load(t, tree).Archived) != 1 {
		t.Errorf("%+v, %+v", p.Steps, done)
	}
}

// TestWhatWasNeverSupersededComesBack: a run that was killed before it wrote the new memory left the old one marked.
func TestWhatWasNeverSupersededComesBack(t *testing.T) {
	tree := newTree(t)
	put(t, tree, "decisions/a.md",
		file("a", "title: Use Redis for the job queue\nsuperseded_by: never-written\nvalid_to: 2026-02-01T00:00:00Z\n",
			queueBody))
	p, _ := maintain(t, tree, nil, stamp())
	if l := load(t, tree); len(p.Steps) != 1 || p.Steps[0].Reason != memory.CutShort || len(l.Active) != 1 ||
		l.Active[0].SupersededBy != "" || !l.Active[0].ValidTo.IsZero() {
		t.Errorf("%+v, %+v", p.Steps, l)
	}
	if p, _ := maintain(t, tree, nil, stamp()); len(p.Steps) != 0 {
		t.Errorf("a second run does %+v", p.Steps)
	}
}
