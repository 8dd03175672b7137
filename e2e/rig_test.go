package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/await"
)

// rig is a user with a project, one agent, and mum installed and connected.
type rig struct {
	t       *testing.T
	agent   agent
	harness string // directory of the runners and scripts
	agents  string // directory of the agents' programs
	dir     string
	home    string
	project string
	bin     string // directory of mum
	runs    int
	env     []string // variables for the agent, NAME=value
}

// agent is what differs from agent to agent.
type agent struct {
	name     string
	settings string                                 // the file that connect edits, below the home directory
	original string                                 // what is in it before; "" = no such file
	tool     func(b block) (name string, input any) // how the agent reports a scripted call
	failures bool                                   // it tells that a tool failed
}

func newRig(t *testing.T, a agent) *rig {
	t.Helper()
	r := &rig{t: t, agent: a, harness: os.Getenv("MUM_E2E_DIR"), agents: os.Getenv("MUM_AGENTS_DIR")}
	if r.harness == "" || r.agents == "" {
		t.Skip("MUM_E2E_DIR and MUM_AGENTS_DIR are not set")
	}
	dir, err := os.MkdirTemp("", "mum") // short: a socket's path has 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	r.dir, r.home, r.project, r.bin = dir, filepath.Join(dir, "home"), filepath.Join(dir, "shop"),
		filepath.Join(dir, "bin")
	r.run(nil, "go", "build", "-o", filepath.Join(r.bin, "mum"), "keepmum/cmd/mum")
	r.run(nil, filepath.Join(r.harness, "make-project.sh"), r.project)
	r.write(filepath.Join(r.home, ".mum", "config.toml"), "[daemon]\nport = 0\n")
	if a.original != "" {
		r.write(r.settings(), a.original)
	}
	r.mum("connect", a.name)
	t.Cleanup(func() { r.mum("down") })
	return r
}

func (r *rig) settings() string { return filepath.Join(r.home, r.agent.settings) }

func (r *rig) write(path, text string) {
	r.t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		r.t.Fatal(err)
	}
}

// run runs a command and returns its stdout; env nil = the environment of the test.
func (r *rig) run(env []string, name string, args ...string) string {
	r.t.Helper()
	cmd := exec.Command(name, args...)
	var out, talk bytes.Buffer
	cmd.Env, cmd.Stdout, cmd.Stderr = env, &out, &talk
	if err := cmd.Run(); err != nil {
		r.t.Fatalf("%s %s: %v\n%s%s", filepath.Base(name), strings.Join(args, " "), err, &out, &talk)
	}
	return out.String()
}

func (r *rig) mum(args ...string) string {
	r.t.Helper()
	return r.run([]string{"HOME=" + r.home, "PATH=" + r.bin + ":/usr/bin:/bin"}, filepath.Join(r.bin, "mum"), args...)
}

// block and script are what the model will say; see mock.mjs of the harness.
type block struct {
	Type  string          `json:"type"`
	Text  string          `json:"text,omitempty"`
	Name  string          `json:"name,omitempty"`
	Input json.RawMessage `json:"input,omitempty"`
}

type script struct {
	Prompt string    `json:"prompt"`
	Turns  [][]block `json:"turns"`
	Lanes  []struct {
		Name  string    `json:"name"`
		Turns [][]block `json:"turns"`
	} `json:"lanes"`
}

// blocks returns everything that the model says, of one type.
func (s script) blocks(types ...string) []block {
	turns := s.Turns
	for _, lane := range s.Lanes {
		turns = append(turns, lane.Turns...)
	}
	var all []block
	for _, turn := range turns {
		for _, b := range turn {
			for _, t := range types {
				if b.Type == t {
					all = append(all, b)
				}
			}
		}
	}
	return all
}

func (s script) answer() string {
	last := s.Turns[len(s.Turns)-1]
	return last[len(last)-1].Text
}

// script reads one of the harness's conversations, e.g. "1" for claude-1.json.
func (r *rig) script(name string) script {
	r.t.Helper()
	data, err := os.ReadFile(r.scriptFile(name))
	if err != nil {
		r.t.Fatal(err)
	}
	var s script
	text := strings.ReplaceAll(string(data), "${PROJECT}", r.project)
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		r.t.Fatal(err)
	}
	return s
}

func (r *rig) scriptFile(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(r.harness, "scripts", r.agent.name+"-"+name+".json")
}

