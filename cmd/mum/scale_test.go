package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/home"
	"keepmum/privacy"
	"keepmum/store"
)

// TestScale creates databases of the sizes in MUM_SCALE ("10000,100000") and prints what a daemon on each of them costs
// while 50 observations a second come in. It measures, and fails only when something breaks. Each row shows the load of
// the machine, because times depend on it. With MUM_SCALE_DIR the databases are created there once, and stay for
// further measurements.
func TestScale(t *testing.T) {
	sizes := os.Getenv("MUM_SCALE")
	if sizes == "" {
		t.Skip("MUM_SCALE names no sizes")
	}
	var all []scale
	for size := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(size)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, measureScale(t, n))
	}
	var b strings.Builder
	for _, row := range scaleRows() {
		fmt.Fprintf(&b, "%-32s", row.name)
		for _, s := range all {
			fmt.Fprintf(&b, " %14s", row.of(s))
		}
		if first, last := all[0], all[len(all)-1]; row.number != nil && len(all) > 1 {
			fmt.Fprintf(&b, "   x%.2f", row.number(last)/row.number(first))
		}
		b.WriteByte('\n')
	}
	t.Logf("\n%s", b.String())
}

// scale contains the measurements of one size.
type scale struct {
	docs            int
	rate            float64 // documents stored in a second
	bytes           int64   // of the database, for each document
	start           time.Duration
	search, context []time.Duration
	asked           []time.Duration // context for a prompt
	quiet, busy     []time.Duration // observations, without and with searches
	processor       time.Duration   // of one search
	rss, peak       int64           // KiB
	load            string
}

type scaleRow struct {
	name   string
	of     func(scale) string
	number func(scale) float64 // a number that grows with the size; nil = nothing to compare
}

func scaleRows() []scaleRow {
	times := func(name string, share float64, of func(scale) []time.Duration) scaleRow {
		at := func(s scale) time.Duration {
			d := slices.Sorted(slices.Values(of(s)))
			return d[min(len(d)-1, int(share*float64(len(d))))]
		}
		return scaleRow{name, func(s scale) string { return at(s).Round(10 * time.Microsecond).String() },
			func(s scale) float64 { return at(s).Seconds() }}
	}
	number := func(name, unit string, of func(scale) float64) scaleRow {
		return scaleRow{name, func(s scale) string { return strconv.FormatFloat(of(s), 'f', 0, 64) + unit }, of}
	}
	return []scaleRow{
		number("documents", "", func(s scale) float64 { return float64(s.docs) }),
		number("stored in a second", "", func(s scale) float64 { return s.rate }),
		number("size on disk, per document", " B", func(s scale) float64 { return float64(s.bytes) }),
		times("start to first answer", 0.5, func(s scale) []time.Duration { return []time.Duration{s.start} }),
		times("search p50", 0.5, func(s scale) []time.Duration { return s.search }),
		times("search p99", 0.99, func(s scale) []time.Duration { return s.search }),
		times("processor time of a search", 0.5, func(s scale) []time.Duration { return []time.Duration{s.processor} }),
		times("context p50", 0.5, func(s scale) []time.Duration { return s.context }),
		times("context p99", 0.99, func(s scale) []time.Duration { return s.context }),
		times("context for a prompt p50", 0.5, func(s scale) []time.Duration { return s.asked }),
		times("context for a prompt p99", 0.99, func(s scale) []time.Duration { return s.asked }),
		times("ingest p99", 0.99, func(s scale) []time.Duration { return s.quiet }),
		times("ingest p99 while searching", 0.99, func(s scale) []time.Duration { return s.busy }),
		number("resident memory", " MiB", func(s scale) float64 { return float64(s.rss) / 1024 }),
		number("the most of it", " MiB", func(s scale) float64 { return float64(s.peak) / 1024 }),
		{name: "load of the machine", of: func(s scale) string { return s.load }},
	}
}

func measureScale(t *testing.T, n int) scale {
	dir := filepath.Join(t.TempDir(), "data")
	if kept := os.Getenv("MUM_SCALE_DIR"); kept != "" {
		dir = filepath.Join(kept, strconv.Itoa(n))
	}
	talk := newChatter()
	s := scale{docs: n}
	if _, err := os.Stat(home.Dir(dir).Database()); err != nil {
		s.rate, s.bytes = fillScale(t, home.Dir(dir), talk, n)
	}
	cmd, client := s.serve(t, dir)
	pid := cmd.Process.Pid

	searchAll(t, client, talk.speaker(2), 200) // to warm up
	s.quiet = trickle(t, client, talk.speaker(3), func() { time.Sleep(10 * time.Second) })
	idle := processorTime(t, pid)
	trickle(t, client, talk.speaker(4), func() { time.Sleep(5 * time.Second) })
	idle = (processorTime(t, pid) - idle) / 5 // in a second, of ingestion alone
	s.busy = trickle(t, client, talk.speaker(5), func() {
		before, began := processorTime(t, pid), time.Now()
		s.search = searchAll(t, client, talk.speaker(6), 500)
		took := time.Since(began)
		s.processor = (processorTime(t, pid) - before - time.Duration(took.Seconds()*float64(idle))) / 500
		s.context = contextAll(t, client, 500, func() string { return "" })
		s.asked = contextAll(t, client, 500, talk.speaker(7).sentence)
	})
	s.rss, s.peak = memoryOf(t, pid)
	load, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		t.Fatal(err)
	}
	s.load = strings.Fields(string(load))[0]
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if os.Getenv("MUM_SCALE_DIR") == "" {
		err = os.RemoveAll(dir) // there may not be enough room for the next one
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// serve starts a daemon and waits for its first answer.
func (s *scale) serve(t *testing.T, dir string) (*exec.Cmd, *api.Client) {
	t.Helper()
	cmd := exec.Command(binary, "serve", "--port", "0")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(dir), "MUM_HOME=" + dir,
		"MUM_COMPRESS__PROVIDER=off"}
	cmd.Stderr = t.Output()
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // if it was not stopped
	client := api.NewClient(dir, "")
	for client.Get(t.Context(), "/health", nil, nil) != nil {
		if time.Sleep(500 * time.Microsecond); time.Since(began) > time.Minute {
			t.Fatal("the daemon does not answer")
		}
	}
	s.start = time.Since(began)
	return cmd, client
}

