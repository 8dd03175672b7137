package main

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"keepmum/api"
	"keepmum/longtest"
)

// An event costs the daemon as much CPU time with 60,000 documents as with 5,000: at 50 events a second of every kind,
// including prompts that are answered. Two daemons get the same events in turns, so that both have what else the
// machine does.
func TestAnEventCostsTheSameHoweverManyThereAre(t *testing.T) {
	longtest.Only(t)
	const few, paced, pace, most = 5_000, 1000, 20 * time.Millisecond, 1.6
	small, large := startLoaded(t), startLoaded(t)
	small.fill(t, few)
	for _, size := range []int{30_000, 60_000} {
		large.fill(t, size)
		time.Sleep(5 * time.Second) // what follows a flood is not part of the rate
		one, other, tick := small.processor(t), large.processor(t), time.NewTicker(pace)
		for range paced {
			<-tick.C
			small.next(t)
			large.next(t)
		}
		tick.Stop()
		one, other = small.processor(t)-one, large.processor(t)-other
		t.Logf("%6d documents: %.2f s of the processor for 1,000 events, %.0f %% of a core at this pace; beside %d: %.2f s",
			size, other.Seconds(), 100*other.Seconds()/(paced*pace).Seconds(), few, one.Seconds())
		if ratio := float64(other) / float64(one); ratio > most {
			t.Errorf("an event costs %.2f times what it does with few documents", ratio)
		}
	}
}

// loader posts events of many sessions with words of an invented language to a daemon: some are in every text, most in
// few.
type loader struct {
	client     *api.Client
	pid        int
	vocabulary []string
	sent       int
}

func startLoaded(t *testing.T) *loader {
	t.Helper()
	const seed = 10
	dir := filepath.Join(t.TempDir(), "data")
	up := mum(dir, "up")
	up.Env = append(up.Env, "MUM_CONTEXT__ENABLED=true", "MUM_COMPRESS__PROVIDER=heuristic")
	if out, err := up.CombinedOutput(); err != nil {
		t.Fatalf("up: %v\n%s", err, out)
	}
	stopAtEnd(t, dir)
	return &loader{client: api.NewClient(dir, ""), pid: status(t, dir).PID, vocabulary: vocabulary(seed)}
}

// next posts an event that is answered.
func (l *loader) next(t *testing.T) {
	l.post(t, l.sent, true)
	l.sent++
}

func vocabulary(seed int64) []string {
	r := rand.New(rand.NewSource(seed))
	words := make([]string, 20_000)
	for i := range words {
		letters := make([]byte, 4+r.Intn(6))
		for j := range letters {
			letters[j] = "bdfgklmnprstvz"[r.Intn(14)]
			if j%2 == 1 {
				letters[j] = "aeiou"[r.Intn(5)]
			}
		}
		words[i] = string(letters)
	}
	return words
}

func (l *loader) text(r *rand.Rand, words int) string {
	var b strings.Builder
	zipf := rand.NewZipf(r, 1.2, 4, uint64(len(l.vocabulary)-1))
	for range words {
		b.WriteString(l.vocabulary[zipf.Uint64()])
		b.WriteByte(' ')
	}
	return b.String()
}

// fill posts as fast as eight clients can until there are size documents.
func (l *loader) fill(t *testing.T, size int) {
	t.Helper()
	var clients errgroup.Group
	clients.SetLimit(8)
	for ; l.sent < size; l.sent++ {
		i := l.sent
		clients.Go(func() error { l.post(t, i, false); return nil })
	}
	_ = clients.Wait()
}

// post sends one event. Every tenth is a prompt, which is answered with what is known if answered is set.
func (l *loader) post(t *testing.T, i int, answered bool) {
	r := rand.New(rand.NewSource(int64(i)))
	session := "s" + strconv.Itoa(i/200)
	var err error
	if i%10 == 0 {
		err = l.client.Post(t.Context(), "/prompt", api.Prompt{SessionID: session, Text: l.text(r, 12),
			Directory: "/home/dev/shop", WithContext: answered}, nil)
	} else {
		err = l.client.Post(t.Context(), "/observe", api.Observe{SessionID: session,
			ToolName: "Bash", Directory: "/home/dev/shop",
			ToolInput: map[string]any{"command": fmt.Sprintf("make %d", i)}, ToolOutput: l.text(r, 200)}, nil)
	}
	if err != nil {
		t.Error(err)
	}
}

// processor returns the CPU time that the daemon has used.
func (l *loader) processor(t *testing.T) (spent time.Duration) {
	t.Helper()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/stat", l.pid))
	if err != nil || len(tasks) != 1 {
		t.Fatal(tasks, err)
	}
	text, err := os.ReadFile(tasks[0])
	if err != nil {
		t.Fatal(err)
	}
	_, fields, _ := strings.Cut(string(text), ") ")
	const user, system, hertz = 11, 12, 100 // of the fields after the name; a tick is one percent of a second
	all := strings.Fields(fields)
	for _, at := range []int{user, system} {
		ticks, err := strconv.Atoi(all[at])
		if err != nil {
			t.Fatal(err)
		}
		spent += time.Duration(ticks) * time.Second / hertz
	}
	return spent
}