// request is one request of the agent to the model.
type request struct {
	Kind     string `json:"kind"`
	Lane     string `json:"lane"`
	System   string `json:"system"`
	Target   string `json:"target"`
	Messages []struct {
		Text string `json:"text"`
	} `json:"messages"`
}

func (q request) text() string {
	parts := []string{q.System}
	for _, m := range q.Messages {
		parts = append(parts, m.Text)
	}
	return strings.Join(parts, "\n")
}

// session is what one run of the agent left behind.
type session struct {
	out, errs string
	requests  []request
}

// run lets the agent work through a script; it fails the test if the agent fails.
func (r *rig) session(scriptName string, extra ...string) session {
	r.t.Helper()
	r.runs++
	out := filepath.Join(r.dir, "out"+strconv.Itoa(r.runs))
	r.write(filepath.Join(out, "mock-port.txt"), "") // on a busy machine the runner reads it before the mock has made it
	args := []string{
		"--agents", r.agents, "--home", r.home, "--project", r.project, "--path", r.bin,
		"--script", r.scriptFile(scriptName), "--out", out,
	}
	for _, v := range r.env {
		args = append(args, "--env", v)
	}
	runner := exec.Command(filepath.Join(r.harness, "run-"+r.agent.name+".sh"), append(args, extra...)...)
	talk, _ := runner.CombinedOutput()                      // its status may be that of the model it stops
	code, _ := os.ReadFile(filepath.Join(out, "exit-code")) // not there when the runner itself failed
	if strings.TrimSpace(string(code)) != "0" {
		errs, _ := os.ReadFile(filepath.Join(out, "stderr.txt"))
		r.t.Fatalf("%s ended with %q\nthe runner said: %s\nthe agent said: %s", r.agent.name, code, talk, errs)
	}
	var s session
	s.out, s.errs = r.read(filepath.Join(out, "stdout.txt")), r.read(filepath.Join(out, "stderr.txt"))
	for line := range strings.Lines(r.read(filepath.Join(out, "mock.jsonl"))) {
		var q request
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			r.t.Fatal(err)
		}
		s.requests = append(s.requests, q)
	}
	r.settle()
	return s
}

// firstRequest returns the first request of the conversation itself.
func (s session) firstRequest(t *testing.T) request {
	t.Helper()
	for _, q := range s.requests {
		if q.Kind == "model" && q.Lane == "main" {
			return q
		}
	}
	t.Fatal("the agent asked the model nothing")
	return request{}
}

func (r *rig) read(path string) string {
	r.t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		r.t.Fatal(err)
	}
	return string(data)
}

// settle brings a daemon up and waits until it has taken in what was spooled.
func (r *rig) settle() {
	r.t.Helper()
	r.mum("up")
	await.True(r.t, "an empty spool", func() bool { return r.status().Spool == 0 })
}

func (r *rig) get(path string, query url.Values, out any) {
	r.t.Helper()
	if err := api.NewClient(filepath.Join(r.home, ".mum"), "").Get(r.t.Context(), path, query, out); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) status() api.Status {
	r.t.Helper()
	var s api.Status
	r.get("/status", nil, &s)
	return s
}

func (r *rig) found(kind string) []api.Result {
	r.t.Helper()
	var s api.SearchResults
	r.get("/search", url.Values{"type": {kind}, "limit": {"100"}, "project": {"*"}}, &s)
	return s.Results
}

func (r *rig) observations() []api.Observation {
	r.t.Helper()
	var ids []string
	for _, o := range r.found("observation") {
		ids = append(ids, strconv.FormatInt(o.ID, 10))
	}
	if len(ids) == 0 {
		return nil
	}
	var o api.Observations
	r.get("/observation/"+strings.Join(ids, ","), nil, &o)
	return o.Observations
}

// onDisk returns the files under mum's data directories that hold any of the words. It reads a write-ahead log before
// its database, into which the daemon may move the words meanwhile.
func (r *rig) onDisk(words []string) []string {
	r.t.Helper()
	var files, found []string
	for _, root := range []string{filepath.Join(r.home, ".mum"), filepath.Join(r.project, ".mum")} {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err == nil && e.Type().IsRegular() {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			r.t.Fatal(err)
		}
	}
	for _, path := range slices.Backward(files) { // memory.db-wal is after memory.db
		data, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			r.t.Fatal(err)
		}
		for _, w := range words {
			if bytes.Contains(data, []byte(w)) {
				found = append(found, filepath.Base(path)+" holds …"+w[len(w)-4:])
			}
		}
	}
	return found
}
