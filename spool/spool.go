package spool

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"keepmum/atomicfile"
	"keepmum/capture"
	"keepmum/hooks"
	"keepmum/privacy"
	"keepmum/safefile"
)

// Limits of a spool: a daemon that is down for weeks must not fill the disk.
const (
	MaxEvents = 10_000
	MaxBytes  = 256 << 20
)

// maxEvent limits the size of a file that is read back: a payload has at most 10 MiB, and each of its bytes takes at
// most six here.
const maxEvent = 64 << 20

// ErrFull means that the spool has reached its limits, so the event was not stored.
var ErrFull = errors.New("the spool is full: `mum up` starts the daemon, which empties it")

// Refused is the error for an event that will never be accepted: it must not block those after it.
type Refused struct{ Err error }

func (r *Refused) Error() string { return "refused for good: " + r.Err.Error() }

// Unwrap returns the cause.
func (r *Refused) Unwrap() error { return r.Err }

// Dir is a spool directory.
type Dir string

// Entry is one event read back. Its strings are raw again: they must pass the gate.
type Entry struct {
	Key   string            `json:"key"` // identifies the event, however often it is delivered
	Event hooks.Event       `json:"event"`
	Same  string            `json:"same"`  // [capture.Event.Same]
	Taken []privacy.Finding `json:"taken"` // what the gate removed before the event was written
	path  string
}

type written struct {
	Key   string            `json:"key"`
	Event capture.Event     `json:"event"`
	Same  string            `json:"same,omitempty"`
	Taken []privacy.Finding `json:"taken,omitempty"`
}

// Put writes one cleaned event. at orders the events; key identifies repeats.
func (d Dir) Put(e capture.Event, key string, at time.Time) error {
	if err := d.make(); err != nil {
		return err
	}
	data, err := json.Marshal(written{key, e, e.Same, e.Findings})
	if err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	if err := d.room(int64(len(data))); err != nil {
		return err
	}
	name := fmt.Sprintf("%020d-%s-%s.json", at.UnixNano(), sessionMark(e.Agent.String(), e.Session.String()), safe(key))
	return atomicfile.Write(filepath.Join(string(d), name), data, 0o600)
}

// sessionMark names a session in the name of a file, so that nobody has to read the files of other sessions.
func sessionMark(agent, session string) string {
	h := fnv.New32a()
	_, _ = io.WriteString(h, agent+"/"+session) // writing to a hash cannot fail
	return fmt.Sprintf("s%08x", h.Sum32())
}

// Waits reports whether events that may be of a session are waiting. Two sessions with the same mark only wait for each
// other; older versions wrote no mark.
func (d Dir) Waits(agent, session string) bool {
	names, _ := d.names() // a spool that cannot be read is reported elsewhere
	mark := sessionMark(agent, session)
	return slices.ContainsFunc(names, func(name string) bool {
		_, rest, _ := strings.Cut(name, "-")
		has, _, _ := strings.Cut(rest, "-")
		return has == mark || len(has) != len(mark) || has[0] != mark[0]
	})
}

// make creates the directory. It refuses one that may belong to someone else.
func (d Dir) make() error {
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	return safefile.Own(string(d))
}

// safe makes a file name from a key, which is ours or a hash of something from outside.
func safe(key string) string {
	name := strings.Map(func(r rune) rune {
		if r == '-' || r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, key)
	return name[:min(len(name), 64)]
}

// room checks whether there is room for an event. Events set aside do not take room from those that can be delivered.
func (d Dir) room(more int64) error {
	names, err := d.names()
	if err != nil {
		return err
	}
	if len(names) >= MaxEvents {
		return ErrFull
	}
	for _, name := range names {
		if info, err := os.Lstat(filepath.Join(string(d), name)); err == nil {
			more += info.Size()
		}
	}
	if more > MaxBytes {
		return ErrFull
	}
	return nil
}

// Len returns how many events are waiting.
func (d Dir) Len() int {
	names, _ := d.names()
	return len(names)
}

// Bad returns how many events were set aside.
func (d Dir) Bad() int {
	names, _ := d.ending(badSuffix)
	return len(names)
}

const badSuffix = ".json.bad"

func (d Dir) names() ([]string, error) { return d.ending(".json") }

func (d Dir) ending(suffix string) ([]string, error) {
	files, err := os.ReadDir(string(d))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("spool: %w", err)
	}
	var names []string
	for _, f := range files {
		if strings.HasSuffix(f.Name(), suffix) && !strings.HasPrefix(f.Name(), ".") {
			names = append(names, f.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

// Drain passes every waiting event to deliver, oldest first, and removes each one that was delivered. It stops at the
// first delivery that fails: order matters, and the cause (a full disk) is rarely the event itself. An event that is
// [Refused], or cannot be parsed, is counted and set aside as .bad, with the reason next to it.
func (d Dir) Drain(deliver func(Entry) error) (delivered, bad int, err error) {
	names, err := d.names()
	if err != nil {
		return 0, 0, err
	}
	for _, name := range names {
		e, err := read(filepath.Join(string(d), name))
		if err != nil {
			bad++
			if err := d.setAside(name, err); err != nil {
				return delivered, bad, err
			}
			continue
		}
		err = deliver(e)
		if refused := (*Refused)(nil); errors.As(err, &refused) {
			bad++
			err = d.setAside(name, refused.Err)
			if err == nil {
				continue
			}
		}
		if err != nil {
			return delivered, bad, err
		}
		if err := os.Remove(e.path); err != nil {
			return delivered, bad, fmt.Errorf("spool: %w", err)
		}
		delivered++
	}
	return delivered, bad, nil
}

// setAside renames an event that cannot be delivered. The reason contains no text of it.
func (d Dir) setAside(name string, reason error) error {
	from := filepath.Join(string(d), name)
	if err := atomicfile.Write(from+".bad.why", []byte(reason.Error()+"\n"), 0o600); err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	if err := os.Rename(from, from+".bad"); err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	return nil
}

func read(path string) (Entry, error) {
	data, err := safefile.Read(path, maxEvent)
	if err != nil {
		return Entry{}, err
	}
	e := Entry{path: path}
	if err := json.Unmarshal(data, &e); err != nil {
		return Entry{}, err
	}
	return e, nil
}
