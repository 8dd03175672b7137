package review

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"keepmum/atomicfile"
	"keepmum/privacy"
	"keepmum/safefile"
)

// Act is what the user did with a proposal.
type Act string

// The acts. An edit means keep, with other words.
const (
	Keep  Act = "keep"
	Edit  Act = "edit"
	Drop  Act = "drop"
	Never Act = "never"
	Undo  Act = "undo"
)

// Label is one line of the file.
type Label struct {
	At         time.Time     `json:"at"`
	Act        Act           `json:"act"`
	Proposal   int64         `json:"proposal"`
	Why        string        `json:"why"` // a code: why the proposal did not become a memory
	Kind       string        `json:"kind,omitempty"`
	Confidence float64       `json:"confidence"`
	Title      privacy.Clean `json:"title"`
	Sentence   privacy.Clean `json:"sentence"`
}

// File contains the labels of one data directory.
type File struct {
	mu   sync.Mutex
	path string
}

// Open returns the labels at a path. The file is created with the first label.
func Open(path string) *File { return &File{path: path} }

// maxFile is the size at which the older half is removed: some 20,000 labels.
const maxFile = 8 << 20

// Add adds a label.
func (f *File) Add(l Label) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	line, err := json.Marshal(l)
	if err != nil {
		return err
	}
	data, err := f.read()
	if err != nil {
		return err
	}
	if len(data) > maxFile {
		data = data[len(data)/2:]
		data = data[bytes.IndexByte(data, '\n')+1:]
	}
	if len(data) > 0 && data[len(data)-1] != '\n' { // someone edited it: the last line must not swallow this one
		data = append(data, '\n')
	}
	return atomicfile.Write(f.path, append(append(data, line...), '\n'), 0o600)
}

func (f *File) read() ([]byte, error) {
	data, err := safefile.Read(f.path, 2*maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what was reviewed: %w", err)
	}
	return data, nil
}

// Reset removes all labels: the built-in threshold applies again.
func (f *File) Reset() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := os.Remove(f.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Rewrite passes each line to keep and writes what it returns; "" removes the line.
func (f *File) Rewrite(keep func(line string) string) (changed int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	data, err := f.read()
	if err != nil || len(data) == 0 {
		return 0, err
	}
	var out strings.Builder
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		now := keep(line)
		if now != line {
			changed++
		}
		if now != "" {
			out.WriteString(now + "\n")
		}
	}
	if changed == 0 {
		return 0, nil
	}
	return changed, atomicfile.Write(f.path, []byte(out.String()), 0o600)
}

// Without removes the lines that contain one of some pieces, unchanged or as JSON escapes them.
func (f *File) Without(pieces ...string) (int, error) {
	return f.Rewrite(func(line string) string {
		if slices.ContainsFunc(pieces, func(p string) bool { return p != "" && strings.Contains(line, p) }) {
			return ""
		}
		return line
	})
}

// WithoutProposals removes the labels of some proposals.
func (f *File) WithoutProposals(ids []int64) (int, error) {
	if len(ids) == 0 {
		return 0, nil
	}
	return f.Rewrite(func(line string) string {
		var l known
		if json.Unmarshal([]byte(line), &l) == nil && slices.Contains(ids, l.Proposal) {
			return ""
		}
		return line
	})
}

// known is a label as it is read back: text from a file is a plain string.
type known struct {
	Act        Act     `json:"act"`
	Proposal   int64   `json:"proposal"`
	Why        string  `json:"why"`
	Confidence float64 `json:"confidence"`
}

// Bar reads the labels and derives the bar from them. It ignores lines that cannot be read.
func (f *File) Bar() (Bar, error) {
	f.mu.Lock()
	data, err := f.read()
	f.mu.Unlock()
	if err != nil {
		return Bar{}, err
	}
	last := map[int64]known{}
	var order []int64
	for line := range strings.Lines(string(data)) {
		var l known
		if json.Unmarshal([]byte(line), &l) != nil {
			continue
		}
		order = append(slices.DeleteFunc(order, func(id int64) bool { return id == l.Proposal }), l.Proposal)
		last[l.Proposal] = l
	}
	b := Bar{by: map[string][]known{}}
	for _, id := range order {
		if l := last[id]; l.Act != Undo {
			b.by[l.Why] = append(b.by[l.Why], l)
			b.Labels++
		}
	}
	return b, nil
}
