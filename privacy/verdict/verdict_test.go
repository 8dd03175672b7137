package verdict

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"keepmum/privacy/scan"
)

const value = "Tulpe-feld.77/kai"

func open(t *testing.T) *Book {
	t.Helper()
	return Open(filepath.Join(t.TempDir(), "verdicts.json"), []byte("a key of the tests"))
}

func say(t *testing.T, b *Book, v string, secret bool) Said {
	t.Helper()
	s, err := b.Say(v, secret)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAValueStandsNowhereInTheFile(t *testing.T) {
	for _, secret := range []bool{true, false} {
		b := open(t)
		say(t, b, value, secret)
		raw, err := os.ReadFile(b.path)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []string{value, value[:8], value[9:], hex.EncodeToString([]byte(value)),
			base64.StdEncoding.EncodeToString([]byte(value)), base64.RawURLEncoding.EncodeToString([]byte(value))} {
			if strings.Contains(string(raw), form) {
				t.Errorf("secret %v: %q stands in the file", secret, form)
			}
		}
		if info, err := os.Stat(b.path); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others may read it: %v, %v", info.Mode(), err)
		}
	}
}

func TestASecretIsFoundInItsForms(t *testing.T) {
	b := open(t)
	say(t, b, value, true)
	for _, text := range []string{value, "x " + value + " y", hex.EncodeToString([]byte(value)),
		base64.StdEncoding.EncodeToString([]byte("kai:" + value))} {
		if found, err := b.Spans(text); err != nil || len(found) == 0 || found[0].Rule != Rule {
			t.Errorf("%q: %v, %v", text, found, err)
		}
	}
	if found, err := b.Spans("Tulpe-feld.78/kai and nothing else"); err != nil || len(found) > 0 {
		t.Errorf("another value: %v, %v", found, err)
	}
	if b.Public(value) {
		t.Error("it is public")
	}
}

func TestTheLaterVerdictCounts(t *testing.T) {
	b := open(t)
	say(t, b, value, true)
	s := say(t, b, value, false)
	if found, _ := b.Spans(value); len(found) > 0 || !b.Public(value) {
		t.Errorf("still taken out: %v", found)
	}
	if said, err := b.List(); err != nil || len(said) != 1 || said[0].Shape != "Aa-a-0-a" {
		t.Errorf("said %+v, %v", said, err)
	}
	if err := b.Remove(s.ID); err != nil {
		t.Fatal(err)
	}
	if b.Public(value) {
		t.Error("removed, and still public")
	}
	if err := b.Remove(s.ID); !errors.Is(err, ErrNone) {
		t.Errorf("removed twice: %v", err)
	}
}

func TestWhatCannotBeReadIsAnError(t *testing.T) {
	b := open(t)
	say(t, b, value, true)
	if err := os.WriteFile(b.path, []byte("[{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.Refresh(); !errors.Is(err, ErrUnread) {
		t.Errorf("refresh: %v", err)
	}
	if _, err := b.Spans("a text"); !errors.Is(err, ErrUnread) {
		t.Errorf("spans: %v", err)
	}
	if _, err := b.Say("another value", true); err == nil {
		t.Error("a damaged file was written over")
	}
	if err := os.Remove(b.path); err != nil {
		t.Fatal(err)
	}
	if err := b.Refresh(); err != nil {
		t.Errorf("without a file: %v", err)
	}
}

func TestProcessesDoNotLoseEachOthersVerdicts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "verdicts.json")
	var all sync.WaitGroup
	for _, v := range []string{"wren-lane-1", "wren-lane-2", "wren-lane-3", "wren-lane-4", "wren-lane-5", "wren-lane-6"} {
		all.Go(func() {
			if _, err := Open(path, []byte("k")).Say(v, true); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if said, err := Open(path, []byte("k")).List(); err != nil || len(said) != 6 {
		t.Errorf("%d of 6 are there, %v", len(said), err)
	}
}

func TestWhatIsNoVerdict(t *testing.T) {
	b := open(t)
	for v, secret := range map[string]bool{"": false, "abc": true, strings.Repeat("x", longest+1): false} {
		if _, err := b.Say(v, secret); err == nil {
			t.Errorf("%d bytes, secret %v: taken", len(v), secret)
		}
	}
	say(t, b, "abc", false)
	if !b.Public("abc") {
		t.Error("a short word may be public")
	}
	var none *Book
	if found, err := none.Spans(value); len(found) > 0 || err != nil || none.Public(value) || none.Refresh() != nil {
		t.Error("no book says something")
	}
}

// Of a value that was taken out and is gone the hash of the gate is known; what is said about the value later counts.
func TestAVerdictOfAValueThatIsGone(t *testing.T) {
	b := open(t)
	hash := scan.NewMACs(b.key).Hex(value)
	for _, bad := range []string{"", hash[:32], strings.Repeat("g", 64)} {
		if _, err := b.SayOf(bad, "password#0000"); err == nil {
			t.Errorf("%q is a hash", bad)
		}
	}
	s, err := b.SayOf(hash, "password#"+hash[:4])
	if err != nil || s.Shape != "" || !b.Public(value) || b.Public(value+"x") {
		t.Fatalf("%+v, %v", s, err)
	}
	if again := Open(b.path, b.key); !again.Public(value) {
		t.Error("it is not remembered")
	}
	say(t, b, value, true)
	if said, err := b.List(); err != nil || len(said) != 1 || b.Public(value) {
		t.Errorf("said %+v, %v", said, err)
	}
}
