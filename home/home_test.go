package home_test

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"keepmum/home"
)

func TestManyProcessesAgreeOnOneSetOfKeys(t *testing.T) {
	d := home.Dir(filepath.Join(t.TempDir(), "mum"))
	keys := make([]home.Keys, 20)
	var wg sync.WaitGroup
	for i := range keys {
		wg.Go(func() {
			k, err := home.Prepare(d)
			if err != nil {
				t.Error(err)
			}
			keys[i] = k
		})
	}
	wg.Wait()
	for _, k := range keys {
		if k.Token != keys[0].Token || !bytes.Equal(k.HMAC, keys[0].HMAC) || len(k.HMAC) != 32 {
			t.Fatalf("two sets of keys: %d and %d bytes", len(k.HMAC), len(keys[0].HMAC))
		}
	}
}

func TestEverythingIsPrivate(t *testing.T) {
	d := home.Dir(t.TempDir())
	if err := os.Chmod(string(d), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := home.Prepare(d); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(string(d)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("directory: %v, %v", info.Mode(), err)
	}
	for _, path := range []string{d.Token(), d.CurlHeader(), d.HMACKey()} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}
