package home_test

import (
	"bytes"
	"errors"
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

// A directory that was open for a while may contain what another user planted.
func TestWhatAnotherUserMayHavePlantedIsNamed(t *testing.T) {
	d, own := home.Dir(t.TempDir()), t.TempDir()
	plant := map[string]bool{d.Memory(): true, d.Projects(): true, d.Runs(): true, d.Git(): true, d.Spool(): true,
		d.Private(): false, d.Pause(): false, d.Dropped(): false, d.Withheld(): false, d.Review(): false}
	for path, isDir := range plant {
		var err error
		if isDir {
			err = errors.Join(os.Mkdir(path, 0o700), os.Chmod(path, 0o777))
		} else {
			err = errors.Join(os.WriteFile(path, nil, 0o600), os.Chmod(path, 0o666))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if found := d.Foreign(); len(found) != len(plant) {
		t.Errorf("found %d of %d: %v", len(found), len(plant), found)
	}
	// the user's own link to a directory of notes is fine
	if err := errors.Join(os.Remove(d.Memory()), os.Symlink(own, d.Memory())); err != nil {
		t.Fatal(err)
	}
	if found := d.Foreign(); len(found) != len(plant)-1 {
		t.Errorf("found %d of %d: %v", len(found), len(plant)-1, found)
	}
	if err := os.Chmod(own, 0o777); err != nil {
		t.Fatal(err)
	}
	if found := d.Foreign(); len(found) != len(plant) {
		t.Errorf("a link to a directory of all: found %d of %d", len(found), len(plant))
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
