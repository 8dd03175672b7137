package spool_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"keepmum/capture"
	"keepmum/config"
	"keepmum/hooks"
	"keepmum/spool"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// cleaned passes a prompt through the gate; a spool takes nothing else.
func cleaned(t *testing.T, text string) capture.Event {
	t.Helper()
	in, err := capture.NewIntake(capture.Options{Home: t.TempDir(), Config: config.Default(), Key: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	e, skipped := in.Take(capture.Incoming{Key: "k", Event: hooks.Event{
		Agent: "claude", Kind: hooks.Prompt, Session: "s", PromptID: "p", Text: text, At: noon,
	}})
	if skipped != "" {
		t.Fatal(skipped)
	}
	return e
}

// drained empties the spool and returns the keys in the order of delivery.
func drained(t *testing.T, d spool.Dir) []string {
	t.Helper()
	var keys []string
	if _, _, err := d.Drain(func(e spool.Entry) error { keys = append(keys, e.Key); return nil }); err != nil {
		t.Fatal(err)
	}
	return keys
}

func TestEventsComeBackInTheOrderTheyHappened(t *testing.T) {
	d := spool.Dir(filepath.Join(t.TempDir(), "spool"))
	e := cleaned(t, "hello")
	for _, at := range []int{3, 1, 2} {
		if err := d.Put(e, fmt.Sprint("key", at), noon.Add(time.Duration(at)*time.Nanosecond)); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"key1", "key2", "key3"}, drained(t, d)); diff != "" {
		t.Error(diff)
	}
	if keys := drained(t, d); len(keys) > 0 || d.Len() != 0 {
		t.Errorf("delivered twice: %v", keys)
	}
}

func TestAnEventComesBackAsItWas(t *testing.T) {
	d := spool.Dir(t.TempDir())
	if err := d.Put(cleaned(t, "hello"), "key", noon); err != nil {
		t.Fatal(err)
	}
	_, _, err := d.Drain(func(e spool.Entry) error {
		want := hooks.Event{Agent: "claude", Kind: hooks.Prompt, Session: "s", PromptID: "p", Text: "hello", At: noon}
		if diff := cmp.Diff(want, e.Event); diff != "" {
			t.Error(diff)
		}
		return nil
	})
	if err != nil || t.Failed() {
		t.Fatal(err)
	}
}

func TestAnEventThatIsNotDeliveredStaysWithThoseAfterIt(t *testing.T) {
	d := spool.Dir(t.TempDir())
	e := cleaned(t, "hello")
	for i := range 3 {
		if err := d.Put(e, fmt.Sprint("key", i), noon.Add(time.Duration(i))); err != nil {
			t.Fatal(err)
		}
	}
	full := errors.New("the disk is full")
	delivered, bad, err := d.Drain(func(e spool.Entry) error {
		if e.Key == "key1" {
			return full
		}
		return nil
	})
	if delivered != 1 || bad != 0 || !errors.Is(err, full) {
		t.Errorf("delivered %d, bad %d, %v", delivered, bad, err)
	}
	if diff := cmp.Diff([]string{"key1", "key2"}, drained(t, d)); diff != "" {
		t.Error(diff)
	}
}

func TestAFileThatIsNoEventIsSetAside(t *testing.T) {
	d := spool.Dir(t.TempDir())
	if err := os.WriteFile(filepath.Join(string(d), "00000000000000000001-x.json"), []byte(`{"key":"x","ev`),
		0o600); err != nil {
		t.Fatal(err)
	}
	if err := d.Put(cleaned(t, "hello"), "good", noon); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"good"}, drained(t, d)); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(filepath.Join(string(d), "00000000000000000001-x.json.bad")); err != nil {
		t.Error(err)
	}
}

func TestARefusedEventDoesNotBlockTheOthers(t *testing.T) {
	d := spool.Dir(t.TempDir())
	e := cleaned(t, "hello")
	for i := range 3 {
		if err := d.Put(e, fmt.Sprint("key", i), noon.Add(time.Duration(i))); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	delivered, bad, err := d.Drain(func(e spool.Entry) error {
		if e.Key == "key1" {
			return &spool.Refused{Err: errors.New("of no known kind")}
		}
		got = append(got, e.Key)
		return nil
	})
	if delivered != 2 || bad != 1 || err != nil {
		t.Errorf("delivered %d, bad %d, %v", delivered, bad, err)
	}
	if diff := cmp.Diff([]string{"key0", "key2"}, got); diff != "" {
		t.Error(diff)
	}
	why, err := filepath.Glob(filepath.Join(string(d), "*-key1.json.bad.why"))
	if err != nil || len(why) != 1 || d.Bad() != 1 || d.Len() != 0 {
		t.Fatalf("%q, %v; %d bad, %d waiting", why, err, d.Bad(), d.Len())
	}
	if text, err := os.ReadFile(why[0]); err != nil || string(text) != "of no known kind\n" {
		t.Errorf("the reason is %q, %v", text, err)
	}
}

func TestWhatWasSetAsideTakesNoRoom(t *testing.T) {
	d := spool.Dir(t.TempDir())
	path := filepath.Join(string(d), "00000000000000000001-k.json.bad")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, spool.MaxBytes); err != nil { // a sparse file: it takes no room on the disk
		t.Fatal(err)
	}
	if err := d.Put(cleaned(t, "hello"), "key", noon); err != nil || d.Len() != 1 {
		t.Errorf("%v; %d events wait", err, d.Len())
	}
}

