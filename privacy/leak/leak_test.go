package leak

import (
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"
)

func TestEveryFormOfASecretIsFound(t *testing.T) {
	const value = "Zk8mQ2vX9wLpT4rB7nYs&3/k"
	s := NewScanner([]Secret{{"it", value}})
	for _, c := range []struct{ form, text string }{
		{"plain", "x" + value + "y"},
		{"piece", value[2 : len(value)-3]},
		{"base64", base64.StdEncoding.EncodeToString([]byte("a" + value + "b"))},
		{"base64", base64.RawURLEncoding.EncodeToString([]byte("ab" + value))},
		{"hex", hex.EncodeToString([]byte(value))},
		{"UTF-16",
			"\x00Z\x00k\x008\x00m\x00Q\x002\x00v\x00X\x009" +
				"\x00w\x00L\x00p\x00T\x004\x00r\x00B\x007\x00n\x00Y\x00s\x00&\x003\x00/\x00k"},
		{"URL", "q=Zk8mQ2vX9wLpT4rB7nYs%263%2Fk"},
		{"JSON", `Zk8mQ2vX9wLpT4rB7nYs\u00263/k`},
	} {
		found := false
		for _, h := range s.Bytes("here", []byte("some bytes before "+c.text)) {
			found = found || h.Form == c.form
		}
		if !found {
			t.Errorf("%s is not found", c.form)
		}
	}
	if hits := s.Bytes("here", []byte("nothing of it, Zk8mQ2 at most")); len(hits) > 0 {
		t.Errorf("found where it is not: %v", hits)
	}
}

func TestAFewDigitsAreNotFoundInAHash(t *testing.T) {
	s := NewScanner([]Secret{{"pin", "482913"}})
	if hits := s.Bytes("here", []byte("9f482913a7, 0482913")); len(hits) > 0 {
		t.Errorf("found by chance: %v", hits)
	}
	for _, text := range []string{"482913", "the pin is 482913.", "=482913\n"} {
		if hits := s.Bytes("here", []byte(text)); len(hits) != 1 {
			t.Errorf("%q: %v", text, hits)
		}
	}
}

func TestNamesAndContentsOfFilesAreLookedAt(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a/hunter2!x": "", "a/b": "say hunter2!x", "c": "nothing"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := NewScanner([]Secret{{"it", "hunter2!x"}}).Dir(dir)
	if err != nil || tree.Files != 3 || len(tree.Hits) != 2 {
		t.Errorf("%+v, %v", tree, err)
	}
}
