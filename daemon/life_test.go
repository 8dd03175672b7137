package daemon

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"keepmum/api"
	"keepmum/await"
	"keepmum/config"
	"keepmum/home"
)

func TestASecondDaemonIsToldThatOneRuns(t *testing.T) {
	r := startRig(t, t.TempDir())
	second := New(Options{Home: r.home, Config: config.Loaded{Config: config.Default()}})
	if err := second.Run(t.Context()); !errors.Is(err, ErrRunning) {
		t.Errorf("got %v", err)
	}
	if resp := r.ask(t, "GET", "/status", ""); resp.status != 200 {
		t.Errorf("the first one suffered: %s", resp.body)
	}
}

func TestAGlanceAtTheLockIsNotAnotherDaemon(t *testing.T) {
	dir := home.Dir(t.TempDir())
	glance := flock.New(dir.Lock(), flock.SetPermissions(0o600))
	if ok, err := glance.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	timer := time.AfterFunc(2*ownRetry, func() { _ = glance.Unlock() })
	defer timer.Stop()
	lock, err := own(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	_ = lock.Unlock()
}

func TestAnInterruptedStartIsNoOtherDaemon(t *testing.T) {
	dir := home.Dir(t.TempDir())
	held := flock.New(dir.Lock(), flock.SetPermissions(0o600))
	if ok, err := held.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	defer func() { _ = held.Unlock() }()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := own(ctx, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A daemon that was killed leaves a socket that nobody hears
// and a port file that points to nobody.
func TestWhatAKilledDaemonLeftIsReplaced(t *testing.T) {
	dir := home.Dir(t.TempDir())
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: dir.Socket()})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false)
	_ = dead.Close()
	if err := os.WriteFile(dir.Port(), []byte("1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := startRig(t, string(dir))
	s := into[api.Status](t, r.ask(t, "GET", "/status", ""))
	port, err := os.ReadFile(dir.Port())
	if err != nil || !strings.HasSuffix(s.Address, ":"+strings.TrimSpace(string(port))) {
		t.Errorf("the port file holds %q, the daemon listens on %s, %v", port, s.Address, err)
	}
}

func TestAPortThatIsTakenIsReplacedByAFreeOne(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	r := startRig(t, t.TempDir(), func(c *config.Config) { c.Daemon.Port = taken.Addr().(*net.TCPAddr).Port })
	s := into[api.Status](t, r.ask(t, "GET", "/status", ""))
	if s.Address == taken.Addr().String() || s.Address == "" {
		t.Errorf("listens on %q", s.Address)
	}
}

func TestAPathThatIsTooLongForASocketIsServedOverThePort(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("long", 30))
	c := config.Loaded{Config: config.Default()}
	c.Daemon.Port, c.Privacy.Vault, c.Compress.Provider = 0, false, "off"
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- New(Options{Home: home.Dir(dir), Config: c}).Run(ctx) }()
	defer func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	var s api.Status
	await.True(t, "a daemon", func() bool { // a new client each time: the token comes with the start
		return api.NewClient(dir, "").Get(ctx, "/status", nil, &s) == nil
	})
	if s.Socket != "" || s.Address == "" {
		t.Errorf("socket %q, address %q", s.Socket, s.Address)
	}
}

func TestAHookThatTheStoreCannotTakeWaitsInTheSpool(t *testing.T) {
	dir := t.TempDir()
	r := startRig(t, dir)
	if err := r.d.db.Close(); err != nil { // as between the end of the store and the end of the process
		t.Fatal(err)
	}
	body := `{"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":"/home/dev/shop","prompt":"kept for later","prompt_id":"p"}`
	if resp := r.ask(t, "POST", "/hooks/claude", body); resp.status != 200 || resp.body != "" {
		t.Fatalf("status %d: %s", resp.status, resp.body)
	}
	if resp := r.ask(t, "POST", "/prompt", `{"session_id":"s","text":"not kept"}`); resp.code() != api.Unavailable {
		t.Errorf("an endpoint that can be asked again: %s", resp.body)
	}
	r.end(t)

	again := startRig(t, dir)
	again.waitPrompts(t, 1)
	if resp := again.ask(t, "POST", "/hooks/claude", body); resp.status != 200 {
		t.Fatalf("the repeat: %s", resp.body)
	}
	if n := again.stats(t).Prompts; n != 1 {
		t.Errorf("%d prompts after a repeat", n)
	}
}

// waitPrompts polls: the spool is drained beside the requests.
func (r *rig) waitPrompts(t *testing.T, want int64) {
	t.Helper()
	await.True(t, "the prompts", func() bool { return r.stats(t).Prompts == want })
}
