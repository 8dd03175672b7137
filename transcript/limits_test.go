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
	"unicode/utf8"
)

// generated writes a Claude transcript of about size bytes: turns with tool
// outputs of 8 KB, and now and then one of a megabyte.
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
	small, large := generated(t, 10<<20), generated(t, 100<<20)
	a, b := peak(t, small), peak(t, large)
	t.Logf("heap taken by 10 MB: %.1f MB, by 100 MB: %.1f MB", float64(a)/(1<<20), float64(b)/(1<<20))
	if b > 3*a+16<<20 {
		t.Errorf("reading 100 MB took %d MB of memory", b>>20)
	}
}

func TestAGigabyteIsReadInLessThan100MB(t *testing.T) {
	if os.Getenv("MUM_LONG_TESTS") == "" {
		t.Skip("MUM_LONG_TESTS is not set")
	}
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
		INSERT INTO message SELECT printf('msg_%06d', i), 'ses_1', 1766000003000+i, 0, '{"role":"assistant","time":{"completed":1}}' FROM n`)
	exec(b, conn, `CREATE INDEX part_message_id_id_idx ON part (message_id, id)`)
	exec(b, conn, `INSERT INTO part SELECT 'prt_' || id, id, 'ses_1', 1, 1, json_object('type','tool','tool','bash','callID',id,'state',
		json_object('status','completed','input',json_object('command','go test'),'output',hex(zeroblob(4000)))) FROM message`)
	db.ID = "ses_1"
	cursor := Source{Agent: Cursor, ID: "comp-1", Path: filepath.Join(cursorUser(b), "globalStorage", "state.vscdb")}
	makeDB(b, cursor.Path,
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 2000)
		INSERT INTO cursorDiskKV SELECT printf('bubbleId:comp-1:%06d', i), CAST(json_object('type',2,'text',hex(zeroblob(4000))) AS BLOB) FROM n`,
		`INSERT INTO cursorDiskKV SELECT 'composerData:comp-1', CAST(json_object('fullConversationHeadersOnly',
		json_group_array(json_object('bubbleId',substr(key, 17)))) AS BLOB) FROM cursorDiskKV WHERE key >= 'bubbleId:comp-1:0' AND key < 'bubbleId:comp-1:9'`)
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

// BenchmarkRescan is a store of 60 sessions in which nothing changed.
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

// fuzzRead reads whatever is in a file: never a panic, never text that is not
// UTF-8, and a second reading from where the first ended yields nothing.
func fuzzRead(f *testing.F, agent string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		src := claudeFile(t, string(data))
		src.Agent = agent
		n := 0
		_, off, err := Read(t.Context(), src, Offset{}, func(e Entry) error { n++; checkUTF8(t, e); return nil })
		if err != nil {
			t.Fatal(err)
		}
		if off.Pos > int64(len(data)) || (n > 0 && off.Pos == 0) {
			t.Fatalf("offset %+v in %d bytes, %d entries", off, len(data), n)
		}
		if off.Pos == 0 {
			return
		}
		_, again, err := Read(t.Context(), src, off, func(e Entry) error { return fmt.Errorf("read twice") })
		if err != nil || again != off {
			t.Fatalf("%v: %+v then %+v", err, off, again)
		}
	})
}

func checkUTF8(t *testing.T, e Entry) {
	t.Helper()
	for _, s := range []string{e.Text, e.Tool, e.CallID, e.Ref, string(e.Role)} {
		if !utf8.ValidString(s) {
			t.Fatalf("not UTF-8: %q", s)
		}
	}
	walkStrings(e.Input, func(s string) { checkString(t, s) })
	walkStrings(e.Output, func(s string) { checkString(t, s) })
}

func checkString(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Fatalf("not UTF-8: %q", s)
	}
}

func walkStrings(v any, do func(string)) {
	switch v := v.(type) {
	case string:
		do(v)
	case []any:
		for _, x := range v {
			walkStrings(x, do)
		}
	case map[string]any:
		for k, x := range v {
			do(k)
			walkStrings(x, do)
		}
	}
}

func fixture(f *testing.F, path string) string {
	f.Helper()
	list, err := filepath.Glob(filepath.Join(fixtures, path))
	if err != nil || len(list) == 0 {
		f.Fatal(path, err)
	}
	data, err := os.ReadFile(list[0])
	if err != nil {
		f.Fatal(err)
	}
	return string(data)
}

func FuzzClaude(f *testing.F) {
	fuzzRead(f, Claude, fixture(f, "claude/projects/*/*.jsonl"), prompt("a")+"\r\n"+prompt("b"))
}

func FuzzCodex(f *testing.F) {
	fuzzRead(f, Codex, fixture(f, "codex/sessions/2025/10/02/*.jsonl"), fixture(f, "codex/sessions/2025/07/21/*.jsonl"), rollout+codexCall)
}

func FuzzCursorLines(f *testing.F) {
	fuzzRead(f, Cursor, fixture(f, "cursor/projects/*/agent-transcripts/*/*.jsonl"))
}

func FuzzCursorRows(f *testing.F) {
	path := filepath.Join(cursorUser(f), "globalStorage", "state.vscdb")
	f.Add([]byte(`{"type":2,"text":"a","toolFormerData":{"name":"x","result":"{}"}}`), []byte(`{"fullConversationHeadersOnly":[{"bubbleId":"f"}]}`))
	f.Fuzz(func(t *testing.T, bubble, composer []byte) {
		makeDB(t, path, fmt.Sprintf(`INSERT INTO cursorDiskKV VALUES ('bubbleId:fuzz:f', x'%x'), ('composerData:fuzz', x'%x')`, bubble, composer))
		if _, err := Sessions(t.Context(), Source{Agent: Cursor, Path: path}); err != nil {
			t.Fatal(err)
		}
		_, _, _ = Read(t.Context(), Source{Agent: Cursor, Path: path, ID: "fuzz"}, Offset{}, func(e Entry) error { checkUTF8(t, e); return nil })
	})
}

func FuzzOpenCode(f *testing.F) {
	src, db := openCodeDB(f)
	f.Add([]byte(`{"role":"assistant","time":{"completed":1}}`), []byte(`{"type":"tool","tool":"bash","state":{"status":"error","error":"x"}}`))
	f.Fuzz(func(t *testing.T, message, part []byte) {
		exec(t, db, fmt.Sprintf(`UPDATE message SET data = x'%x'; UPDATE part SET data = x'%x'`, message, part))
		src.ID = "ses_1"
		_, _, err := Read(t.Context(), src, Offset{}, func(e Entry) error { checkUTF8(t, e); return nil })
		if err != nil {
			t.Fatal(err)
		}
	})
}
