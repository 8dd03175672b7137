package atomicfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"keepmum/safefile"
)

// Move replaces one path with another file or directory.
type Move struct {
	From  string `json:"from,omitempty"` // "" = To is only removed
	To    string `json:"to"`
	Aside string `json:"aside,omitempty"` // where the old file goes; chosen by [Together]
}

// Together makes all moves or, after a crash, either all or none: a journal tells [Finish] what is left to do. The last
// move must bring a file: as long as that file is at its old place, the moves are not done. Together returns the moves
// with the names under which the old files are kept. All paths are below the directory of the journal.
func Together(journal string, moves []Move) ([]Move, error) {
	return together(journal, moves, os.Rename)
}

// together takes the rename function as a parameter, so that a test can make it fail.
func together(journal string, moves []Move, rename func(string, string) error) ([]Move, error) {
	done := make([]Move, 0, len(moves))
	taken := map[string]bool{}
	for _, m := range moves {
		if there(m.To) {
			m.Aside = free(m.To, taken)
			taken[m.Aside] = true
		}
		if m.Aside != "" || m.From != "" {
			done = append(done, m)
		}
	}
	list, err := relative(filepath.Dir(journal), done)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	if err := Write(journal, data, 0o600); err != nil {
		return nil, err
	}
	return done, finish(journal, done, rename)
}

// ErrDamaged means that a journal cannot be read, so that it is unknown what is left to do.
var ErrDamaged = errors.New("the journal is damaged")

// Check reports whether a journal can be read: [ErrDamaged] if not, fs.ErrNotExist if there is none.
func Check(journal string) error {
	_, err := read(journal)
	return err
}

// maxJournal limits a journal: a line for each of a few files, and for the memory directory of each project.
const maxJournal = 4 << 20

// read returns the moves of a journal, with full paths.
func read(journal string) ([]Move, error) {
	data, err := safefile.ReadOwn(journal, maxJournal)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil { // a pipe, a device, another user's file, too large
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	var moves []Move
	if err := json.Unmarshal(data, &moves); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, journal, err)
	}
	dir := filepath.Dir(journal)
	for i, m := range moves {
		for _, p := range []*string{&moves[i].From, &moves[i].To, &moves[i].Aside} {
			if *p == "" {
				continue
			}
			if !filepath.IsLocal(*p) {
				return nil, fmt.Errorf("%w: %s leads out of its directory: %s", ErrDamaged, journal, m.To)
			}
			*p = filepath.Join(dir, *p)
		}
	}
	return moves, nil
}

// Finish completes the moves that a crash interrupted. It reports whether there were any.
func Finish(journal string) (bool, error) { return finishWith(journal, os.Rename) }

func finishWith(journal string, rename func(string, string) error) (bool, error) {
	moves, err := read(journal)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := finish(journal, moves, rename); err != nil {
		return true, fmt.Errorf("do what %s says: %w", journal, err) // the journal may name a file that never existed
	}
	return true, nil
}

func relative(dir string, moves []Move) ([]Move, error) {
	out := make([]Move, len(moves))
	for i, m := range moves {
		for _, p := range []struct {
			from string
			to   *string
		}{{m.From, &out[i].From}, {m.To, &out[i].To}, {m.Aside, &out[i].Aside}} {
			if p.from == "" {
				continue
			}
			rel, err := filepath.Rel(dir, p.from)
			if err != nil || !filepath.IsLocal(rel) {
				return nil, fmt.Errorf("%s is not below %s", p.from, dir)
			}
			*p.to = rel
		}
	}
	return out, nil
}

// finish makes the remaining moves in order and removes the journal.
func finish(journal string, moves []Move, rename func(string, string) error) error {
	if n := len(moves); n > 0 && there(moves[n-1].From) {
		for _, m := range moves {
			if err := m.do(rename); err != nil {
				return err
			}
		}
	}
	if err := syncAll(moves); err != nil {
		return err
	}
	if err := os.Remove(journal); err != nil {
		return err
	}
	return syncDir(filepath.Dir(journal))
}

func (m Move) do(rename func(string, string) error) error {
	if m.From != "" && !there(m.From) {
		return nil // done before the crash
	}
	if m.Aside != "" && there(m.To) {
		if err := rename(m.To, m.Aside); err != nil {
			return err
		}
	}
	if m.From == "" {
		return nil
	}
	return rename(m.From, m.To)
}

// syncAll makes the renames durable before the journal is removed.
func syncAll(moves []Move) error {
	seen := map[string]bool{}
	for _, m := range moves {
		dir := filepath.Dir(m.To)
		if seen[dir] {
			continue
		}
		seen[dir] = true
		if err := syncDir(dir); err != nil {
			return err
		}
	}
	return nil
}

func there(path string) bool {
	_, err := os.Lstat(path)
	return path != "" && err == nil
}

// free returns an unused name next to path.
func free(path string, taken map[string]bool) string {
	aside := path + ".replaced"
	for n := 1; there(aside) || taken[aside]; n++ {
		aside = fmt.Sprintf("%s.replaced%d", path, n)
	}
	return aside
}
