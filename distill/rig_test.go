package distill_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/capture"
	"keepmum/config"
	"keepmum/distill"
	"keepmum/extract"
	"keepmum/hooks"
	"keepmum/memory"
	"keepmum/privacy"
	"keepmum/store"
	"keepmum/transcript"
)

// rig is a data directory with agents' directories and a stopped clock.
type rig struct {
	t      *testing.T
	home   string
	agents string
	db     *store.DB
	intake *capture.Intake
	world  distill.World
	now    time.Time
	seen   []extract.Session // what was extracted from
	fail   map[string]error  // by project name
}

func newRig(t *testing.T, change ...func(*config.Config)) *rig {
	t.Helper()
	dir := t.TempDir()
	r := &rig{t: t, home: filepath.Join(dir, "data"), agents: filepath.Join(dir, "agents"), fail: map[string]error{},
		now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	if err := os.MkdirAll(r.home, 0o700); err != nil {
		t.Fatal(err)
	}
	cfg := config.Default()
	cfg.Privacy.Vault = false
	for _, f := range change {
		f(&cfg)
	}
	var err error
	if r.intake, err = capture.NewIntake(capture.Options{Home: r.home, Config: cfg, Key: []byte("key"),
		Now: r.clock}); err != nil {
		t.Fatal(err)
	}
	if r.db, err = store.Open(t.Context(),
		store.Options{Path: filepath.Join(r.home, "memory.db"), Now: r.clock, Key: []byte("key")}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.db.Close() })
	r.world = distill.World{Home: r.home, DB: r.db, Gate: r.intake.Gate(),
		Roots: transcript.Roots{Claude: filepath.Join(r.agents, "claude"), Codex: filepath.Join(r.agents, "codex"),
			OpenCode: filepath.Join(r.agents, "opencode"), CursorUser: filepath.Join(r.agents, "cursor"),
			CursorHome: filepath.Join(r.agents, "cursor")}, Admit: r.admit,
		Extract: r.extract, Place: r.place, Now: r.clock}
	return r
}

func (r *rig) clock() time.Time { return r.now }

func (r *rig) admit(o distill.Origin) (*distill.Admission, string) {
	a, why := r.intake.Read(hooks.Event{Agent: o.Agent, Session: o.ID, Parent: o.Parent, Dir: o.Dir, Branch: o.Branch})
	if why != "" {
		return nil, why
	}
	p := store.Project{Name: a.Project.Name}
	if o.Dir != "" {
		p.Aliases = []store.Alias{{Kind: store.AliasDir, Value: a.Project.Root}}
	}
	return &distill.Admission{Gate: a.Gate, Scope: a.Scope, Project: p, Moved: a.Moved, Prompt: a.Prompt, Step: a.Step,
		Private: a.Private, Named: a.Named}, ""
}

// extract turns every prompt that begins with "remember" into a preference: what a session teaches is tested elsewhere.
func (r *rig) extract(_ context.Context, _ int64, s extract.Session, from int) (extract.Result, error) {
	if err := r.fail[s.Project.String()]; err != nil {
		return extract.Result{}, err
	}
	r.seen = append(r.seen, distill.NewPart(s, from))
	var out extract.Result
	for _, st := range s.Steps {
		if st.Role != extract.User || !strings.HasPrefix(st.Text.String(), "remember") {
			continue
		}
		out.Candidates = append(out.Candidates,
			memory.Candidate{Primitive: memory.Learning, Kind: memory.Preference, Title: st.Text.Cut(60), Body: st.Text,
				Confidence: 0.9, Told: true, At: st.At,
				Sources: []memory.Source{{Session: privacy.Join("/", s.Agent, s.ID), Ref: st.Ref}}})
	}
	return out, nil
}

func (r *rig) place(_ context.Context, project int64) (distill.Place, error) {
	name, err := r.db.ProjectName(context.Background(), project)
	return distill.Place{Root: filepath.Join(r.home, "projects", name, "memory"), Decay: memory.DefaultDecay()}, err
}

// sync runs once and fails the test if the run itself fails.
func (r *rig) sync(o distill.SyncOptions) distill.Report {
	r.t.Helper()
	rep, err := distill.Sync(r.t.Context(), r.world, o)
	if err != nil {
		r.t.Fatal(err)
	}
	return rep
}

// said is one line of a transcript of Claude Code.
type said struct {
	role, text string
	tool       string // for an assistant: a call
	input      map[string]any
	output     string // its result
	failed     bool
}

