package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/capture"
	"keepmum/config"
	"keepmum/home"
	"keepmum/hooks"
	"keepmum/llm/ollamatest"
	"keepmum/longtest"
	"keepmum/privacy"
	"keepmum/privacy/leak"
	"keepmum/spool"
)

// attack is one way to get a secret onto the disk, or to where a model reads.
type attack struct {
	name  string
	kind  secretKind
	steps func(secret string) []step
}

// secretKind says what gives a secret away.
type secretKind int

const (
	token    secretKind = iota // its shape: a GitHub token
	password                   // nothing but where it stands: three words and a number
)

// step is one request of an attack.
type step struct {
	method, path string
	body         []byte
	header       http.Header
	offline      bool // the daemon is down: the hook cleans and spools
	agent        string
}

// hook is an agent's payload.
func hook(agent string, fields map[string]any) step {
	body, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return step{method: http.MethodPost, path: "/hooks/" + agent, body: body, agent: agent}
}

type fields = map[string]any

// used is Claude Code's report that a tool was used.
func used(tool string, input, response any) step {
	return hook("claude",
		fields{"session_id": "attack", "cwd": "/home/dev/shop", "hook_event_name": "PostToolUse", "tool_name": tool,
			"tool_input": input, "tool_response": response, "tool_use_id": fmt.Sprint(rand.Uint64())})
}

func ran(command, stdout string) step {
	return used("Bash", fields{"command": command}, fields{"stdout": stdout, "stderr": "", "interrupted": false})
}

// with sets a field of a payload.
func (s step) with(key string, value any) step {
	var m fields
	if err := json.Unmarshal(s.body, &m); err != nil {
		panic(err)
	}
	m[key] = value
	out := hook(s.agent, m)
	out.header, out.offline = s.header, s.offline
	return out
}

func (s step) down() step { s.offline = true; return s }

func asked(prompt string) step {
	return hook("claude",
		fields{"session_id": "attack", "cwd": "/home/dev/shop", "hook_event_name": "UserPromptSubmit", "prompt": prompt,
			"prompt_id": fmt.Sprint(rand.Uint64())})
}

func ours(path string, body fields) step {
	s := hook("", body)
	s.path = path
	return s
}

func get(path string) step { return step{method: http.MethodGet, path: path} }

func made(kind secretKind, n int) string {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	if kind == token {
		b := []byte("ghp_")
		for range 36 {
			b = append(b, letters[r.IntN(len(letters))])
		}
		return string(b)
	}
	words := []string{"korrekt", "pferd", "batterie", "klammer", "nebel", "wolke", "kiesel", "amsel", "birke", "gabel"}
	return fmt.Sprintf("%s!%s%d", words[r.IntN(len(words))], words[r.IntN(len(words))], 1000+n)
}

// target is a daemon with a home and a project of its own.
type target struct {
	t       *testing.T
	home    home.Dir
	user    string // the user's home
	project string
	mode    privacy.Mode
	model   *ollamatest.Server // records every byte that is sent to it
	log     bytes.Buffer
	answers bytes.Buffer // everything the daemon said
}

func newTarget(t *testing.T, mode privacy.Mode) *target {
	t.Helper()
	x := &target{t: t, home: home.Dir(t.TempDir()), user: t.TempDir(), project: filepath.Join(t.TempDir(), "shop"),
		mode: mode}
	x.model = ollamatest.New(
		ollamatest.Options{Models: []ollamatest.Model{{Name: "small", Context: 8192, Capabilities: []string{"completion"}}}})
	t.Cleanup(x.model.Close)
	if _, err := home.Prepare(x.home); err != nil {
		t.Fatal(err)
	}
	writeFile(t, "PORT=3000\nDB_PASSWORD="+made(password, 9000)+"\n", x.project, ".env")
	writeFile(t, "machine h login u password "+made(password, 9002)+"\n", x.user, ".netrc")
	writeFile(t, "[remote \"origin\"]\n\turl = https://dev:"+made(token, 9003)+"@example.com/dev/shop.git\n", x.project,
		".git", "config")
	writeFile(t, "ref: refs/heads/fix/"+made(token, 9004)+"\n", x.project, ".git", "HEAD")
	return x
}

// planted are the secrets that are where a daemon looks on its own.
func planted() []leak.Secret {
	return []leak.Secret{{Name: "vault: .env", Value: made(password, 9000)},
		{Name: "vault: environment", Value: made(password, 9001)}, {Name: "vault: .netrc", Value: made(password, 9002)},
		{Name: "remote", Value: made(token, 9003)}, {Name: "branch", Value: made(token, 9004)}}
}

