package capture

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"keepmum/safefile"
)

// A full disk has no room for a longer list of private sessions, but on most file systems a file that is there can be
// overwritten. So the reserve next to the list has room for some more, until the list can be written again.
const (
	reserved = 100 // sessions
	idLength = 32  // of what [privacy.Gate.ID] returns
	slot     = idLength + 1
)

var emptySlot = strings.Repeat("-", idLength) + "\n"

// Reserve makes the reserve in a data directory, and moves to the list what it holds.
func Reserve(dir string) error {
	p := &privates{path: PrivateFile(dir)}
	held, err := p.held()
	switch {
	case err != nil:
		return err
	case len(held) > 0:
		return p.add(held[0])
	}
	if info, err := os.Lstat(p.reservePath()); err == nil && info.Size() >= reserved*slot {
		return nil
	}
	return p.reserve(reserved)
}

func (p *privates) reservePath() string { return p.path + ".reserve" }

// reserve empties the first slots of the reserve. What another process appends meanwhile stays.
func (p *privates) reserve(slots int) error { return p.overwrite(strings.Repeat(emptySlot, slots), 0) }

// overwrite changes the reserve in place.
func (p *privates) overwrite(text string, at int64) error {
	f, err := safefile.OpenOwn(p.reservePath(), 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt([]byte(text), at)
	return errors.Join(err, f.Sync(), f.Close())
}

// append adds a session to the end of the reserve: this needs no lock, and nobody overwrites it.
func (p *privates) append(id string) error {
	f, err := safefile.OpenOwn(p.reservePath(), os.O_APPEND)
	if err != nil {
		return err
	}
	_, err = f.WriteString(id + "\n")
	return errors.Join(err, f.Sync(), f.Close())
}

// slots returns the ids in the reserve, "" for an empty slot, or for one that a power cut left half written.
func (p *privates) slots() ([]string, error) {
	data, err := safefile.ReadOwn(p.reservePath(), maxSwitch)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []string
	for line := range bytes.Lines(data) {
		id := string(bytes.TrimSpace(line))
		if _, err := hex.DecodeString(id); err != nil || len(id) != idLength {
			id = ""
		}
		out = append(out, id)
	}
	return out, err
}

// held returns the sessions in the reserve.
func (p *privates) held() ([]string, error) {
	ids, err := p.slots()
	return taken(ids), err
}

// taken returns the ids in slots that are not empty.
func taken(slots []string) (ids []string) {
	for _, id := range slots {
		if id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// hold puts a session into the reserve, and returns why it is not in the list if there is no room for it.
func (p *privates) hold(id string, why error) error {
	ids, err := p.slots()
	if err != nil || slices.Contains(ids, id) {
		return err
	}
	free := slices.Index(ids, "")
	if free < 0 || p.overwrite(id+"\n", int64(free)*slot) != nil {
		return why
	}
	return nil
}
