package memory_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"keepmum/memory"
	"keepmum/privacy"
)

func newGate(t testing.TB) *privacy.Gate {
	t.Helper()
	g, err := privacy.New(privacy.Options{Key: []byte("a key for tests")})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func newTree(t testing.TB) *memory.Tree {
	t.Helper()
	tree, err := memory.Open(filepath.Join(t.TempDir(), "memory"), newGate(t))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// clean passes a text through a gate.
func clean(t testing.TB, s string) privacy.Clean {
	t.Helper()
	c, _ := newGate(t).Text(s)
	return c
}

func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

func stamp() memory.Stamp {
	return memory.Stamp{Now: noon(), By: privacy.Const("sync-20260301-120000-abcdef")}
}

func queue() memory.Candidate {
	return memory.Candidate{
		Primitive: memory.Decision, Title: privacy.Const("Use Postgres for the job queue"),
		Body: privacy.Const("The job queue is a table in Postgres with SKIP LOCKED, because jobs must commit with " +
			"the row that caused them."),
		Tags:       []privacy.Clean{privacy.Const("postgres"), privacy.Const("queue")},
		Confidence: 0.9, At: noon().Add(-time.Hour),
		Sources: []memory.Source{{Session: privacy.Const("claude/0f8fad5b-d9cb-469f-a165-70867728950e"),
			Ref: privacy.Const("88")}},
	}
}

func add(t testing.TB, tree *memory.Tree, c memory.Candidate) memory.Memory {
	t.Helper()
	m, err := tree.Add(c, stamp())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func load(t testing.TB, tree *memory.Tree) memory.Listing {
	t.Helper()
	l, err := tree.Load()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestAMemoryIsAFileThatSaysAllOfIt(t *testing.T) {
	tree := newTree(t)
	m := add(t, tree, queue())
	want := `---
id: use-postgres-for-the-job-queue
title: Use Postgres for the job queue
created: 2026-03-01T12:00:00Z
updated: 2026-03-01T12:00:00Z
source: sync-20260301-120000-abcdef
confidence: 0.9
tags: [postgres, queue]
sources:
  - {from: claude/0f8fad5b-d9cb-469f-a165-70867728950e, ref: "88"}
valid_from: 2026-03-01T11:00:00Z
---

The job queue is a table in Postgres with SKIP LOCKED, because jobs must commit with the row that caused them.
`
	file := filepath.Join(tree.Root(), "decisions", "20260301-use-postgres-for-the-job-queue.md")
	if diff := cmp.Diff(want, readFile(t, file)); diff != "" {
		t.Error(diff)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if diff := cmp.Diff(memory.Listing{Active: []memory.Memory{m}}, load(t, tree)); diff != "" {
		t.Error(diff)
	}
}
