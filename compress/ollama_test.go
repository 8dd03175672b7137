//go:build unix

package compress

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"keepmum/llm"
	"keepmum/llm/ollamatest"
	"keepmum/llm/tinymodel"
	"keepmum/privacy"
	"keepmum/store"
)

// realServer is an Ollama server of its own, with a tiny model of our own.
type realServer struct {
	t   *testing.T
	dir string
	at  string
	cmd *exec.Cmd
}

// startOllama runs the server that MUM_TEST_OLLAMA names; `make test-ollama` builds one.
func startOllama(t *testing.T) *realServer {
	t.Helper()
	if os.Getenv("MUM_TEST_OLLAMA") == "" {
		t.Skip("MUM_TEST_OLLAMA names no server: make test-ollama")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &realServer{t: t, dir: t.TempDir(), at: l.Addr().String()}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	s.start()
	t.Cleanup(s.kill)
	s.create()
	return s
}

func (s *realServer) start() {
	s.t.Helper()
	s.cmd = exec.Command(os.Getenv("MUM_TEST_OLLAMA"), "serve")
	s.cmd.Env = append(os.Environ(), "HOME="+s.dir, "OLLAMA_MODELS="+filepath.Join(s.dir, "models"), "OLLAMA_HOST="+s.at)
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // so that its runners end with it
	log, err := os.OpenFile(s.logFile(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	for range 300 {
		if resp, err := http.Get("http://" + s.at + "/api/version"); err == nil {
			_ = resp.Body.Close()
			return
		}
		select {
		case <-s.t.Context().Done():
		case <-time.After(100 * time.Millisecond): // another process: its port is all there is to wait for
		}
	}
	s.t.Fatalf("the server does not answer:\n%s", s.log())
}

func (s *realServer) logFile() string { return filepath.Join(s.dir, "server.log") }

func (s *realServer) log() string {
	b, err := os.ReadFile(s.logFile())
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func (s *realServer) kill() {
	_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL) // it may be dead already, which is fine
	_ = s.cmd.Wait()
}

func (s *realServer) client() *api.Client {
	return api.NewClient(&url.URL{Scheme: "http", Host: s.at}, http.DefaultClient)
}

// create installs the tiny model under the name "tiny".
func (s *realServer) create() {
	s.t.Helper()
	file := filepath.Join(s.dir, "tiny.gguf")
	var b bytes.Buffer
	if err := tinymodel.Write(&b, 1); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		s.t.Fatal(err)
	}
	recipe := filepath.Join(s.dir, "Modelfile")
	if err := os.WriteFile(recipe,
		[]byte("FROM "+file+"\nTEMPLATE \"\"\"{{ .System }} {{ .Prompt }}\"\"\"\nPARAMETER num_ctx 4096\n"),
		0o600); err != nil {
		s.t.Fatal(err)
	}
	create := exec.Command(os.Getenv("MUM_TEST_OLLAMA"), "create", "tiny", "-f", recipe)
	create.Env = s.cmd.Env
	if out, err := create.CombinedOutput(); err != nil {
		s.t.Fatalf("create the model: %v\n%s", err, out)
	}
}

// realBench is a worker that asks a real server.
func realBench(t *testing.T, s *realServer) *bench {
	b := newBench(t, ollamatest.Options{}, func(o *Options) {
		o.Model = func(ctx context.Context, name string) (llm.Provider, error) {
			return llm.Open(ctx, llm.Options{URL: "http://" + s.at, Model: name, Timeout: 2 * time.Minute})
		}
	})
	return b
}

func TestOllamaAnswersABatch(t *testing.T) {
	s := startOllama(t)
	b := realBench(t, s)
	b.w.o.Model = func(ctx context.Context, name string) (llm.Provider, error) {
		p, err := llm.Open(ctx, llm.Options{URL: "http://" + s.at, Model: name, Timeout: 2 * time.Minute})
		return patient{p}, err
	}
	for i := range 3 {
		b.turn("s", fmt.Sprintf("Round the prices, attempt %d", i), "error: 3 != 4")
	}
	for range 3 { // noise may be refused as junk, then it is asked again
		b.batch()
		b.later(time.Hour)
	}
	rows, err := b.db.Ledger(t.Context(), store.LedgerEgress, 100)
	if err != nil || len(rows) < 3 {
		t.Fatalf("%d sendings, %v, status %+v\n%s", len(rows), err, b.w.Status(), s.log())
	}
	for _, r := range rows {
		if r.Model != "tiny:latest" || r.Host != s.at || len(r.SHA256) != 64 {
			t.Errorf("row %+v", r)
		}
	}
	if done, dead := b.jobs(store.JobDone), b.jobs(store.JobDead); done+dead != 3 {
		t.Errorf("%d done, %d dead: every job must come to an end", done, dead)
	}
	if b.jobs(store.JobDone) == 0 {
		t.Error("no answer was kept: the test says nothing of a batch that succeeds")
	}
	t.Logf("%d sendings, %d summaries by the model, %d answers refused as junk for good", len(rows), b.jobs(store.JobDone),
		b.jobs(store.JobDead))
}

func TestOllamaObeysTheSchema(t *testing.T) {
	s := startOllama(t)
	p, err := llm.Open(t.Context(), llm.Options{URL: "http://" + s.at, Timeout: 2 * time.Minute}) // auto finds it
	if err != nil {
		t.Fatal(err)
	}
	q := llm.Question{System: privacy.Const("Answer."), Body: privacy.Const("What happened?"), Schema: answerSchema(),
		MaxTokens: 1200, Try: 1}
	r, err := p.Prepare(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	a, err := p.Send(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	d, err := parse(a.Text)
	if err != nil || len(d.Text) == 0 || a.PromptTokens == 0 || r.Window != 4096 || r.Digest == "" {
		t.Errorf("%v: type %q, %d prompt tokens, window %d", err, d.Type, a.PromptTokens, r.Window)
	}
}

// An older server does not know the option not to truncate, but its token count shows that it did.
func TestOllamaCannotCutInSilence(t *testing.T) {
	s := startOllama(t)
	p, err := llm.Open(t.Context(), llm.Options{URL: "http://" + s.at, Timeout: 2 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	b := realBench(t, s)
	// One token per byte: three times as many as estimated.
	body := b.clean(strings.Repeat("a line of the log\n", 500))
	r, err := p.Prepare(t.Context(), llm.Question{System: privacy.Const("Answer."), Body: body, MaxTokens: 50, Try: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Send(t.Context(), r); !errors.Is(err, llm.ErrTooLong) {
		t.Errorf("got %v, want it noticed that the question did not fit", err)
	}
}

func TestOllamaUnloadsAfterTheBatch(t *testing.T) {
	s := startOllama(t)
	b := realBench(t, s)
	b.turn("s", "Round the prices", "error: 3 != 4")
	b.batch()
	for range 100 { // the server unloads after it has answered
		ps, err := s.client().ListRunning(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(ps.Models) == 0 {
			return
		}
		<-time.After(50 * time.Millisecond)
	}
	t.Error("the model is still loaded")
}

func TestOllamaThatDiesLosesNothing(t *testing.T) {
	s := startOllama(t)
	b := realBench(t, s)
	b.w.o.Model = func(ctx context.Context, name string) (llm.Provider, error) {
		p, err := llm.Open(ctx, llm.Options{URL: "http://" + s.at, Model: name, Timeout: 2 * time.Minute})
		return dying{p, s}, err
	}
	b.turn("s", "Round the prices", "error: 3 != 4")
	b.batch()
	if st := b.w.Status(); st.State != stateWaiting || b.jobs(store.JobPending) != 1 ||
		b.summaries("s")[0].Provider != "heuristic" {
		t.Errorf("status %+v, %d pending", st, b.jobs(store.JobPending))
	}
}

// patient gives a model that emits every byte separately time to finish.
type patient struct{ llm.Provider }

func (p patient) Prepare(ctx context.Context, q llm.Question) (llm.Request, error) {
	q.MaxTokens = 1200
	return p.Provider.Prepare(ctx, q)
}

// dying is a provider whose server is killed between two steps.
type dying struct {
	llm.Provider
	server *realServer
}

func (d dying) Send(ctx context.Context, r llm.Request) (llm.Answer, error) {
	time.AfterFunc(50*time.Millisecond, func() { _ = syscall.Kill(-d.server.cmd.Process.Pid, syscall.SIGKILL) })
	return d.Provider.Send(ctx, r)
}

func TestOllamaMakesVectors(t *testing.T) {
	s := startOllama(t)
	b := realBench(t, s)
	b.w.o.Model = nil
	b.w.o.Embedder = func(ctx context.Context) (*llm.Ollama, error) {
		return llm.OpenEmbedder(ctx, llm.Options{URL: "http://" + s.at, Model: "tiny", Timeout: 2 * time.Minute})
	}
	for i := range 3 {
		b.turn("s", fmt.Sprintf("Round the prices, attempt %d", i), "error: 3 != 4")
	}
	if err := b.w.embedAll(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, s.log())
	}
	texts, err := b.db.Unembedded(t.Context(), "another model", 0, 100)
	done, _, err2 := b.db.Embedded(t.Context())
	if err != nil || err2 != nil || done == 0 || int(done) != len(texts) {
		t.Errorf("%d of %d texts have a vector, %v, %v", done, len(texts), err, err2)
	}
	if m := b.w.Meaning(t.Context(), "what was rounded"); len(m.Values) == 0 {
		t.Error("the query has no meaning")
	}
}
