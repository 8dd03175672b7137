package store

import (
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestScale makes databases of the sizes in MUM_SCALE ("10000,100000") and
// prints what they cost: it measures, and fails only when something breaks.
func TestScale(t *testing.T) {
	sizes := os.Getenv("MUM_SCALE")
	if sizes == "" {
		t.Skip("MUM_SCALE names no sizes")
	}
	t.Logf("%10s %10s %8s %8s %10s %10s %10s %8s", "documents", "writes/s", "bytes", "open", "p50", "p99", "write p99", "heap")
	for size := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(size)
		if err != nil {
			t.Fatal(err)
		}
		scale(t, n)
	}
}

func scale(t *testing.T, n int) {
	path := t.TempDir() + "/memory.db"
	db, err := Open(t.Context(), Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	talk := newChatter()
	rate := fill(t, db, talk, n)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if db, err = Open(t.Context(), Options{Path: path}); err != nil {
		t.Fatal(err)
	}
	opened := time.Since(began)
	defer db.Close()
	askAll(t, db, talk) // warm
	stop, writes := trickle(t, db, talk)
	asked := askAll(t, db, talk)
	stop()
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	t.Logf("%10d %10.0f %8d %8s %10s %10s %10s %6d M", n, rate, st.Size()/int64(n), opened.Round(100*time.Microsecond), at(asked, 0.5), at(asked, 0.99), at(*writes, 0.99), mem.Sys>>20)
}

func at(d []time.Duration, f float64) time.Duration {
	sort.Slice(d, func(i, j int) bool { return d[i] < d[j] })
	return d[min(len(d)-1, int(f*float64(len(d))))].Round(10 * time.Microsecond)
}

// fill adds observations from eight writers and returns how many a second.
func fill(t *testing.T, db *DB, talk *chatter, n int) float64 {
	var wg sync.WaitGroup
	began := time.Now()
	for w := range 8 {
		wg.Go(func() {
			r := rand.New(rand.NewSource(int64(w)))
			for i := range n / 8 {
				if err := putChatter(t, db, talk, r, fmt.Sprint("s", w, "-", i/50)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	return float64(n) / time.Since(began).Seconds()
}

func putChatter(t *testing.T, db *DB, talk *chatter, r *rand.Rand, session string) error {
	path, text := talk.word(r)+"/"+talk.word(r)+".go", talk.text(r, 2000)
	_, err := db.PutObservation(t.Context(), Observation{Session: ref("p", session), Tool: clean("Read"), Title: clean("Read " + path),
		Input: clean(`{"file_path":"` + path + `"}`), Output: clean(text)})
	return err
}

// trickle adds 50 observations a second until it is stopped.
func trickle(t *testing.T, db *DB, talk *chatter) (stop func(), took *[]time.Duration) {
	done, wg := make(chan struct{}), sync.WaitGroup{}
	took = &[]time.Duration{0}
	wg.Go(func() {
		r := rand.New(rand.NewSource(99))
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				began := time.Now()
				if err := putChatter(t, db, talk, r, "trickle"); err != nil {
					t.Error(err)
				}
				*took = append(*took, time.Since(began))
			}
		}
	})
	return func() { close(done); wg.Wait() }, took
}

func askAll(t *testing.T, db *DB, talk *chatter) (took []time.Duration) {
	r := rand.New(rand.NewSource(5))
	for range 200 {
		q := Query{Text: "how did we change the " + talk.text(r, 60) + " in the last session?", Project: "p"}
		began := time.Now()
		if _, err := db.Search(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	return took
}

// chatter makes text whose words are as unevenly frequent as those of code.
type chatter struct{ words []string }

func newChatter() *chatter {
	r := rand.New(rand.NewSource(1))
	c := &chatter{}
	for i := range 60_000 {
		var b strings.Builder
		for range 1 + r.Intn(3) + i/20_000 {
			b.WriteString([]string{"con", "ver", "table", "re", "quest", "han", "dler", "in", "dex", "mo", "del", "pro", "vi", "der", "se", "ssion", "to", "ken", "pa", "rse"}[r.Intn(20)])
		}
		if i%5 == 0 {
			b.WriteString("Of" + strconv.Itoa(i%97))
		}
		c.words = append(c.words, b.String())
	}
	return c
}

// word draws by Zipf's law: the k-th word comes 1/k as often as the first.
func (c *chatter) word(r *rand.Rand) string {
	z := rand.NewZipf(r, 1.07, 4, uint64(len(c.words)-1))
	return c.words[z.Uint64()]
}

func (c *chatter) text(r *rand.Rand, n int) string {
	z := rand.NewZipf(r, 1.07, 4, uint64(len(c.words)-1))
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(c.words[z.Uint64()])
		b.WriteString([]string{" ", " ", " ", ".", "(", "\n\t", ", ", " = "}[r.Intn(8)])
	}
	return b.String()
}
