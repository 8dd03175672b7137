package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/await"
	"keepmum/config"
	"keepmum/home"
	"keepmum/transcript"
)

// rig is a daemon that runs on a directory of its own, reached over its socket.
type rig struct {
	home home.Dir
	d    *Daemon
	http *http.Client
	stop context.CancelFunc
	done chan error
}

// runBench runs a daemon for as long as a benchmark.
func runBench(b *testing.B, dir string, c config.Loaded, roots transcript.Roots) {
	b.Helper()
	d := New(Options{Home: home.Dir(dir), Config: c, UserHome: "/home/dev", Transcripts: roots})
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- d.Run(ctx) }()
	b.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			b.Error(err)
		}
	})
	await.True(b, "a daemon", func() bool { return api.NewClient(dir, "").Get(ctx, "/health", nil, nil) == nil })
}

func startRig(t *testing.T, dir string, change ...func(*config.Config)) *rig {
	t.Helper()
	return startReading(t, dir, transcript.Roots{}, change...)
}

// startReading starts a daemon that knows where agents keep their sessions.
func startReading(t *testing.T, dir string, roots transcript.Roots, change ...func(*config.Config)) *rig {
	t.Helper()
	return startWith(t, dir, Options{Transcripts: roots, keepMemory: true}, change...)
}

// startAt starts a daemon with a clock of its own.
func startAt(t *testing.T, dir string, now func() time.Time, change ...func(*config.Config)) *rig {
	t.Helper()
	return startWith(t, dir, Options{Now: now, keepMemory: true}, change...)
}

func startWith(t *testing.T, dir string, o Options, change ...func(*config.Config)) *rig {
	t.Helper()
	c := config.Loaded{Config: config.Default()}
	c.Daemon.Port = 0
	c.Privacy.Vault = false
	c.Compress.Provider = "off"
	for _, f := range change {
		f(&c.Config)
	}
	r := &rig{home: home.Dir(dir), done: make(chan error, 1)}
	o.Home, o.Config, o.UserHome = r.home, c, "/home/dev"
	r.d = New(o)
	ctx, stop := context.WithCancel(context.Background())
	r.stop = stop
	go func() { r.done <- r.d.Run(ctx) }()
	t.Cleanup(func() { r.end(t) })
	r.http = &http.Client{
		Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", r.home.Socket())
		}}}
	r.waitUp(t)
	return r
}

// waitUp polls: the daemon has no way to tell a test that it listens but to answer.
func (r *rig) waitUp(t *testing.T) {
	t.Helper()
	await.True(t, "a daemon", func() bool {
		select {
		case err := <-r.done:
			t.Fatalf("the daemon ended: %v", err)
		default:
		}
		resp, err := r.http.Get("http://mum/health")
		if err == nil {
			_ = resp.Body.Close()
		}
		return err == nil
	})
}

// end stops the daemon once and reports how it ended.
func (r *rig) end(t *testing.T) {
	t.Helper()
	if r.stop == nil {
		return
	}
	r.stop()
	r.stop = nil
	r.http.CloseIdleConnections()
	if err := <-r.done; err != nil {
		t.Errorf("the daemon ended with %v", err)
	}
}

type reply struct {
	status int
	header http.Header
	body   string
}

// request is a request with the daemon's token.
func (r *rig) request(t *testing.T, method, path string, body io.Reader) *http.Request {
	t.Helper()
	token, err := os.ReadFile(r.home.Token())
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequest(method, "http://mum"+path, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	req.Header.Set("Content-Type", "application/json")
	return req
}

// ask sends one request with the token and a JSON content type, unless change says otherwise.
func (r *rig) ask(t *testing.T, method, path, body string, change ...func(*http.Request)) reply {
	t.Helper()
	req := r.request(t, method, path, strings.NewReader(body))
	for _, f := range change {
		f(req)
	}
	resp, err := r.http.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{resp.StatusCode, resp.Header, string(data)}
}

// code is the error code of a failed request, "" when the body has another shape.
func (r reply) code() api.Code {
	var body api.ErrorBody
	if json.Unmarshal([]byte(r.body), &body) != nil || body.Error == nil {
		return ""
	}
	return body.Error.Code
}

func into[T any](t *testing.T, r reply) T {
	t.Helper()
	var v T
	if r.status != http.StatusOK {
		t.Fatalf("status %d: %s", r.status, r.body)
	}
	if err := json.Unmarshal([]byte(r.body), &v); err != nil {
		t.Fatalf("%v in %s", err, r.body)
	}
	return v
}

// holds reports whether any file below the data directory holds the bytes. It reads a write-ahead log before its
// database, into which the daemon may move the bytes meanwhile.
func (r *rig) holds(t *testing.T, want string) bool {
	t.Helper()
	var files []string
	err := filepath.WalkDir(string(r.home), func(path string, e os.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it was removed meanwhile
		}
		if err == nil && e.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range slices.Backward(files) { // memory.db-wal is after memory.db
		data, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte(want)) {
			return true
		}
	}
	return false
}

func (r *rig) stats(t *testing.T) api.Stats {
	t.Helper()
	return into[api.Stats](t, r.ask(t, "GET", "/stats", ""))
}
