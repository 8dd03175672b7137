package capture

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"keepmum/atomicfile"
	"keepmum/safefile"
)

// pausesFile remembers past pauses: what agents wrote into their own files during a pause must not be read later
// either.
const pausesFile = "pauses.json"

// maxPauses limits how many are remembered; the oldest are dropped first.
const maxPauses = 1000

// Span is a period without capture, both ends included.
type Span struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until,omitzero"` // zero = it has not ended
}

// Meets reports whether a period overlaps the span.
func (s Span) Meets(from, until time.Time) bool {
	return !until.Before(s.From) && (s.Until.IsZero() || !from.After(s.Until))
}

// Pauses returns the periods without capture, including the present one.
func Pauses(dir string) []Span {
	var past []Span
	if data, err := safefile.Read(filepath.Join(dir, pausesFile), maxSwitch); err == nil {
		_ = json.Unmarshal(data, &past) // only remember writes it, and atomically
	}
	if s, ok := current(dir); ok {
		past = append(past, s)
	}
	return past
}

// current returns the pause from the file that switches capture off. It started when the file was written, and may be
// over.
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

// remember records the pause that ends, or is replaced, at now.
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
