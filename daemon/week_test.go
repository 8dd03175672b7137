package daemon

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/errgroup"

	"keepmum/api"
	"keepmum/config"
	"keepmum/home"
	"keepmum/longtest"
	"keepmum/store"
)

// week is a daemon in a time of its own: all of it but the listeners, whose waiting
// would hold the time up.
type week struct {
	t       *testing.T
	dir     home.Dir
	program string
	asleep  atomic.Int64 // that the laptop was suspended: the clock continued, no timer did
	d       *Daemon
	routes  http.Handler
	stop    context.CancelFunc
	group   *errgroup.Group
	logged  bytes.Buffer // warnings and errors
	work    time.Duration
	events  int
}

func (w *week) now() time.Time { return time.Now().Add(time.Duration(w.asleep.Load())) }

func (w *week) start(version string) {
	w.t.Helper()
	c := config.Loaded{Config: config.Default()}
	c.Privacy.Vault = false
	c.Compress.URL = "http://127.0.0.1:9" // nobody listens there, as on most machines
	w.d = New(Options{Home: w.dir, Config: c, UserHome: "/home/dev", Version: version, Program: w.program, Now: w.now,
		keepMemory: !longtest.Asked(), // two rests a minute are most of what a week costs
		Logger:     slog.New(slog.NewTextHandler(&w.logged, &slog.HandlerOptions{Level: slog.LevelWarn}))})
	w.d.started = w.now()
	keys, err := home.Prepare(w.dir)
	if err != nil {
		w.t.Fatal(err)
	}
	w.d.token = keys.Token
	ctx, stop := context.WithCancel(w.t.Context())
	if err := w.d.open(ctx, keys); err != nil {
		w.t.Fatal(err)
	}
	w.d.logged.use(w.d.intake.Gate())
	w.d.worker, w.d.team = w.d.newWorker(), w.d.newTeam()
	w.stop, w.routes = stop, w.d.routes()
	w.group, ctx = errgroup.WithContext(ctx)
	w.d.work(ctx, w.group)
}

// end stops the daemon, and returns how it ended.
func (w *week) end() error {
	w.stop()
	err := w.group.Wait()
	if err := w.d.db.Close(); err != nil {
		w.t.Error(err)
	}
	return err
}

func (w *week) ask(method, path, body string) reply {
	r := httptest.NewRequest(method, "http://mum"+path, strings.NewReader(body)).WithContext(w.t.Context())
	r.Header.Set("Authorization", "Bearer "+w.d.token)
	r.Header.Set("Content-Type", "application/json")
	got := httptest.NewRecorder()
	w.routes.ServeHTTP(got, r)
	return reply{got.Code, got.Header(), got.Body.String()}
}

func (w *week) hook(fields map[string]any) {
	w.t.Helper()
	if got := w.ask("POST", "/hooks/claude", claude(w.t, fields)); got.status != http.StatusOK {
		w.t.Fatalf("status %d: %s", got.status, got.body)
	}
	w.events++
}

// day is some hours of work in sessions of a hundred events, which come in bursts.
func (w *week) day(n, events int) {
	for done := 0; done < events; {
		session := fmt.Sprintf("day%d-%d", n, done)
		w.hook(map[string]any{"hook_event_name": "SessionStart", "session_id": session, "source": "startup"})
		for turn := 0; turn < 10 && done < events; turn++ {
			id := fmt.Sprint(session, "-", turn)
			w.hook(prompt(session, id,
				fmt.Sprintf("make the importer of day %d skip row %d, and say why it was empty", n, turn)))
			for i := range 8 {
				w.hook(bash(session, fmt.Sprint(id, "-", i), fmt.Sprintf("go test ./importer -run Row%d%d", turn, i),
					strings.Repeat(fmt.Sprintf("row %d of file %d is empty\n", done, i), 40)))
			}
			w.hook(map[string]any{"hook_event_name": "Stop", "session_id": session,
				"last_assistant_message": fmt.Sprintf("Row %d is skipped now.", turn)})
			done += 10
			time.Sleep(w.work * 10 / time.Duration(events))
		}
		w.hook(map[string]any{"hook_event_name": "SessionEnd", "session_id": session, "reason": "prompt_input_exit"})
	}
}

