package atomicfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Move puts one file or directory in place of another.
type Move struct {
	From  string `json:"from,omitempty"` // "" = nothing comes in its place
	To    string `json:"to"`
	Aside string `json:"aside,omitempty"` // where what is there goes; chosen by [Together]
}

// Together makes moves that are all there after a crash, or none: a journal tells
// [Finish] what is left to do. The last move must bring a file: as long as that
// file waits, the moves are not done. It returns them with the names under which
// what was there is kept. All paths are below the directory of the journal.
func Together(journal string, moves []Move) ([]Move, error) {
	return together(journal, moves, os.Rename)
}

// together does each rename with a function, which a test lets fail.
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

// ErrDamaged says that a journal cannot be read, so that nobody knows what is left to do.
var ErrDamaged = errors.New("the journal is damaged")

// Check reports whether a journal could be followed: [ErrDamaged], or fs.ErrNotExist without one.
func Check(journal string) error {
	_, err := read(journal)
	return err
}

// read gives the moves of a journal, with whole paths.
func read(journal string) ([]Move, error) {
	data, err := os.ReadFile(journal)
	if err != nil {
		return nil, err
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

// Finish does what a crash left of [Together]; it reports whether there was anything.
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
		return true, fmt.Errorf("do what %s says: %w", journal, err) // it may name what never was
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

// finish does the moves that were not done yet, in their order, and ends the journal.
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
		return nil // done before a crash
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

// syncAll makes the renames durable before the journal goes.
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

// free is a name beside a path that nothing has.
func free(path string, taken map[string]bool) string {
	aside := path + ".replaced"
	for n := 1; there(aside) || taken[aside]; n++ {
		aside = fmt.Sprintf("%s.replaced%d", path, n)
	}
	return aside
}
