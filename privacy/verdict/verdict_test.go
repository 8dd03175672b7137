package verdict

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
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
	for _, bad := range []string{"", hash[:32], hash + "0", hash[:63] + "g", strings.Repeat("g", 64)} {
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

func TestTheShapeOfAValueTellsItFromOthers(t *testing.T) {
	for v, want := range map[string]string{
		"Tulpe-feld.77/kai": "Aa-a-0-a", "az": "a", "AZ": "A", "09": "0", "é中": "a", "\xff": "a", "{": "-", "[": "-",
		"/": "-",
		":": "-", "`": "-", "@": "-", "\x7f": "-", "a{Z[9:": "a-A-0-", "": "-",
		strings.Repeat("a0", 6): strings.Repeat("a0", 6), strings.Repeat("a0", 6) + "a": strings.Repeat("a0", 6) + "…",
		strings.Repeat("a0", 6) + "00": strings.Repeat("a0", 6),
	} {
		if got := shape(v); got != want {
			t.Errorf("%q: %s, want %s", v, got, want)
		}
	}
}

func TestHowLongAValueMayBe(t *testing.T) {
	b := open(t)
	for v, secret := range map[string]bool{value[:scan.MinSecret]: true, value[:scan.MinSecret-1]: false,
		strings.Repeat("x", longest): true} {
		if _, err := b.Say(v, secret); err != nil {
			t.Errorf("%d bytes, secret %v: %v", len(v), secret, err)
		}
	}
	// The hexadecimal form of a long value is too long to be looked for; the value and the other verdicts are found.
	key := "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("x9Kq2vTz7LmWr3Nb8YdQw5Hs1Jc6Fp4G\n", 100)
	say(t, b, key, true)
	for _, text := range []string{"it is " + key, "it is " + value[:scan.MinSecret]} {
		if found, err := b.Spans(text); err != nil || len(found) != 1 {
			t.Errorf("found %v, %v", found, err)
		}
	}
	if _, err := b.Say(value[:scan.MinSecret-1], true); err == nil {
		t.Error("a short word is a secret")
	}
}

func TestAFullListSaysSo(t *testing.T) {
	b := open(t)
	var said []Said
	for n := range maxSaid - 1 {
		said = append(said, Said{ID: fmt.Sprintf("%08d", n), MAC: fmt.Sprintf("%064d", n), Shape: "a"})
	}
	write(t, b, said)
	say(t, b, value, true)
	if _, err := b.Say("another.value-8", true); err == nil || !strings.Contains(err.Error(), "--remove ID") {
		t.Errorf("one more: %v", err)
	}
	s := say(t, b, value, false) // replaces one
	if err := b.Remove(s.ID); err != nil {
		t.Fatal(err)
	}
	say(t, b, "another.value-8", true)
	if list, err := b.List(); err != nil || len(list) != maxSaid || list[0].ID != said[0].ID {
		t.Errorf("%d are there, %v", len(list), err)
	}
}

func write(t *testing.T, b *Book, said []Said) {
	t.Helper()
	raw, err := json.Marshal(said)
	if err == nil {
		err = os.WriteFile(b.path, raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The error names a verdict whose marks are damaged, and it can be removed.
func TestADamagedVerdictCanBeRemoved(t *testing.T) {
	for _, mark := range []string{"zz", "00", "", strings.Repeat("0", 1000), strings.Repeat("00", 16) + "0"} {
		b := open(t)
		say(t, b, "another.value-8", true)
		said, err := b.List()
		if err != nil {
			t.Fatal(err)
		}
		write(t, b, append(said, Said{ID: "0badbad0", Secret: true, MAC: "00", Marks: []string{mark}}))
		if err := b.Refresh(); !errors.Is(err, ErrOtherKey) || !strings.Contains(err.Error(), "0badbad0") {
			t.Errorf("%.9q: %v", mark, err)
		}
		if list, err := b.List(); !errors.Is(err, ErrUnread) || list != nil {
			t.Errorf("%.9q: a damaged list is %v, %v", mark, list, err)
		}
		if err := b.Remove("0badbad0"); err != nil {
			t.Errorf("%.9q: remove: %v", mark, err)
		}
		if found, err := b.Spans("it is another.value-8"); err != nil || len(found) != 1 {
			t.Errorf("%.9q: the other one is found in %v, %v", mark, found, err)
		}
	}
}

func TestAnotherProcessIsHeardAtTheNextReading(t *testing.T) {
	b := open(t)
	other := Open(b.path, b.key)
	say(t, other, value, true)
	if err := b.Refresh(); err != nil {
		t.Fatal(err)
	}
	if found, err := b.Spans(value); err != nil || len(found) != 1 {
		t.Errorf("found %v, %v", found, err)
	}
	if foreign := Open(b.path, []byte("the key of another installation")); foreign.Public(value) {
		t.Error("it is public")
	} else if found, err := foreign.Spans(value); !errors.Is(err, ErrUnread) || len(found) != 0 {
		t.Errorf("with another key: %v, %v", found, err)
	}
}

func TestWithoutADirectoryNothingIsSaid(t *testing.T) {
	b := Open(filepath.Join(t.TempDir(), "gone", "verdicts.json"), []byte("k"))
	if _, err := b.Say(value, true); err == nil {
		t.Error("said")
	}
	if found, err := b.Spans(value); err != nil || len(found) != 0 {
		t.Errorf("found %v, %v", found, err)
	}
	var none *Book
	if list, err := none.List(); list != nil || err != nil {
		t.Errorf("no book lists %v, %v", list, err)
	}
}

// FuzzFile reads any file as verdicts: it is read or an error, and never half of both.
func FuzzFile(f *testing.F) {
	for _, seed := range []string{"", "null", "[]", "[{}]", `[{"secret":true,"marks":["00"]}]`, `[{"id":"a","mac":"b"}]`,
		"[{", "{}", "\xff",
		`[{"secret":true,"marks":["00112233445566778899aabbccddeeff"]}]`, `[null]`, `[{"at":"never"}]`} {
		f.Add([]byte(seed), "a text")
	}
	f.Fuzz(func(t *testing.T, raw []byte, text string) {
		path := filepath.Join(t.TempDir(), "verdicts.json")
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		b := Open(path, []byte("k"))
		err := b.Refresh()
		found, unread := b.Spans(text)
		for _, s := range found {
			if s.Start < 0 || s.End <= s.Start || s.End > len(text) {
				t.Errorf("[%d, %d) in %d bytes", s.Start, s.End, len(text))
			}
		}
		if _, listed := b.List(); (err != nil) != (listed != nil) || err != nil && (unread == nil || !errors.Is(err,
			ErrUnread)) {
			t.Errorf("refresh %v, spans %v, list %v", err, unread, listed)
		}
		b.Public(text)
	})
}
