package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"keepmum/privacy"
)

func TestATextThatWasTakenOutIsKnownAgain(t *testing.T) {
	db := openTest(t)
	if got, err := db.ForgottenTexts(t.Context()); err != nil ||
		got.Without(clean("anything at all")).String() != "anything at all" {
		t.Fatalf("got %v", err)
	}
	const secret = `Wal"rus of  Mine-7741`
	if _, err := db.Replace(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Replace(t.Context(), "ключ от двери"); err != nil {
		t.Fatal(err)
	}
	texts, err := db.ForgottenTexts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		secret:                                    forgottenMark,
		"it is " + secret + ", keep it":           "it is " + forgottenMark + ", keep it",
		"wal\"rus\n\tof mine-7741":                forgottenMark,
		`{"a":"Wal\"rus of  Mine-7741"}`:          `{"a":"` + forgottenMark + `"}`,
		secret + secret + " " + secret:            forgottenMark + forgottenMark + " " + forgottenMark,
		"wal rus of mine 7741":                    "wal rus of mine 7741",
		"где ключ от\nдвери?":                     "где " + forgottenMark + "?",
		"  around it " + secret + "  stays ":      "  around it " + forgottenMark + "  stays ",
		"almost: " + secret[:len(secret)-1] + "2": "almost: " + secret[:len(secret)-1] + "2",
	} {
		if got := texts.Without(clean(text)).String(); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		if got := texts.without(text); got != want {
			t.Errorf("a row %q: got %q, want %q", text, got, want)
		}
	}
}

func TestATextOfWhiteSpaceTakesNothingWithIt(t *testing.T) {
	db := openTest(t)
	if _, err := db.Replace(t.Context(), "a    b"); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"         ", "\n\n\n\nno\n\n"} {
		if _, err := db.Replace(t.Context(), text); !errors.Is(err, ErrInvalid) {
			t.Errorf("%q: got %v", text, err)
		}
	}
	texts, err := db.ForgottenTexts(t.Context())
	if got := texts.without("a b, no"); err != nil || got != "a b, no" {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestATombstoneRevealsNothingAboutItsText: without the key, the row reveals neither the text, nor its length, nor
// that two texts begin alike.
func TestATombstoneRevealsNothingAboutItsText(t *testing.T) {
	db := openTest(t)
	for _, text := range []string{"hunter2hunter2", "hunter2hunter3", strings.Repeat("a long one, ", 400)} {
		if _, err := db.Replace(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	var macs []string
	if err := db.read.SelectContext(t.Context(), &macs, `SELECT mac FROM tombstones`); err != nil {
		t.Fatal(err)
	}
	if len(macs) != 3 {
		t.Fatalf("%d tombstones", len(macs))
	}
	for i, a := range macs {
		if len(a) != len(macs[0]) {
			t.Errorf("the rows differ in length: %q, %q", a, macs[0])
		}
		_, covered, _ := strings.Cut(strings.TrimPrefix(a, textGrave), ":")
		if strings.HasPrefix(covered, "0000") {
			t.Errorf("a length stands in %q", a)
		}
		for _, b := range macs[:i] {
			if a[:len(textGrave)+8] == b[:len(textGrave)+8] {
				t.Errorf("%q and %q begin alike", a, b)
			}
		}
	}
	if n := bytesOnDisk(t, db, "hunter2"); n != 0 {
		t.Errorf("it stands %d times on disk", n)
	}
}

func TestATextIsFoundWhereverItStands(t *testing.T) {
	db := openTest(t)
	r := rand.New(rand.NewPCG(1, 2))
	word := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "ab cD-é\""[r.IntN(9)]
		}
		return "x" + string(b) + "y"
	}
	var secrets []string
	for range 5 {
		secrets = append(secrets, word(6+r.IntN(40)))
		if _, err := db.Replace(t.Context(), secrets[len(secrets)-1]); err != nil {
			t.Fatal(err)
		}
	}
	texts, err := db.ForgottenTexts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 500 {
		secret := secrets[r.IntN(len(secrets))]
		before, after := word(r.IntN(60)), word(r.IntN(60))
		if got := texts.without(before + secret + after); strings.Contains(got, secret) ||
			!strings.HasPrefix(got, before[:1]) || !strings.Contains(got, forgottenMark) {
			t.Fatalf("%q in %q: %q", secret, before+secret+after, got)
		}
	}
}

func TestAForgottenTextComesBackWithNoEventAndNoImport(t *testing.T) {
	db := openTest(t)
	put(t, db, "p", "s", "my word is walrus<-7741, remember it")
	if _, err := db.Replace(t.Context(), "walrus<-7741"); err != nil {
		t.Fatal(err)
	}
	put(t, db, "p", "s2", "once more my word is walrus<-7741, and so on")
	if _, err := db.PutObservation(t.Context(),
		Observation{Session: ref("p", "s"), Tool: clean("Bash"), Title: clean("login"),
			Input: clean(`{"command":"login walrus<-7741"}`), Output: clean("ok")}); err != nil {
		t.Fatal(err)
	}
	if n := bytesOnDisk(t, db, "walrus"); n != 0 {
		t.Errorf("it stands %d times on disk", n)
	}
	if res := search(t, db, Query{Text: "once more"}); len(res.Hits) != 1 {
		t.Errorf("got %+v", res)
	}
	checkIndex(t, db)
}

func BenchmarkForgottenTexts(b *testing.B) {
	db := openTest(b)
	for i := range 3 {
		if _, err := db.Replace(b.Context(), fmt.Sprint("a forgotten text ", strings.Repeat("x", i*7))); err != nil {
			b.Fatal(err)
		}
	}
	texts, err := db.ForgottenTexts(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	text := privacy.Join("", clean(strings.Repeat("some text of a transcript that says nothing of it. ", 2000)))
	b.SetBytes(int64(len(text.String())))
	for b.Loop() {
		texts.Without(text)
	}
}

// With another key the length of a forgotten text is a random number up to 4 GiB. New events must not be delayed by
// that.
func TestAnotherKeyIsRefusedAndCostsNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	db, err := Open(t.Context(), Options{Path: path, Key: []byte("the right key")})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		if _, err := db.Replace(t.Context(), fmt.Sprint("a text to forget, number ", i)); err != nil {
			t.Fatal(err)
		}
	}
	var macs []string
	if err := db.read.Select(&macs, `SELECT mac FROM tombstones WHERE mac GLOB 'text:*'`); err != nil || len(macs) < 20 {
		t.Fatal(err, len(macs))
	}
	for key := range 200 { // some lengths are valid by chance; searching for them costs one pass
		other := &DB{key: []byte(fmt.Sprint("another key ", key))}
		texts := other.forgottenTexts(macs)
		if len(texts.texts) > 5 {
			t.Errorf("%d of %d lengths are taken for good", len(texts.texts), len(macs))
		}
		if got := texts.without("a text to forget, number 7"); got != "a text to forget, number 7" {
			t.Errorf("got %q", got)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), Options{Path: path, Key: []byte("another key")}); !errors.Is(err, ErrKey) {
		t.Errorf("got %v", err)
	}
	if err := AcceptKey(t.Context(), path, []byte("another key")); err != nil {
		t.Fatal(err)
	}
	if db, err = Open(t.Context(), Options{Path: path, Key: []byte("another key")}); err != nil {
		t.Fatal(err)
	}
	put(t, db, "p", "s", "it can be written to")
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}
