package transcript

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"keepmum/longtest"
)

// generated writes a Claude transcript of about size bytes: turns with 8 KB of tool output, and sometimes a megabyte.
func generated(t testing.TB, size int64) Source {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	out, big := strings.Repeat("ok  \\tkeepmum\\n", 600), strings.Repeat("0123456789abcdef", 64<<10)
	var n int64
	for i := 0; n < size; i++ {
		result := out
		if i%1000 == 500 {
			result = big
		}
		k, err := fmt.Fprintf(w, `%s
{"type":"assistant","timestamp":"2026-01-09T10:00:01Z","message":{"id":"m%d","content":[{"type":"text","text":"Answer %d."}]}}
{"type":"assistant","timestamp":"2026-01-09T10:00:02Z","message":{"id":"m%d","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"go test ./%d"}}]}}
{"type":"user","timestamp":"2026-01-09T10:00:03Z","message":{"content":[{"type":"tool_result","tool_use_id":"t%d","content":"%s"}]},"toolUseResult":{"stdout":"%s"}}
`, prompt(fmt.Sprint("prompt ", i)), i, i, i, i, i, i, result, result)
		if err != nil {
			t.Fatal(err)
		}
		n += int64(k)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return Source{Agent: Claude, Path: path, ID: "s", Size: n}
}

// peak reads a transcript and returns the largest heap seen between entries.
func peak(t *testing.T, src Source) uint64 {
	t.Helper()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	base, top, n := m.HeapAlloc, uint64(0), 0
	_, _, err := Read(t.Context(), src, Offset{}, func(Entry) error {
		if n++; n%200 == 0 {
			runtime.ReadMemStats(&m)
			top = max(top, m.HeapAlloc)
		}
		return nil
	})
	if err != nil || n == 0 {
		t.Fatalf("%d entries, %v", n, err)
	}
	return max(top, base) - base
}

func TestMemoryDoesNotGrowWithTheTranscript(t *testing.T) {
	longtest.Only(t)
	small, large := generated(t, 10<<20), generated(t, 100<<20)
	a, b := peak(t, small), peak(t, large)
	t.Logf("heap taken by 10 MB: %.1f MB, by 100 MB: %.1f MB", float64(a)/(1<<20), float64(b)/(1<<20))
	if b > 3*a+16<<20 {
		t.Errorf("reading 100 MB took %d MB of memory", b>>20)
	}
}

func TestAGigabyteIsReadInLessThan100MB(t *testing.T) {
	longtest.Only(t)
	debug.FreeOSMemory()
	src := generated(t, 1<<30)
	taken := peak(t, src)
	t.Logf("%d MB of transcript, %.1f MB of memory", src.Size>>20, float64(taken)/(1<<20))
	if taken > 100<<20 {
		t.Errorf("took %d MB of memory", taken>>20)
	}
}

func BenchmarkRead(b *testing.B) {
	claude := generated(b, 20<<20)
	codex := claudeFile(b, strings.Repeat(strings.TrimSpace(rollout)+"\n"+codexCall, 4000))
	codex.Agent = Codex
	db, conn := openCodeDB(b)
	exec(b, conn, `WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i+1 FROM n WHERE i < 2000)
		INSERT INTO message SELECT printf('msg_%06d', i), 'ses_1', 1766000003000+i, 0,
		'{"role":"assistant","time":{"completed":1}}' FROM n`)
	exec(b, conn, `CREATE INDEX part_message_id_id_idx ON part (message_id, id)`)
	exec(b, conn, `INSERT INTO part SELECT 'prt_' || id, id, 'ses_1', 1, 1,
		json_object('type','tool','tool','bash','callID',id,'state',
		json_object('status','completed','input',json_object('command','go test'),'output',hex(zeroblob(4000))))
		FROM message`)
	db.ID = "ses_1"
	cursor := Source{Agent: Cursor, ID: "comp-1", Path: filepath.Join(cursorUser(b), "globalStorage", "state.vscdb")}
	makeDB(b, cursor.Path,
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 2000)
		INSERT INTO cursorDiskKV SELECT printf('bubbleId:comp-1:%06d', i),
		CAST(json_object('type',2,'text',hex(zeroblob(4000))) AS BLOB) FROM n`,
		`INSERT INTO cursorDiskKV SELECT 'composerData:comp-1', CAST(json_object('fullConversationHeadersOnly',
		json_group_array(json_object('bubbleId',substr(key, 17)))) AS BLOB) FROM cursorDiskKV
		WHERE key >= 'bubbleId:comp-1:0' AND key < 'bubbleId:comp-1:9'`)
	for name, src := range map[string]Source{"claude": claude, "codex": codex, "opencode": db, "cursor": cursor} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s, _, err := Read(b.Context(), src, Offset{}, func(Entry) error { return nil })
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(s.Stats.Bytes)
			}
		})
	}
}

const codexCall = `{"timestamp":"2025-10-02T08:15:03Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"go\",\"test\"]}","call_id":"c"}}
{"timestamp":"2025-10-02T08:15:04Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"{\"output\":\"ok keepmum/api ok keepmum/store ok keepmum/privacy ok keepmum/transcript\",\"metadata\":{\"exit_code\":0}}"}}
`

// BenchmarkRescan checks 60 sessions in which nothing changed.
func BenchmarkRescan(b *testing.B) {
	root := b.TempDir()
	for i := range 60 {
		write(b, filepath.Join(root, "projects", fmt.Sprint("p", i%7), fmt.Sprintf("s%d.jsonl", i)), prompt("a")+"\n")
	}
	for b.Loop() {
		if _, err := Discover(b.Context(), Roots{Claude: root}); err != nil {
			b.Fatal(err)
		}
	}
}
