package daemon

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/config"
	"keepmum/distill"
	"keepmum/privacy/leak"
	"keepmum/store"
	"keepmum/transcript"
)

const ownFixtures = "../testdata/transcripts"

// TestOwnTranscriptsAreSynced takes every fixture through the real sync.
func TestOwnTranscriptsAreSynced(t *testing.T) {
	const said = `{"type":"user","sessionId":"5b0c2f5e-3a61-4f0e-9d57-0c1a7e2f9b11","cwd":"/home/dev/inn","timestamp":"2026-02-01T10:00:00Z","message":{"role":"user",` +
		`"content":"From now on always deploy with GITHUB_TOKEN=ghp_Hq7Tz2Vb9Xc4Nm6Lp1Rk8Wd3Sf5Gj0Ya2EuQ and SESSION_KEY=5f1d0c9be27a44e3a86f12d0b7c3e955, because the bot has no other."}}` + "\n"
	dir := aged(t, ownFixtures, func(dir string) {
		path := filepath.Join(dir, "claude/projects/-home-dev-inn/5b0c2f5e-3a61-4f0e-9d57-0c1a7e2f9b11.jsonl")
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString("\n" + said)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	})
	syncRecorded(
		t, recording{roots: transcript.Roots{Claude: filepath.Join(dir, "claude"), Codex: filepath.Join(dir, "codex"),
			OpenCode: filepath.Join(dir, "opencode"), CursorHome: filepath.Join(dir, "cursor")}, text: said,
			goldens: []string{"claude-2.0", "codex-0.46", "opencode-files", "cursor-files"}})
}

// TestRecordedTranscriptsAreSynced does so with what the real programs wrote, and
// with what their hooks said about the same sessions at the time.
func TestRecordedTranscriptsAreSynced(t *testing.T) {
	dir := os.Getenv("MUM_FIXTURES_DIR")
	if dir == "" {
		t.Skip("MUM_FIXTURES_DIR is not set")
	}
	at := aged(t, filepath.Join(dir, "transcripts"))
	if err := os.Mkdir(filepath.Join(at, "home"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(at, "claude"), filepath.Join(at, "home", "projects")); err != nil {
		t.Fatal(err)
	}
	rec := recording{roots: transcript.Roots{Claude: filepath.Join(at, "home"), Codex: filepath.Join(at, "codex"),
		OpenCode: filepath.Join(at, "opencode")}, text: contents(t, filepath.Join(dir, "transcripts")),
		goldens: []string{"claude-2.1.329", "codex-0.169.0", "opencode-1.18.33"}}
	t.Run("files", func(t *testing.T) { syncRecorded(t, rec) })
	rec.hooks = map[string]string{"claude": filepath.Join(dir, "hooks", "claude-2.1.329.jsonl"),
		"codex": filepath.Join(dir, "hooks", "codex-0.169.0.jsonl")}
	t.Run("files and hooks", func(t *testing.T) { syncRecorded(t, rec) })
}

// recording is sessions as agents left them.
type recording struct {
	roots   transcript.Roots
	text    string
	goldens []string          // which tell how many sessions there are
	hooks   map[string]string // agent → what its hooks said
}

func syncRecorded(t *testing.T, rec recording) {
	t.Helper()
	dir := t.TempDir()
	model, with := modelThatSays(t, "certainly!") // the heuristic answers; what it was asked is looked through
	r := startReading(t, dir, rec.roots, with, func(c *config.Config) { c.Compress.PerMinute = 1_000_000 })
	for agent, path := range rec.hooks {
		for _, line := range lines(t, path) {
			if got := r.ask(t, "POST", "/hooks/"+agent, line); got.status != 200 {
				t.Fatalf("hook: %d %s", got.status, got.body)
			}
		}
	}
	first := r.synced(t, `{"all":true}`)
	want := 0
	for _, name := range rec.goldens {
		golden, err := os.ReadFile(filepath.Join(ownFixtures, "golden", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		want += strings.Count("\n"+string(golden), "\n== ")
	}
	rows, err := r.d.db.SyncJobs(t.Context(), store.SyncFilter{}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, row := range rows {
		seen[row.Native] = true
	}
	if first.Failed != 0 || first.Extracted == 0 || first.Scanned != want || len(rows) != want || len(seen) != want {
		t.Errorf("%d sessions are known, %d found, %d of them twice, want %d: %+v", len(rows), first.Scanned,
			len(rows)-len(seen), want, first)
	}
	tree := memoryFiles(t, dir)
	for _, again := range []string{`{"all":true}`, `{"all":true,"force":true}`} {
		got := r.synced(t, again)
		if got.Decisions+got.Learnings+got.Updated+got.Failed != 0 {
			t.Errorf("%s: %+v", again, got)
		}
		if now := memoryFiles(t, dir); len(now) != len(tree) {
			t.Errorf("%s: %d files became %d", again, len(tree), len(now))
		}
	}
	if got := r.ask(t, "GET", "/ledger/egress", ""); !strings.Contains(got.body, `"purpose":"extract"`) {
		t.Errorf("the model was asked nothing: %s", got.body)
	}
	r.end(t)
	secrets := plantedIn(t, rec.text)
	for _, h := range leak.NewScanner(secrets).Bytes("what a model was given", model.Received()) {
		t.Error(h)
	}
	looked, err := leak.NewScanner(secrets).Dir(dir)
	for _, h := range looked.Hits {
		t.Error(h)
	}
	if err != nil || looked.Files < 5 {
		t.Errorf("%d files, %v", looked.Files, err)
	}
}

func (r *rig) synced(t *testing.T, body string) api.Synced {
	t.Helper()
	got := r.ask(t, "POST", "/sync", body)
	all := strings.Split(strings.TrimSpace(got.body), "\n")
	var last api.RunEvent
	if err := json.Unmarshal([]byte(all[len(all)-1]), &last); err != nil || last.Sync == nil {
		t.Fatalf("%v: %s", err, got.body)
	}
	return *last.Sync
}

// plantedIn finds the secrets that were put into the fixtures on purpose.
func plantedIn(t *testing.T, text string) (out []leak.Secret) {
	t.Helper()
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile(
		`\b(ghp_[A-Za-z0-9]{36})\b|\b(?:DB_PASSWORD|SESSION_KEY)=([\w-]{12,})`).FindAllStringSubmatch(text, -1) {
		if value := m[1] + m[2]; !seen[value] {
			seen[value] = true
			out = append(out, leak.Secret{Name: value[:6], Value: value})
		}
	}
	if len(out) < 2 {
		t.Fatalf("%d secrets are planted: the test looks for nothing", len(out))
	}
	return out
}

// aged copies a directory as if nobody had written to it for an hour.
func aged(t *testing.T, from string, change ...func(dir string)) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	for _, f := range change {
		f(to)
	}
	then := time.Now().Add(-time.Hour)
	err := filepath.WalkDir(to, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, then, then)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// contents is all that is in the files of a directory.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.Contains(path, "golden") {
			return err
		}
		data, err := os.ReadFile(path)
		b.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// memoryFiles are the markdown files of a data directory.
func memoryFiles(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md") && !strings.HasPrefix(path, distill.RunsDir(dir)) {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func lines(t *testing.T, path string) (out []string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 64<<20)
	for s.Scan() {
		out = append(out, s.Text())
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
