package transcript

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

// prompt is a record of Claude Code, without a line end.
func prompt(text string) string {
	b, _ := json.Marshal(text)
	return `{"type":"user","sessionId":"s","cwd":"/home/dev/inn","timestamp":"2026-01-09T10:00:00Z","message":{"role":"user","content":` + string(b) + `}}`
}

func claudeFile(t testing.TB, content string) Source {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	write(t, path, content)
	return Source{Agent: Claude, Path: path, ID: "s"}
}

func TestLinesOfEveryKindAreReadOrCounted(t *testing.T) {
	twice, _ := json.Marshal(prompt("encoded twice"))
	long := strings.Repeat("x", 5<<20)
	for name, c := range map[string]struct {
		content string
		want    []string
		skipped int64
		lines   int64
	}{
		"an empty file":     {"", nil, 0, 0},
		"only line ends":    {"\n\r\n\n", nil, 0, 0},
		"a byte order mark": {"\ufeff" + prompt("a") + "\n", []string{"a"}, 0, 1},
		"CRLF":              {prompt("a") + "\r\n" + prompt("b") + "\r\n", []string{"a", "b"}, 0, 2},
		"broken lines": {"{\n" + prompt("a") + "\n\x00\x00\n[1]\nnull\n" + prompt("b") + "\n", []string{"a", "b"},
			4, 6},
		"encoded twice":           {string(twice) + "\n", []string{"encoded twice"}, 0, 1},
		"five megabytes":          {prompt(long) + "\n" + prompt("b") + "\n", []string{long, "b"}, 0, 2},
		"beyond the limit":        {prompt(strings.Repeat("x", maxLine)) + "\n" + prompt("b") + "\n", []string{"b"}, 1, 2},
		"no end at the last line": {prompt("a") + "\n" + prompt("b"), []string{"a", "b"}, 0, 2},
		"the last line is cut":    {prompt("a") + "\n" + prompt("b")[:40], []string{"a"}, 0, 1},
		"fields of odd types": {`{"type":"user","cwd":7,"isMeta":"no","message":{"content":"a"}}` + "\n" +
			`{"type":["user"]}` + "\n", []string{"a"}, 0, 2},
		"nested too deep": {`{"type":"user","x":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + "}\n" +
			prompt("b") + "\n", []string{"b"}, 1, 2},
		"not UTF-8": {"{\"type\":\"user\",\"message\":{\"content\":\"a\xff\\ud800\"}}\n",
			[]string{"a\ufffd\ufffd"}, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s, entries := readAll(t, claudeFile(t, c.content))
			if diff := cmp.Diff(c.want, texts(entries)); diff != "" {
				t.Error(diff[:min(len(diff), 500)])
			}
			if s.Stats.Skipped != c.skipped || s.Stats.Lines != c.lines {
				t.Errorf("%d lines, %d skipped; want %d, %d", s.Stats.Lines, s.Stats.Skipped, c.lines, c.skipped)
			}
		})
	}
}

func TestAGrownFileIsContinuedFromEveryOffset(t *testing.T) {
	full := "\ufeff" + prompt("a") + "\r\n" + "{broken\n" + prompt("b") + "\n" + prompt("c") + "\n"
	want := []string{"a", "b", "c"}
	for cut := range len(full) {
		src := claudeFile(t, full[:cut])
		_, first, off := readFrom(t, src, Offset{})
		write(t, src.Path, full)
		s, second, end := readFrom(t, src, off)
		if diff := cmp.Diff(want, append(texts(first), texts(second)...)); diff != "" {
			t.Fatalf("cut at %d: %s", cut, diff)
		}
		if s.Fresh != (off.Pos == 0) || s.Dir != "/home/dev/inn" || end.Pos != int64(len(full)) || end.Lines != 4 {
			t.Fatalf("cut at %d: %+v, offset %+v", cut, s, end)
		}
	}
}

func TestAnUnchangedFileYieldsNothing(t *testing.T) {
	src := claudeFile(t, prompt("a")+"\n")
	_, _, off := readFrom(t, src, Offset{})
	s, entries, again := readFrom(t, src, off)
	if len(entries) != 0 || s.Fresh || again != off || s.Stats.Lines != 0 {
		t.Errorf("%d entries, %+v, offset %+v then %+v", len(entries), s, off, again)
	}
}

func TestAReplacedOrTruncatedFileIsReadFromTheStart(t *testing.T) {
	for name, content := range map[string]string{
		"replaced, longer": prompt("x") + "\n" + prompt("y") + "\n" + prompt("z") + "\n",
		"truncated":        prompt("x") + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			src := claudeFile(t, prompt("a")+"\n"+prompt("b")+"\n")
			_, _, off := readFrom(t, src, Offset{})
			write(t, src.Path, content)
			s, entries, _ := readFrom(t, src, off)
			if !s.Fresh || len(entries) == 0 || entries[0].Text != "x" || entries[0].Ref != "1" {
				t.Errorf("fresh %v, %+v", s.Fresh, entries)
			}
		})
	}
}

func TestTheResultOfAnEarlierCallComesWithItsID(t *testing.T) {
	call := `{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"go test"}}]}}` + "\n"
	result := `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"FAIL","is_error":true}]}}` + "\n"
	src := claudeFile(t, call)
	_, first, off := readFrom(t, src, Offset{})
	write(t, src.Path, call+result)
	_, second, _ := readFrom(t, src, off)
	want := []Entry{
		{Role: Tool, Tool: "Bash", CallID: "t1", Input: map[string]any{"command": "go test"}, Ref: "1"},
		{Role: Tool, CallID: "t1", Output: "FAIL", Failed: true, Ref: "2"},
	}
	if diff := cmp.Diff(want, append(first, second...)); diff != "" {
		t.Error(diff)
	}
}

func TestCallsWithoutResultsDoNotPileUp(t *testing.T) {
	var b strings.Builder
	for i := range 3 * maxCalls {
		fmt.Fprintf(
			&b, `{"type":"assistant","message":{"id":"m%d","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{}}]}}`+"\n", i, i)
	}
	src, n, early := claudeFile(t, b.String()), 0, false
	s := &sink{Session: Session{Agent: Claude, ID: "s"}}
	s.yield = func(Entry) error { n++; early = early || len(s.calls) >= maxCalls; return nil }
	if _, err := read(t.Context(), src, Offset{}, s); err != nil {
		t.Fatal(err)
	}
	if n != 3*maxCalls || !early || s.held != 0 {
		t.Errorf("%d entries, held %d, some yielded before the end: %v", n, s.held, early)
	}
}

