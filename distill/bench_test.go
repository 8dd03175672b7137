package distill_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/capture"
	"keepmum/config"
	"keepmum/distill"
	"keepmum/extract"
	"keepmum/memory"
	"keepmum/store"
	"keepmum/transcript"
)

// 60 sessions with 100 MB, as an agent leaves them: most bytes are tool output.
const (
	benchSessions = 60
	benchBytes    = 100 << 20
)

func makeStore(b *testing.B, root string) {
	b.Helper()
	words := strings.Fields("the order total is rounded half to even before tax because invoices lost a cent on every " +
		"third line we keep integers of cents in package money and the parser reads them from the ledger file with a " +
		"reader that streams handler request response server client error return func string value index token stream")
	rnd := rand.New(rand.NewPCG(1, 2))
	text := func(n int) string {
		var t strings.Builder
		for t.Len() < n {
			t.WriteString(words[rnd.IntN(len(words))])
			t.WriteByte(" \n"[min(1, rnd.IntN(14)/13)])
		}
		return t.String()
	}
	for i := range benchSessions {
		path := filepath.Join(root, "projects", fmt.Sprintf("-home-dev-p%d", i%6), fmt.Sprintf("s%d.jsonl", i))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			b.Fatal(err)
		}
		f, err := os.Create(path)
		if err != nil {
			b.Fatal(err)
		}
		size := 0
		enc := json.NewEncoder(countTo{f, &size})
		for turn := 0; size < benchBytes/benchSessions; turn++ {
			for _, s := range []said{user(text(200)),
				{tool: "Read", input: map[string]any{"file_path": "/home/dev/shop/a.go"}, output: text(9000)},
				{tool: "Bash", input: map[string]any{"command": "go test ./..."}, output: text(4000)},
				{tool: "Edit", input: map[string]any{"file_path": "/home/dev/shop/a.go", "old_string": text(300),
					"new_string": text(400)}, output: text(1200)}, assistant(text(900))} {
				for _, rec := range s.records(fmt.Sprintf("p%d", i%6), fmt.Sprintf("s%d", i), turn%20,
					time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)) {
					if err := enc.Encode(rec); err != nil {
						b.Fatal(err)
					}
				}
			}
		}
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
		old := time.Date(2026, 3, 1, 10, i, 0, 0, time.UTC)
		if err := os.Chtimes(path, old, old); err != nil {
			b.Fatal(err)
		}
	}
}

type countTo struct {
	f *os.File
	n *int
}

func (c countTo) Write(p []byte) (int, error) {
	*c.n += len(p)
	return c.f.Write(p)
}

// benchWorld is a world with the heuristic, in a data directory of its own.
func benchWorld(b *testing.B, home, agents string) (distill.World, *store.DB) {
	b.Helper()
	now := func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
	if err := os.MkdirAll(home, 0o700); err != nil {
		b.Fatal(err)
	}
	cfg := config.Default()
	cfg.Privacy.Vault = false
	intake, err := capture.NewIntake(capture.Options{Home: home, Config: cfg, Key: []byte("key"), Now: now})
	if err != nil {
		b.Fatal(err)
	}
	db, err := store.Open(b.Context(), store.Options{Path: filepath.Join(home, "memory.db"), Now: now, Key: []byte("key")})
	if err != nil {
		b.Fatal(err)
	}
	r := &rig{intake: intake}
	own := extract.New()
	return distill.World{Home: home, DB: db, Gate: intake.Gate(), Roots: transcript.Roots{Claude: agents}, Admit: r.admit,
		Now: now, Extract: func(ctx context.Context, _ int64, s extract.Session, _ int) (extract.Result, error) {
			return own.Extract(ctx, s, nil), nil
		},
		Place: func(_ context.Context, project int64) (distill.Place, error) {
			return distill.Place{Root: filepath.Join(home, "projects", fmt.Sprint(project), "memory"),
				Decay: memory.DefaultDecay()}, nil
		}}, db
}

// BenchmarkFirstSync reads, cleans and searches 100 MB of sessions.
func BenchmarkFirstSync(b *testing.B) {
	agents := b.TempDir()
	makeStore(b, agents)
	b.SetBytes(benchBytes)
	for i := 0; b.Loop(); i++ {
		w, db := benchWorld(b, filepath.Join(b.TempDir(), "data"), agents)
		rep, err := distill.Sync(b.Context(), w, distill.SyncOptions{})
		if err != nil || rep.Extracted != benchSessions {
			b.Fatalf("%+v, %v", rep, err)
		}
		_ = db.Close()
	}
}

// BenchmarkUnchangedRescan checks the same sessions when nothing has changed.
func BenchmarkUnchangedRescan(b *testing.B) {
	agents := b.TempDir()
	makeStore(b, agents)
	w, db := benchWorld(b, filepath.Join(b.TempDir(), "data"), agents)
	defer db.Close()
	if _, err := distill.Sync(b.Context(), w, distill.SyncOptions{}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		rep, err := distill.Sync(b.Context(), w, distill.SyncOptions{})
		if err != nil || rep.Indexed != 0 {
			b.Fatalf("%+v, %v", rep, err)
		}
	}
}
