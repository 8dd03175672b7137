package capture

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"keepmum/atomicfile"
	"keepmum/hooks"
	"keepmum/privacy"
	"keepmum/safefile"
)

// The user's switches are files, so that they apply to the daemon, to a hook process without one, and after a restart
// of either.
const (
	pauseFile   = "pause.json"
	privateFile = "private.json"
)

// maxPrivate limits how many sessions are remembered as private; the oldest are dropped first.
const maxPrivate = 1000

// maxSwitch limits the size of these files: a thousand sessions or pauses take a tenth of it.
const maxSwitch = 1 << 20

// lockTime is how long to wait for another process that writes. A hook has little more.
const lockTime = 200 * time.Millisecond

type pause struct {
	Until time.Time `json:"until,omitzero"` // zero = until resumed
}

// Pause stops capture until a time, or with the zero time until [Resume].
func Pause(dir string, until time.Time) error {
	data, err := json.Marshal(pause{until.UTC()})
	if err != nil {
		return err
	}
	if err := remember(dir, time.Now()); err != nil { // another pause may still be active
		return err
	}
	return atomicfile.Write(filepath.Join(dir, pauseFile), data, 0o600)
}

// Resume ends a pause; if there is none, it does nothing.
func Resume(dir string) error {
	if err := remember(dir, time.Now()); err != nil {
		return fmt.Errorf("end the pause: %w", err)
	}
	if err := os.Remove(filepath.Join(dir, pauseFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("end the pause: %w", err)
	}
	return nil
}

// Paused reports whether capture is paused at a time, and until when (zero = until resumed). A pause file that cannot
// be read counts as a pause.
func Paused(dir string, now time.Time) (until time.Time, paused bool) {
	data, err := safefile.Read(filepath.Join(dir, pauseFile), maxSwitch)
	if errors.Is(err, fs.ErrNotExist) {
		return time.Time{}, false
	}
	var p pause
	if err != nil || json.Unmarshal(data, &p) != nil {
		return time.Time{}, true
	}
	return p.Until, p.Until.IsZero() || now.Before(p.Until)
}

// privates are the sessions that the user declared private, by keyed id, or by a plain hash where no key is at hand.
type privates struct {
	path string

	mu      sync.Mutex
	file    fs.FileInfo // the file that ids was read from
	ids     []string
	unsaved []string // declared private, but the disk was full
}

// Declares reports whether an event makes its session private from then on.
func Declares(e hooks.Event) bool {
	return e.Kind == hooks.Prompt && privacy.Declared(e.Text)
}

// sessionID is how the list names a session: the list tells nobody which sessions there were.
func sessionID(g *privacy.Gate, e hooks.Event) string {
	return g.ID("private", e.Agent, e.Session).String()
}

// plainID names a session without a key, and so for every key.
func plainID(e hooks.Event) string {
	sum := sha256.Sum256([]byte(e.Agent + "\x00" + e.Session))
	return hex.EncodeToString(sum[:])[:idLength]
}

// isPrivate reports whether the user declared a session private.
func (i *Intake) isPrivate(g *privacy.Gate, e hooks.Event) bool {
	return i.private.has(sessionID(g, e)) || i.private.has(plainID(e))
}

// has reports whether a session is private. A list that cannot be read may name any session.
func (p *privates) has(id string) bool {
	p.mu.Lock()
	waiting := slices.Clone(p.unsaved)
	p.mu.Unlock()
	for _, one := range waiting {
		_ = p.add(one) // there may be room by now; declare has logged why there was none
	}
	ids, err := p.list()
	return err != nil || slices.Contains(ids, id) || slices.Contains(waiting, id)
}

// list returns the private sessions.
func (p *privates) list() ([]string, error) {
	held, err := p.held()
	if err != nil {
		return nil, err
	}
	ids, err := p.listed()
	return append(held, ids...), err
}

// listed returns the sessions in the list, and reads it again if it has changed.
func (p *privates) listed() ([]string, error) {
	info, err := os.Lstat(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	// Two versions within a tick of the clock have the same time.
	if p.file != nil && os.SameFile(info, p.file) && info.Size() == p.file.Size() &&
		info.ModTime().Equal(p.file.ModTime()) {
		return p.ids, nil
	}
	ids, err := p.read()
	if err == nil {
		p.ids, p.file = ids, info
	}
	return ids, err
}

// add remembers a session: at least until this process ends, if it cannot be written.
func (p *privates) add(id string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unsaved = slices.DeleteFunc(p.unsaved, func(s string) bool { return s == id })
	err := p.write(id)
	if err != nil {
		p.unsaved = append(p.unsaved, id)
	}
	return err
}

// write adds a session to the file under a lock: several hooks may write at once. It leaves a damaged list alone, which
// may name other sessions.
func (p *privates) write(id string) error {
	wait, cancel := context.WithTimeout(context.Background(), lockTime)
	defer cancel()
	// A pipe in its place, opened for writing too, is not waited for.
	lock := flock.New(p.path+".lock", flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|os.O_RDWR))
	switch _, err := lock.TryLockContext(wait, time.Millisecond); {
	case err == nil:
		defer func() { _ = lock.Unlock() }()
	case wait.Err() != nil && p.append(id) == nil: // the others take longer: whoever is next moves it to the list
		return nil
	} // else better without the lock than not at all
	ids, err := p.read()
	if err != nil {
		return err
	}
	slots, err := p.slots()
	held := taken(slots)
	if known := slices.Contains(ids, id); err != nil || known && len(held) == 0 {
		return err
	}
	for _, one := range append(slices.Clone(held), id) {
		if !slices.Contains(ids, one) {
			ids = append(ids, one)
		}
	}
	data, err := json.Marshal(ids[max(0, len(ids)-maxPrivate):])
	if err != nil {
		return err
	}
	p.file = nil // read it again
	if err := atomicfile.Write(p.path, data, 0o600); err != nil {
		return p.hold(id, err)
	}
	if len(held) > 0 {
		return p.reserve(len(slots))
	}
	return nil
}

func (p *privates) read() (ids []string, err error) {
	data, err := safefile.ReadOwn(p.path, maxSwitch)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && json.Unmarshal(data, &ids) != nil {
		err = errors.New("it is not a list as mum writes it")
	}
	return ids, err
}

// PrivateFile returns the path of the list of private sessions in a data directory.
func PrivateFile(dir string) string { return filepath.Join(dir, privateFile) }

// CheckPrivate returns why the list of private sessions or its reserve cannot be read, and which file it is: then
// nothing is captured.
func CheckPrivate(dir string) (path string, err error) {
	p := &privates{path: PrivateFile(dir)}
	if _, err := p.listed(); err != nil {
		return p.path, err
	}
	_, err = p.held()
	return p.reservePath(), err
}

// AnyPrivate reports whether there are private sessions, which only the right key recognises.
func AnyPrivate(dir string) bool {
	ids, err := (&privates{path: PrivateFile(dir)}).list()
	return err != nil || len(ids) > 0
}