func TestAFullSpoolTakesNoMore(t *testing.T) {
	t.Run("events", func(t *testing.T) {
		d := spool.Dir(t.TempDir())
		one := filepath.Join(string(d), fmt.Sprintf("%020d-k.json", 0))
		if err := os.WriteFile(one, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		for i := range spool.MaxEvents - 1 { // a hard link costs less than a file
			if err := os.Link(one, filepath.Join(string(d), fmt.Sprintf("%020d-k.json", i+1))); err != nil {
				t.Fatal(err)
			}
		}
		refusedBy(t, d, spool.MaxEvents)
	})
	t.Run("bytes", func(t *testing.T) {
		d := spool.Dir(t.TempDir())
		path := filepath.Join(string(d), "00000000000000000001-k.json")
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, spool.MaxBytes); err != nil { // a sparse file: it takes no room on the disk
			t.Fatal(err)
		}
		refusedBy(t, d, 1)
	})
}

func refusedBy(t *testing.T, d spool.Dir, events int) {
	t.Helper()
	if err := d.Put(cleaned(t, "one more"), "key", noon); !errors.Is(err, spool.ErrFull) {
		t.Errorf("got %v", err)
	}
	if n := d.Len(); n != events {
		t.Errorf("%d events, want %d", n, events)
	}
}

func TestASpoolIsPrivateAndHoldsNoSecret(t *testing.T) {
	d := spool.Dir(filepath.Join(t.TempDir(), "spool"))
	secret := "AKIA" + "QYLPMN5HFIQR7XYA"
	if err := d.Put(cleaned(t, "the key is "+secret), "../../evil/"+"key", noon); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(string(d), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
		if e.IsDir() {
			return nil
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(secret)) {
			t.Errorf("%s holds the secret", path)
		}
		return err
	})
	if err != nil || d.Len() != 1 {
		t.Errorf("%d events, %v", d.Len(), err)
	}
}

// A file larger than any event is set aside without being read.
func TestAHugeFileIsNotRead(t *testing.T) {
	d := spool.Dir(t.TempDir())
	path := filepath.Join(string(d), "00000000000000000001-k.json")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, spool.MaxBytes-1); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if keys := drained(t, d); len(keys) != 0 || d.Bad() != 1 {
		t.Errorf("delivered %v, %d set aside", keys, d.Bad())
	}
	runtime.ReadMemStats(&after)
	if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 1 {
		t.Errorf("it took %d MiB of memory", mib)
	}
}

// Many processes count at once, and no event is missed.
func TestEveryLossIsCounted(t *testing.T) {
	d := spool.Dir(filepath.Join(t.TempDir(), "spool"))
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if err := d.Drop(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n, last := d.Drops(); n != 20 || last.IsZero() {
		t.Errorf("%d lost, the last %v", n, last)
	}
}

func TestANoteComesBackAsItWas(t *testing.T) {
	in := capture.Incoming{Key: "k", Event: hooks.Event{Agent: "claude", Kind: hooks.Note, Session: "s",
		Source: "checkpoint", SubType: hooks.CompactionMark, Progress: -1, Text: "half of it", NoteFile: "gauge.go",
		At: noon}}
	o := capture.Options{Home: t.TempDir(), Config: config.Default(), Key: make([]byte, 32)}
	intake, err := capture.NewIntake(o)
	if err != nil {
		t.Fatal(err)
	}
	whole, _ := intake.Take(in)
	late, _ := capture.Withheld(o, in, capture.Late)
	for _, e := range []capture.Event{whole, late} {
		d := spool.Dir(t.TempDir())
		if err := d.Put(e, "key", noon); err != nil {
			t.Fatal(err)
		}
		_, _, err := d.Drain(func(got spool.Entry) error {
			want := in.Event
			want.Text, want.NoteFile = e.Text.String(), e.NoteFile.String() // withheld, it has neither
			if diff := cmp.Diff(want, got.Event); diff != "" || got.Same != e.Same {
				t.Error(diff, got.Same)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