// quiet looks at what a user would look at, and finds nothing to worry about.
func (w *week) quiet(when string) {
	w.t.Helper()
	synctest.Wait()
	s := into[api.Status](w.t, w.ask("GET", "/status", ""))
	if !s.OK || len(s.Problems) > 0 || s.Egress != 0 || s.Spool+s.SpoolBad != 0 || s.Integrity != "ok" {
		w.t.Errorf("%s: %+v", when, s)
	}
	for state, n := range s.Queue {
		if n > 0 && state != string(store.JobDone) {
			w.t.Errorf("%s: %d jobs are %s", when, n, state)
		}
	}
	if said := s.Compress["summaries"]; !strings.HasPrefix(said, "by heuristic") {
		w.t.Errorf("%s: summaries %s", when, said)
	}
	for _, r := range s.Sync.Runs {
		if r.Finished == nil || r.Outcome != "done" {
			w.t.Errorf("%s: %s ended with %s %s", when, r.Kind, r.Outcome, r.Error)
		}
	}
	if w.logged.Len() > 0 {
		w.t.Errorf("%s: the log says\n%s", when, w.logged.String())
		w.logged.Reset()
	}
}

// disk is how many bytes are in the data directory.
func (w *week) disk() (bytes int64) {
	err := filepath.WalkDir(string(w.dir), func(_ string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		st, err := e.Info()
		bytes += st.Size()
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return bytes
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestAWeekOfOrdinaryUseIsQuiet: work by day, idle nights, a laptop that is suspended, an
// upgrade, no model. Nothing is said that a user would have to look into.
func TestAWeekOfOrdinaryUseIsQuiet(t *testing.T) {
	days, events := longtest.Size(1, 7), longtest.Rounds(40, 500)
	dir := t.TempDir()
	program := filepath.Join(dir, "mum")
	if err := os.WriteFile(program, []byte("one version"), 0o700); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		w := &week{t: t, dir: home.Dir(filepath.Join(dir, "data")), program: program,
			work: time.Duration(longtest.Size(2, 8)) * time.Hour}
		w.start("v1")
		var first int64
		for n := range days {
			w.day(n, events)
			time.Sleep(time.Hour)
			w.quiet(fmt.Sprintf("the evening of day %d", n))
			if n == 0 {
				first = heap()
			}
			time.Sleep(w.work - time.Hour)               // an idle night
			w.asleep.Add(int64(23*time.Hour - 2*w.work)) // and one in a bag
			time.Sleep(10 * time.Minute)
			w.quiet(fmt.Sprintf("the morning after day %d", n))
			if n == days/2 {
				w.upgrade()
			}
		}
		if grown := heap() - first; grown > 48<<20 {
			t.Errorf("the memory grew by %d MiB", grown>>20)
		}
		if err := w.end(); err != nil {
			t.Error(err)
		}
		kept := int64(1 + config.Default().Store.Backups) // the database, and each of its backups at most as large
		if used, most := w.disk(), kept*(4<<20+int64(w.events)*8<<10); used > most {
			t.Errorf("%d events take %d MiB, more than %d", w.events, used>>20, most>>20)
		}
	})
}

// upgrade replaces the program; the daemon notices and the next version continues.
func (w *week) upgrade() {
	w.t.Helper()
	if err := os.WriteFile(w.program, []byte("another version"), 0o700); err != nil {
		w.t.Fatal(err)
	}
	later := time.Now().Add(time.Minute)
	if err := os.Chtimes(w.program, later, later); err != nil {
		w.t.Fatal(err)
	}
	time.Sleep(time.Minute)
	if err := w.end(); !errors.Is(err, ErrReplaced) {
		w.t.Errorf("the daemon ended with %v", err)
	}
	w.start("v2")
	time.Sleep(10 * time.Minute)
	w.quiet("after the upgrade")
}