// fillScale stores sessions of a prompt, eight tool outputs and an answer. Many writers share commits, as they would in
// the daemon.
func fillScale(t *testing.T, dir home.Dir, talk *chatter, n int) (rate float64, bytes int64) {
	keys, err := home.Prepare(dir)
	if err != nil {
		t.Fatal(err)
	}
	gate, err := privacy.New(privacy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(t.Context(), store.Options{Path: dir.Database(), Key: keys.HMAC})
	if err != nil {
		t.Fatal(err)
	}
	const writers = 100
	var wg sync.WaitGroup
	began := time.Now()
	for w := range writers {
		wg.Go(func() {
			s := talk.speaker(int64(100 + w))
			for i := range n / writers {
				if err := putSpoken(t.Context(), db, gate, s, fmt.Sprint("s", w, "-", i/50), i); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	rate = float64(n) / time.Since(began).Seconds()
	if _, err := db.Merge(t.Context()); err != nil { // as a daemon would have done in the hours that this stands for
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(dir.Database())
	if err != nil {
		t.Fatal(err)
	}
	return rate, st.Size() / int64(n)
}

func putSpoken(ctx context.Context, db *store.DB, gate *privacy.Gate, s *speaker, session string, i int) error {
	clean := func(text string) privacy.Clean {
		c, _ := gate.Text(text)
		return c
	}
	ref := store.SessionRef{Agent: privacy.Const("claude"), Native: clean(session),
		Project: store.Project{Name: privacy.Const("shop"),
			Aliases: []store.Alias{{Kind: store.AliasName, Value: privacy.Const("shop")}}}}
	var err error
	switch i % 10 {
	case 0:
		_, err = db.PutPrompt(ctx, store.Prompt{Session: ref, Role: store.RoleUser, Text: clean(s.text(200))})
	case 9:
		_, err = db.PutPrompt(ctx, store.Prompt{Session: ref, Role: store.RoleAssistant, Text: clean(s.text(600))})
	default:
		path := s.word() + "/" + s.word() + ".go"
		_, err = db.PutObservation(ctx,
			store.Observation{Session: ref, Tool: privacy.Const("Read"), Title: clean("Read " + path),
				Input: clean(`{"file_path":"` + path + `"}`), Output: clean(s.text(2000))})
	}
	return err
}

// trickle posts 50 observations a second until do returns, and returns how long each took.
func trickle(t *testing.T, client *api.Client, s *speaker, do func()) (took []time.Duration) {
	t.Helper()
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			began := time.Now()
			o := api.Observe{SessionID: "trickle", Project: "shop", ToolName: "Bash",
				ToolInput: map[string]any{"command": s.word()}, ToolOutput: s.text(2000)}
			if err := client.Post(t.Context(), "/observe", o, &api.Observed{}); err != nil {
				t.Error(err)
				return
			}
			took = append(took, time.Since(began))
		}
	})
	do()
	close(done)
	wg.Wait()
	return took
}

func searchAll(t *testing.T, client *api.Client, s *speaker, n int) (took []time.Duration) {
	t.Helper()
	for range n {
		q := url.Values{"q": {s.sentence()}, "project": {"shop"}}
		began := time.Now()
		var found api.SearchResults
		if err := client.Get(t.Context(), "/search", q, &found); err != nil {
			t.Fatal(err)
		}
		took = append(took, time.Since(began))
		if len(found.Results) == 0 {
			t.Fatal("nothing was found")
		}
	}
	return took
}

func contextAll(t *testing.T, client *api.Client, n int, prompt func() string) (took []time.Duration) {
	t.Helper()
	for range n {
		q := url.Values{"project": {"shop"}, "format": {"json"}}
		if p := prompt(); p != "" {
			q.Set("q", p)
		}
		began := time.Now()
		if err := client.Get(t.Context(), "/context", q, &api.Context{}); err != nil {
			t.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	return took
}

// processorTime returns the CPU time that a process has used so far, as Linux reports it.
func processorTime(t *testing.T, pid int) time.Duration {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Skip("this system does not tell what a process takes: ", err)
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')'):]))
	user, _ := strconv.Atoi(fields[12])
	system, _ := strconv.Atoi(fields[13])
	return time.Duration(user+system) * 10 * time.Millisecond // of a hundred ticks a second
}

// memoryOf returns the current and the peak memory of a process in KiB.
func memoryOf(t *testing.T, pid int) (rss, peak int64) {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		f := strings.Fields(line)
		switch {
		case len(f) < 2:
		case f[0] == "VmRSS:":
			rss, _ = strconv.ParseInt(f[1], 10, 64)
		case f[0] == "VmHWM:":
			peak, _ = strconv.ParseInt(f[1], 10, 64)
		}
	}
	return rss, peak
}
