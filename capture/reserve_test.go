//go:build unix

package capture

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gofrs/flock"

	"keepmum/safefile"
)

func id(c string) string { return strings.Repeat(c, idLength) }

// A known session is no reason to leave others in the reserve.
func TestWhatIsInTheReserveMovesToTheList(t *testing.T) {
	dir := t.TempDir()
	p := &privates{path: PrivateFile(dir)}
	if err := errors.Join(Reserve(dir), p.add(id("a")), p.hold(id("a"), nil), p.hold(id("b"), nil)); err != nil {
		t.Fatal(err)
	}
	if err := Reserve(dir); err != nil {
		t.Fatal(err)
	}
	held, err := p.held()
	listed, lerr := p.read()
	if err := errors.Join(err, lerr); err != nil || len(held) > 0 || !slices.Equal(listed, []string{id("a"), id("b")}) {
		t.Errorf("the list has %v, the reserve %v: %v", listed, held, err)
	}
}

// A process that holds the lock for longer than a hook may wait would write its own list over a session added without
// it.
func TestASessionIsPrivateWhileOthersHoldTheLock(t *testing.T) {
	dir := t.TempDir()
	p := &privates{path: PrivateFile(dir)}
	lock := flock.New(p.path + ".lock")
	if err := errors.Join(Reserve(dir), p.add(id("a")), lock.Lock()); err != nil {
		t.Fatal(err)
	}
	if err := p.add(id("b")); err != nil {
		t.Fatal(err)
	}
	list, err := json.Marshal([]string{id("a"), id("c")}) // by the process that has the lock
	if err := errors.Join(err, os.WriteFile(p.path, list, 0o600), lock.Unlock()); err != nil {
		t.Fatal(err)
	}
	again := &privates{path: p.path}
	for _, want := range []string{id("a"), id("b"), id("c")} {
		if !again.has(want) {
			t.Errorf("%s is not private", want)
		}
	}
	if err := Reserve(dir); err != nil {
		t.Fatal(err)
	}
	held, err := again.held()
	if listed, lerr := again.read(); len(held) > 0 || len(listed) != 3 {
		t.Errorf("the list has %v, the reserve %v: %v", listed, held, errors.Join(err, lerr))
	}
}

// A list that cannot be written does not lose a session, whoever has it: the reserve, made before, can be written.
func TestAListThatCannotBeWrittenUsesTheReserve(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	dir := t.TempDir()
	p := &privates{path: PrivateFile(dir)}
	if err := errors.Join(Reserve(dir), p.add(id("a")), os.Chmod(dir, 0o500)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	for range 2 {
		if err := p.add(id("b")); err != nil {
			t.Fatal(err)
		}
	}
	again := &privates{path: PrivateFile(dir)} // as in a new process
	if !again.has(id("a")) || !again.has(id("b")) || again.has(id("c")) {
		ids, err := again.list()
		t.Errorf("private are %v: %v", ids, err)
	}
	if err := errors.Join(os.Chmod(dir, 0o700), Reserve(dir), os.Remove(p.reservePath())); err != nil {
		t.Fatal(err)
	}
	if !again.has(id("a")) || !again.has(id("b")) {
		t.Error("what was in the reserve was lost")
	}
}

func TestAReserveThatCannotBeReadIsNamed(t *testing.T) {
	dir := t.TempDir()
	p := &privates{path: PrivateFile(dir)}
	list, err := json.Marshal([]string{id("a")})
	if err := errors.Join(err, os.WriteFile(p.path, list, 0o600), os.Symlink(p.path, p.reservePath())); err != nil {
		t.Fatal(err)
	}
	var foreign *safefile.Foreign
	if path, err := CheckPrivate(dir); path != p.reservePath() || !errors.As(err, &foreign) {
		t.Errorf("%s: %v", path, err)
	}
	if err := errors.Join(os.Remove(p.reservePath()), os.WriteFile(p.path, []byte("["), 0o600)); err != nil {
		t.Fatal(err)
	}
	if path, err := CheckPrivate(dir); path != p.path || err == nil {
		t.Errorf("%s: %v", path, err)
	}
}
