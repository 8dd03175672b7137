package leak

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const planted = "Zk8mQ2vX9wLpT4rB7nYs&3/k"

func found(text string, secrets ...Secret) (forms []string) {
	for _, h := range NewScanner(secrets).Bytes("here", []byte(text)) {
		forms = append(forms, h.Form)
	}
	slices.Sort(forms)
	return forms
}

func TestASecretIsFoundWhereverItStands(t *testing.T) {
	const value = "blue42"
	for name, text := range map[string]string{
		"alone": value, "at the start": value + " x", "at the end": "x " + value, "after a byte": "x" + value,
		"after its own start": "blue4" + value, "twice": value + value, "after NUL": "\x00" + value,
		"after bytes that are no text": "\xff\xfe" + value, "far away": strings.Repeat("a line\n", 10_000) + value,
	} {
		if got := found(text, Secret{"it", value}); !slices.Equal(got, []string{"plain"}) {
			t.Errorf("%s: %q", name, got)
		}
	}
	for name, text := range map[string]string{"nothing": "", "less": "blue4",
		"other capitals": "Blue42", "a gap": "blue 42"} {
		if got := found(text, Secret{"it", value}); len(got) > 0 {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := found("blue4", Secret{"it", "blue4"}); len(got) > 0 {
		t.Errorf("five characters are found by chance, and here: %q", got)
	}
}

func TestEachSecretIsToldOncePerForm(t *testing.T) {
	text := planted + " red123 " + planted + " red123"
	hits := NewScanner([]Secret{{"one", planted}, {"two", "red123"}}).Bytes("a.log", []byte(text))
	var told []string
	for _, h := range hits {
		if h.Form == "plain" {
			told = append(told, h.String())
		}
	}
	if want := []string{"one: plain in a.log", "two: plain in a.log"}; !slices.Equal(told, want) {
		t.Errorf("%q, want %q", told, want)
	}
}

func TestAPieceCountsOnlyIfItWasDrawn(t *testing.T) {
	const hook = "https://hooks.example/services/a8f3k29dk3x7"
	for text, want := range map[string]bool{
		"https://hooks.example/services/": false, // the same for everybody
		"services/a8f3k29dk3x7":           true,
		"a8f3k29dk3x7":                    false, // no piece begins there, and it ends before the next one
		"":                                false,
	} {
		if got := slices.Contains(found(text, Secret{"it", hook}), "piece"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	short := "a1b2c3d4e5f6a7b8c9d0e1f"
	if got := found(short[:pieceLen], Secret{"it", short}); len(got) > 0 {
		t.Errorf("half of a short secret: %q", got)
	}
	if got := found(short[:pieceLen], Secret{"it", short + "2"}); !slices.Equal(got, []string{"piece"}) {
		t.Errorf("half of a longer one: %q", got)
	}
	for piece, want := range map[string]bool{"ab12": true, "AZ09": true, "zz00": true, "a123": false, "abc1": false,
		"1234": false, "[[{{``@@": false, ":://12ab": true, "::/12a": false} {
		if got := drawn(piece); got != want {
			t.Errorf("%s is drawn: %v", piece, got)
		}
	}
}

func TestABase64TextIsFoundAtEachAlignment(t *testing.T) {
	for shift := range 3 {
		for name, enc := range map[string]*base64.Encoding{"standard": base64.StdEncoding, "URL": base64.URLEncoding} {
			text := enc.EncodeToString([]byte(strings.Repeat("x", shift) + "blue?42>" + "tail"))
			if got := found(text, Secret{"it", "blue?42>"}); !slices.Contains(got, "base64") {
				t.Errorf("%s, after %d bytes: %q in %s", name, shift, got, text)
			}
		}
	}
	for _, coded := range base64Forms("blue42") {
		if len(coded) < 8 {
			t.Errorf("%s is short enough to be found by chance", coded)
		}
	}
}

func TestDigitsNextToTheLettersOfAHashAreNoLeak(t *testing.T) {
	pin := Secret{"pin", "482913"}
	for _, around := range []string{"a", "f", "A", "F", "0", "9"} {
		if got := found(around+pin.Value+".", pin); len(got) > 0 {
			t.Errorf("after %s: %q", around, got)
		}
		if got := found("."+pin.Value+around, pin); len(got) > 0 {
			t.Errorf("before %s: %q", around, got)
		}
	}
	for _, around := range []string{"g", "G", "/", ":", "`", "@", " ", "x"} {
		if got := found(around+pin.Value+around, pin); !slices.Equal(got, []string{"plain"}) {
			t.Errorf("between %s: %q", around, got)
		}
	}
	for value, want := range map[string]int{"48291376": 0, "482913765": 1, "4829x3": 1} {
		if got := found("a"+value+"b", Secret{"it", value}); len(got) != want {
			t.Errorf("%s in a hash: %q", value, got)
		}
	}
}

func TestATreeThatCannotBeReadIsAnError(t *testing.T) {
	s := NewScanner([]Secret{{"it", planted}})
	if _, err := s.Dir(filepath.Join(t.TempDir(), "missing")); err == nil {
		t.Error("a folder that is not there counts as searched")
	}
	dir := t.TempDir()
	if err := os.Symlink("nowhere", filepath.Join(dir, "link")); err != nil {
		t.Skip("no links here")
	}
	if tree, err := s.Dir(dir); err != nil || tree.Files != 0 || tree.Bytes != 0 {
		t.Errorf("a link counts as a file: %+v, %v", tree, err)
	}
}

// FuzzBytes compares the pass over the bytes with a search for the value itself.
func FuzzBytes(f *testing.F) {
	f.Add("a8f3k29dk3x7", "x", "y")
	f.Add("482913", "9f", "a7")
	f.Add("\x00\xff\x00\xff\x00\xff", "\x00", "\xff")
	f.Fuzz(func(t *testing.T, value, before, after string) {
		if len(value) < anchor || len(value) > 1000 || strings.Trim(value, "0123456789") == "" {
			t.Skip()
		}
		if got := found(before+value+after, Secret{"it", value}); !slices.Contains(got, "plain") {
			t.Fatalf("%q is not found in %q", value, before+value+after)
		}
	})
}
