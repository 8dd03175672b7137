package transcript

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"
)

// fuzzRead reads any content: it must not panic or yield invalid UTF-8, and a second reading from where the first ended
// must yield nothing.
func fuzzRead(f *testing.F, agent string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	src := claudeFile(f, "") // shared, because creating a directory costs more than reading
	src.Agent = agent
	f.Fuzz(func(t *testing.T, data []byte) {
		write(t, src.Path, string(data))
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
	fuzzRead(f, Codex, fixture(f, "codex/sessions/2025/10/02/*.jsonl"), fixture(f, "codex/sessions/2025/07/21/*.jsonl"),
		rollout+codexCall,
		// a line without an end
		`{"timestamp":"2025-10-02T08:15:01Z","type":"session_meta","payload":{"id":"of another session","cwd":"/home/dev/inn"}}`)
}

func FuzzCursorLines(f *testing.F) {
	fuzzRead(f, Cursor, fixture(f, "cursor/projects/*/agent-transcripts/*/*.jsonl"))
}

func FuzzCursorRows(f *testing.F) {
	path := filepath.Join(cursorUser(f), "globalStorage", "state.vscdb")
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=synchronous(off)&_pragma=journal_mode(memory)")
	if err != nil {
		f.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	f.Add([]byte(`{"type":2,"text":"a","toolFormerData":{"name":"x","result":"{}"}}`),
		[]byte(`{"fullConversationHeadersOnly":[{"bubbleId":"f"}]}`))
	f.Fuzz(func(t *testing.T, bubble, composer []byte) {
		exec(t, db, fmt.Sprintf(`INSERT INTO cursorDiskKV VALUES ('bubbleId:fuzz:f', x'%x'), ('composerData:fuzz', x'%x')`,
			bubble, composer))
		if _, err := Sessions(t.Context(), Source{Agent: Cursor, Path: path}); err != nil {
			t.Fatal(err)
		}
		_, _, _ = Read(t.Context(), Source{Agent: Cursor, Path: path, ID: "fuzz"}, Offset{},
			func(e Entry) error { checkUTF8(t, e); return nil })
	})
}

func FuzzOpenCode(f *testing.F) {
	src, db := openCodeDB(f)
	exec(f, db, `PRAGMA synchronous = off`)
	f.Add([]byte(`{"role":"assistant","time":{"completed":1}}`),
		[]byte(`{"type":"tool","tool":"bash","state":{"status":"error","error":"x"}}`))
	f.Fuzz(func(t *testing.T, message, part []byte) {
		exec(t, db, fmt.Sprintf(`UPDATE message SET data = x'%x'; UPDATE part SET data = x'%x'`, message, part))
		src.ID = "ses_1"
		_, _, err := Read(t.Context(), src, Offset{}, func(e Entry) error { checkUTF8(t, e); return nil })
		if err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzUnquotedReadsWhatTheDecoderReads(f *testing.F) {
	for _, s := range []string{`""`, `"a"`, `"a\n\"b\\"`, `"\u00e9"`, `"\"`, `"a" `, `"a"b"`, "\"\x01\"", "\"\xff\"",
		`"\/\b\f\r\t"`, `"\x"`, `"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, ok := unquoted(raw)
		var want string
		if ok && (json.Unmarshal(raw, &want) != nil || got != want) {
			t.Errorf("%q reads as %q, the decoder says %q", raw, got, want)
		}
	})
}