func TestAnErrorOfTheCallerLeavesTheOffset(t *testing.T) {
	src := claudeFile(t, prompt("a")+"\n"+prompt("b")+"\n")
	_, _, off := readFrom(t, src, Offset{})
	write(t, src.Path, prompt("a")+"\n"+prompt("b")+"\n"+prompt("c")+"\n")
	_, end, err := Read(t.Context(), src, off, func(Entry) error { return os.ErrClosed })
	if err == nil || end != off {
		t.Errorf("error %v, offset %+v, want %+v", err, end, off)
	}
}

const rollout = `{"timestamp":"2025-10-02T08:15:01Z","type":"session_meta","payload":{"id":"01997c11-9a3b-7d10-8f2e-4b1f0c9d2e77","cwd":"/home/dev/inn"}}
{"timestamp":"2025-10-02T08:15:02Z","type":"event_msg","payload":{"type":"user_message","message":"Packed."}}
`

func TestACompressedRolloutIsReadOnce(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sessions", "rollout-2025-10-02T08-15-00-01997c11-9a3b-7d10-8f2e-4b1f0c9d2e77.jsonl.zst")
	enc, _ := zstd.NewWriter(nil)
	write(t, path, string(enc.EncodeAll([]byte(rollout), nil)))
	src := sessions(t, Roots{Codex: dir})[0]
	s, entries, off := readFrom(t, src, Offset{})
	if s.Dir != "/home/dev/inn" || len(entries) != 1 || entries[0].Text != "Packed." {
		t.Fatalf("%+v %+v", s, entries)
	}
	if _, entries, _ = readFrom(t, src, off); len(entries) != 0 {
		t.Errorf("read twice: %+v", entries)
	}
	write(t, path, string(enc.EncodeAll([]byte(rollout+rollout), nil)))
	if s, _, _ := readFrom(t, src, off); !s.Fresh {
		t.Error("a new compressed file must be read from its start")
	}
	write(t, strings.TrimSuffix(path, zstExt), rollout)
	if found := sessions(t, Roots{Codex: dir}); len(found) != 1 || strings.HasSuffix(found[0].Path, zstExt) {
		t.Errorf("the original next to it must win: %+v", found)
	}
	write(t, path, "not zstd at all")
	if _, _, err := Read(t.Context(), src, Offset{}, nil); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v must name the file", err)
	}
}

func TestALineWithoutTextMayComeFirst(t *testing.T) {
	for _, blank := range []string{"\n", " \n\n"} {
		lines := strings.SplitAfter(blank+forked, "\n")
		for cut := range lines {
			src := codexFile(t, strings.Join(lines[:cut], ""))
			_, first, off := readFrom(t, src, Offset{})
			write(t, src.Path, blank+forked)
			s, second, _ := readFrom(t, src, off)
			if all := append(first, second...); s.Parent != "root" || s.Dir != "/home/dev/inn" || len(all) != 1 {
				t.Errorf("%q, cut after %d lines: %+v %+v", blank, cut, s, all)
			}
		}
	}
}
