package transcript

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const fixtures = "../testdata/transcripts"

func TestOwnFixturesReadAsTheirGoldensSay(t *testing.T) {
	for name, roots := range map[string]Roots{
		"claude-2.0":     {Claude: fixtures + "/claude"},
		"codex-0.46":     {Codex: fixtures + "/codex"},
		"cursor-files":   {CursorHome: fixtures + "/cursor"},
		"opencode-files": {OpenCode: fixtures + "/opencode"},
		"cursor-3":       {CursorUser: cursorUser(t)},
	} {
		t.Run(name, func(t *testing.T) { golden(t, name, roots) })
	}
}

// The recordings of the real programs are too large for the repository; their goldens are not.
func TestRecordedSessionsReadAsTheirGoldensSay(t *testing.T) {
	dir := os.Getenv("MUM_FIXTURES_DIR")
	if dir == "" {
		t.Skip("MUM_FIXTURES_DIR is not set")
	}
	dir = filepath.Join(dir, "transcripts")
	claude := t.TempDir()
	if err := os.Symlink(filepath.Join(dir, "claude"), filepath.Join(claude, "projects")); err != nil {
		t.Fatal(err)
	}
	golden(t, "claude-2.1.329", Roots{Claude: claude})
	golden(t, "codex-0.169.0", Roots{Codex: filepath.Join(dir, "codex")})
	golden(t, "opencode-1.18.33", Roots{OpenCode: filepath.Join(dir, "opencode")})
}

func golden(t *testing.T, name string, roots Roots) {
	t.Helper()
	path := filepath.Join(fixtures, "golden", name+".txt")
	got := render(t, roots)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); diff != "" {
		t.Error(diff)
	}
}

func render(t *testing.T, roots Roots) string {
	t.Helper()
	var b strings.Builder
	for _, s := range sessions(t, roots) {
		got, entries := readAll(t, s)
		fmt.Fprintf(&b, "== %s %s\nparent %q dir %q branch %q title %q version %q\n%s – %s\nlines %d skipped %d\n",
			got.Agent, got.ID, got.Parent, got.Dir, got.Branch, got.Title, got.Version,
			clock(got.Start), clock(got.End), got.Stats.Lines, got.Stats.Skipped)
		for _, e := range entries {
			b.WriteString(line(e))
		}
	}
	return b.String()
}

// line formats an entry for review, with only the beginning of long values.
func line(e Entry) string {
	out := fmt.Sprintf("%s %s", clock(e.At), e.Role)
	if e.Sidechain {
		out += " side"
	}
	if e.Role != Tool {
		if e.Beside != nil {
			return fmt.Sprintf("%s %s %s %s %s\n", out, e.Ref, e.Tool, short(e.Input), short(e.Beside))
		}
		return fmt.Sprintf("%s %s %s\n", out, e.Ref, short(e.Text))
	}
	if e.Failed {
		out += " failed"
	}
	return fmt.Sprintf("%s %s %s %s %s -> %s\n", out, e.Ref, e.Tool, e.CallID, short(e.Input), short(e.Output))
}

func short(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
	s := []rune(strings.TrimSpace(b.String()))
	if len(s) > 160 {
		return string(s[:160]) + "…"
	}
	return string(s)
}

func clock(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Format("2006-01-02T15:04:05.000")
}

// sessions lists everything below roots.
func sessions(t *testing.T, roots Roots) []Source {
	t.Helper()
	found, err := Discover(t.Context(), roots)
	if err != nil {
		t.Fatal(err)
	}
	var out []Source
	for _, src := range found {
		list, err := Sessions(t.Context(), src)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, list...)
	}
	if len(out) == 0 {
		t.Fatal("no sessions found")
	}
	return out
}

func readAll(t *testing.T, src Source) (Session, []Entry) {
	t.Helper()
	s, entries, _ := readFrom(t, src, Offset{})
	return s, entries
}

func readFrom(t *testing.T, src Source, from Offset) (Session, []Entry, Offset) {
	t.Helper()
	var entries []Entry
	s, end, err := Read(t.Context(), src, from, func(e Entry) error {
		entries = append(entries, e)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, entries, end
}

func texts(entries []Entry) []string {
	var out []string
	for _, e := range entries {
		out = append(out, e.Text)
	}
	return slices.Clip(out)
}
