package capture

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"keepmum/atomicfile"
	"keepmum/safefile"
)

// pausesFile remembers the pauses that are over: what agents wrote into their
// own files meanwhile is not to be read later either.
const pausesFile = "pauses.json"

// maxPauses bounds how many are remembered; the oldest go first.
const maxPauses = 1000

// Span is a time of no capture, both ends included.
type Span struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until,omitzero"` // zero = it lasts
}

// Meets reports whether a part of a time is inside.
func (s Span) Meets(from, until time.Time) bool {
	return !until.Before(s.From) && (s.Until.IsZero() || !from.After(s.Until))
}

// Pauses returns the times of no capture, the present one included.
func Pauses(dir string) []Span {
	var past []Span
	if data, err := safefile.Read(filepath.Join(dir, pausesFile), maxSwitch); err == nil {
		_ = json.Unmarshal(data, &past) // written by remember alone, whole or not at all
	}
	if s, ok := current(dir); ok {
		past = append(past, s)
	}
	return past
}

// current is the pause of the file that switches capture off. It began when
// the file was written, and may be over by now.
func current(dir string) (Span, bool) {
	path := filepath.Join(dir, pauseFile)
	info, err := os.Stat(path)
	if err != nil {
		return Span{}, false
	}
	var p pause
	if data, err := safefile.Read(path, maxSwitch); err != nil || json.Unmarshal(data, &p) != nil {
		return Span{From: info.ModTime()}, true
	}
	return Span{From: info.ModTime(), Until: p.Until}, true
}

// remember keeps the pause that ends, or that another one replaces, at now.
func remember(dir string, now time.Time) error {
	s, ok := current(dir)
	if !ok {
		return nil
	}
	if s.Until.IsZero() || now.Before(s.Until) {
		s.Until = now
	}
	var past []Span
	if data, err := safefile.Read(filepath.Join(dir, pausesFile), maxSwitch); err == nil {
		_ = json.Unmarshal(data, &past)
	}
	past = append(past, s)
	data, err := json.Marshal(past[max(0, len(past)-maxPauses):])
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, pausesFile), data, 0o600)
}