// up runs a daemon for as long as use does.
func (x *target) up(use func(client *api.Client)) {
	x.t.Helper()
	c := config.Loaded{Config: config.Default()}
	c.Daemon.Port = 0
	c.Privacy.Mode = string(x.mode)
	c.Compress.Provider, c.Compress.URL, c.Compress.Model, c.Compress.PerMinute = "ollama", x.model.URL, "small", 1<<20
	d := New(Options{Home: x.home, Config: c, UserHome: x.user, Env: []string{"SHOP_DB_PASSWORD=" + made(password, 9001)},
		Logger: slog.New(slog.NewJSONHandler(&x.log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	ctx, stop := context.WithCancel(x.t.Context())
	done := make(chan error, 1)
	go func() { done <- d.Run(ctx) }()
	client := x.client(done)
	use(client)
	stop()
	if err := <-done; err != nil {
		x.t.Fatal(err)
	}
}

// client waits until the daemon answers.
func (x *target) client(done <-chan error) *api.Client {
	x.t.Helper()
	for {
		client := api.NewClient(string(x.home), "")
		if err := client.Get(x.t.Context(), "/status", nil, nil); err == nil {
			return client
		}
		select {
		case err := <-done:
			x.t.Fatalf("the daemon ended: %v", err)
		default:
		}
	}
}

func (x *target) play(client *api.Client, steps []step) {
	x.t.Helper()
	for _, s := range steps {
		s.body = bytes.ReplaceAll(s.body, []byte("/home/dev/shop"), []byte(x.project))
		if s.offline {
			x.spoolIt(s)
			continue
		}
		resp, err := client.SendWith(x.t.Context(), s.method, s.path, bytes.NewReader(s.body), s.header)
		if refusal := (*api.Error)(nil); errors.As(err, &refusal) {
			fmt.Fprintln(&x.answers, refusal.Code) // the text may say what was wrong with what the caller wrote
			continue
		}
		if err != nil {
			continue // the request itself cannot be made
		}
		_, _ = x.answers.ReadFrom(resp.Body)
		_ = resp.Body.Close()
	}
}

// spoolIt does what `mum hook` does when no daemon answers.
func (x *target) spoolIt(s step) {
	x.t.Helper()
	events, err := hooks.Decode(s.agent, s.body)
	if err != nil {
		return
	}
	keys, err := home.Prepare(x.home)
	if err != nil {
		x.t.Fatal(err)
	}
	intake, err := capture.NewIntake(capture.Options{Home: string(x.home), Config: config.Default(), Key: keys.HMAC,
		UserHome: x.user})
	if err != nil {
		x.t.Fatal(err)
	}
	for i, e := range events {
		key := capture.Delivery(fmt.Sprint(rand.Uint64()), i)
		if clean, skipped := intake.Take(capture.Incoming{Event: e, Key: key}); skipped == "" {
			if err := spool.Dir(x.home.Spool()).Put(clean, key, clean.At); err != nil {
				x.t.Fatal(err)
			}
		}
	}
}

// readBack asks for everything that a person or a model may be shown.
func (x *target) readBack(client *api.Client) {
	x.play(client, []step{get("/search?project=*&limit=100"), get("/search?q=token&project=*&limit=100"),
		get("/context?project=shop&budget=4000"), get("/status"), get("/stats"), get("/ledger")})
	for from := 1; from < 500; from += 50 {
		var ids []string
		for id := from; id < from+50; id++ {
			ids = append(ids, fmt.Sprint(id))
		}
		x.play(client, []step{get("/observation/" + strings.Join(ids, ","))})
	}
}

func writeFile(t *testing.T, text string, path ...string) {
	t.Helper()
	file := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// summarise has every job done by the recording model.
func (x *target) summarise(client *api.Client) {
	x.t.Helper()
	if err := client.Post(x.t.Context(), "/compress", fields{}, nil); err != nil {
		x.t.Fatal(err)
	}
	for waiting := true; waiting; {
		var status struct{ Queue map[string]int }
		if err := client.Get(x.t.Context(), "/status", nil, &status); err != nil {
			x.t.Fatal(err)
		}
		waiting = status.Queue["pending"]+status.Queue["leased"]+status.Queue["failed"] > 0
	}
}

// attackAll plays each attack through the real hook path, with a secret of its
// own, and returns where one is found in what is left: every byte on disk, sent
// to the model, logged, or answered.
func (x *target) attackAll() []leak.Hit {
	x.t.Helper()
	secrets := planted()
	for n, a := range attacks() {
		secrets = append(secrets, leak.Secret{Name: a.name, Value: made(a.kind, n)})
	}
	x.up(func(client *api.Client) {
		for n, a := range attacks() {
			x.play(client, a.steps(made(a.kind, n)))
		}
		x.readBack(client)
	})
	x.up(func(client *api.Client) { // what was spooled is stored now
		x.readBack(client)
		if x.mode != privacy.ModeNone {
			x.summarise(client)
		}
	})
	scanner := leak.NewScanner(secrets)
	tree, err := scanner.Dir(string(x.home))
	if err != nil {
		x.t.Fatal(err)
	}
	if tree.Bytes < 100<<10 || x.answers.Len() < 10<<10 || x.mode != privacy.ModeNone && len(x.model.Chats()) < 10 {
		x.t.Fatalf("%d bytes on disk, %d bytes of answers, %d questions: nothing was stored, so nothing is proved",
			tree.Bytes, x.answers.Len(), len(x.model.Chats()))
	}
	hits := append(tree.Hits, scanner.Bytes("an answer", x.answers.Bytes())...)
	hits = append(hits, scanner.Bytes("what the model was sent", x.model.Received())...)
	return append(hits, scanner.Bytes("the log", x.log.Bytes())...)
}

func TestNoAttackGetsASecretOntoTheDiskOrToAModel(t *testing.T) {
	if n := len(attacks()); n < 100 {
		t.Fatalf("only %d attacks", n)
	}
	for _, hit := range newTarget(t, privacy.ModeSafe).attackAll() {
		t.Error(hit)
	}
}

// TestTheAttacksWorkWithoutTheGate shows that the attacks would be seen if they succeeded.
func TestTheAttacksWorkWithoutTheGate(t *testing.T) {
	longtest.Only(t)
	leaked := map[string]bool{}
	for _, hit := range newTarget(t, privacy.ModeNone).attackAll() {
		leaked[hit.Secret] = true
	}
	if len(leaked) < 100 {
		t.Errorf("only %d of %d attacks are found where nothing is taken out", len(leaked), len(attacks()))
	}
}