// claude writes a session of Claude Code that was last changed an hour ago.
func (r *rig) claude(project, id string, lines ...said) string {
	r.t.Helper()
	path := filepath.Join(r.agents, "claude", "projects", "-home-dev-"+project, id+".jsonl")
	r.append(path, project, id, 0, lines...)
	return path
}

// append adds lines to a session as the agent does.
func (r *rig) append(path, project, id string, after int, lines ...said) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		r.t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		r.t.Fatal(err)
	}
	enc := json.NewEncoder(f)
	for i, s := range lines {
		for _, rec := range s.records(project, id, after+i, r.now.Add(-2*time.Hour)) {
			if err := enc.Encode(rec); err != nil {
				r.t.Fatal(err)
			}
		}
	}
	if err := f.Close(); err != nil {
		r.t.Fatal(err)
	}
	at := r.now.Add(-time.Hour + time.Duration(after)*time.Second)
	if err := os.Chtimes(path, at, at); err != nil {
		r.t.Fatal(err)
	}
}

func (s said) records(project, id string, i int, start time.Time) []map[string]any {
	rec := func(kind string, content any) map[string]any {
		return map[string]any{"type": kind, "sessionId": id, "cwd": "/home/dev/" + project, "gitBranch": "main",
			"version":   "2.1.0",
			"timestamp": start.Add(time.Duration(i) * time.Minute).Format(time.RFC3339Nano),
			"message":   map[string]any{"role": kind, "id": id + string(rune('a'+i)), "content": content}}
	}
	if s.tool == "" {
		return []map[string]any{rec(s.role, s.text)}
	}
	call := id + "-call-" + string(rune('a'+i))
	return []map[string]any{
		rec("assistant", []any{map[string]any{"type": "tool_use", "id": call, "name": s.tool, "input": s.input}}),
		rec("user",
			[]any{map[string]any{"type": "tool_result", "tool_use_id": call, "content": s.output, "is_error": s.failed}}),
	}
}

func user(text string) said      { return said{role: "user", text: text} }
func assistant(text string) said { return said{role: "assistant", text: text} }

// files returns the names and contents of everything in the data directory.
func (r *rig) files() map[string]string {
	r.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(r.home, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if strings.HasSuffix(path, "-shm") { // SQLite's shared memory, which holds no data
			return nil
		}
		data, err := os.ReadFile(path)
		out[strings.TrimPrefix(path, r.home+"/")] = string(data)
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return out
}

// memories returns the active memories of a project, by path.
func (r *rig) memories(project string) []string {
	r.t.Helper()
	var out []string
	for name := range r.files() {
		rest, ok := strings.CutPrefix(name, "projects/"+project+"/memory/")
		if ok && (strings.HasPrefix(rest, "learnings/") || strings.HasPrefix(rest, "decisions/")) {
			out = append(out, rest)
		}
	}
	return out
}

// holdsNone fails if any file of the data directory, or what the extractor got, contains one of the texts.
func (r *rig) holdsNone(texts ...string) {
	r.t.Helper()
	given, err := json.Marshal(r.seen)
	if err != nil {
		r.t.Fatal(err)
	}
	all := r.files()
	all["what was extracted from"] = string(given)
	for name, content := range all {
		for _, text := range texts {
			if bytes.Contains([]byte(content), []byte(text)) {
				r.t.Errorf("%s holds %q", name, text)
			}
		}
	}
}

func (r *rig) jobs(states ...store.SyncState) []store.CatalogueRow {
	r.t.Helper()
	rows, err := r.db.SyncJobs(r.t.Context(), store.SyncFilter{States: states}, 100)
	if err != nil {
		r.t.Fatal(err)
	}
	return rows
}

func (r *rig) text(s string) privacy.Clean {
	c, _ := r.world.Gate.Text(s)
	return c
}

// hooked stores a prompt as a hook would, and returns its id.
func (r *rig) hooked(session, project, text string, at time.Time) int64 {
	r.t.Helper()
	root := r.text("/home/dev/" + project)
	got, err := r.db.PutPrompt(r.t.Context(),
		store.Prompt{Text: r.text(text), At: at,
			Session: store.SessionRef{Agent: r.text("claude"), Native: r.text(session), Dir: root,
				Project: store.Project{Name: r.text(project), Aliases: []store.Alias{{Kind: store.AliasDir, Value: root}}}}})
	if err != nil {
		r.t.Fatal(err)
	}
	return got.ID
}
