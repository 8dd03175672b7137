package trace

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepmum/atomicfile"
	"keepmum/safefile"
	"keepmum/sorting"
)

// File is the name of a trace in the directory of its run.
const File = "trace.jsonl"

// maxTrace limits the size of a trace that is read.
const maxTrace = 64 << 20

// Dir is the directory with one subdirectory per run.
func Dir(home string) string { return filepath.Join(home, "runs") }

// Record is a line as it is read back, as plain text.
type Record struct {
	Kind       Kind      `json:"t"`
	At         time.Time `json:"at"`
	Run        string    `json:"run,omitempty"`
	Does       string    `json:"does,omitempty"`
	Session    string    `json:"session,omitempty"`
	Project    string    `json:"project,omitempty"`
	Branch     string    `json:"branch,omitempty"`
	Title      string    `json:"title,omitempty"`
	Form       string    `json:"form,omitempty"`
	Action     string    `json:"action,omitempty"`
	Reason     string    `json:"reason,omitempty"`
	Memory     string    `json:"memory,omitempty"`
	Into       string    `json:"into,omitempty"`
	By         string    `json:"by,omitempty"`
	Role       string    `json:"role,omitempty"`
	Provider   string    `json:"provider,omitempty"`
	Host       string    `json:"host,omitempty"`
	Model      string    `json:"model,omitempty"`
	Outcome    string    `json:"outcome,omitempty"`
	Entry      int64     `json:"entry,omitempty"`
	Steps      int       `json:"steps,omitempty"`
	Candidates int       `json:"candidates,omitempty"`
	Confidence float64   `json:"confidence,omitempty"`
	Score      float64   `json:"score,omitempty"`
	Seconds    float64   `json:"seconds,omitempty"`
	In         int       `json:"tokens_in,omitempty"`
	Out        int       `json:"tokens_out,omitempty"`
	Cost       float64   `json:"cost,omitempty"`
}

// ErrNone means that a run has no trace.
var ErrNone = errors.New("there is no trace of that run")

const longestID = 200 // bytes; a name of a directory may have 255

// Read returns the lines of a run, without those that are incomplete or damaged.
func Read(home, id string) ([]Record, error) {
	if len(id) > longestID || strings.IndexByte(id, 0) >= 0 || !filepath.IsLocal(id) || filepath.Base(id) != id {
		return nil, ErrNone
	}
	data, err := safefile.Read(filepath.Join(Dir(home), id, File), maxTrace)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, fmt.Errorf("read the trace of %s: %w", id, err)
	}
	var out []Record
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, maxTrace)
	for lines.Scan() {
		var r Record
		if json.Unmarshal(lines.Bytes(), &r) == nil && r.Kind != "" {
			out = append(out, r)
		}
	}
	return out, nil
}

// Runs returns the ids of the runs that have a trace, latest first; does = "" means any kind of run.
func Runs(home, does string) ([]string, error) {
	entries, err := os.ReadDir(Dir(home))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list the runs: %w", err)
	}
	type run struct {
		id string
		at time.Time // of its last line, because two runs may begin in the same second
	}
	var all []run
	for _, e := range entries {
		kind, _, _ := strings.Cut(e.Name(), "-")
		if !e.IsDir() || does != "" && kind != does {
			continue
		}
		if info, err := os.Lstat(filepath.Join(Dir(home), e.Name(), File)); err == nil {
			all = append(all, run{e.Name(), info.ModTime()})
		}
	}
	sorting.Stable(all, func(a, b run) int {
		return cmp.Or(strings.Compare(when(b.id), when(a.id)), b.at.Compare(a.at), strings.Compare(b.id, a.id))
	})
	out := make([]string, len(all))
	for i, r := range all {
		out[i] = r.id
	}
	return out, nil
}

// when returns the time in the name of a run: sync-20261122-101500-a1b2c3.
func when(id string) string {
	_, rest, _ := strings.Cut(id, "-")
	return rest[:max(strings.LastIndexByte(rest, '-'), 0)]
}

// Retention is how long traces are kept.
type Retention struct {
	Days int // 0 = for ever
	Most int // number of runs; 0 = no limit
}

// Prune removes the traces that exceed the retention. The other files of a run stay, because they record where memories
// come from.
func Prune(home string, keep Retention, now time.Time) (removed int, err error) {
	ids, err := Runs(home, "")
	if err != nil {
		return 0, err
	}
	var errs []error
	for i, id := range ids {
		file := filepath.Join(Dir(home), id, File)
		info, err := os.Lstat(file)
		old := err == nil && keep.Days > 0 && now.Sub(info.ModTime()) > time.Duration(keep.Days)*24*time.Hour
		if !old && (keep.Most <= 0 || i < keep.Most) {
			continue
		}
		if err := os.Remove(file); err != nil {
			errs = append(errs, err)
			continue
		}
		removed++
		_ = os.Remove(filepath.Dir(file)) // fails if there are other files
	}
	return removed, errors.Join(errs...)
}

// Forget removes from all traces the lines that contain one of some texts, and returns how many it removed.
func Forget(home string, texts ...string) (lines int, err error) {
	texts = slices.DeleteFunc(slices.Clone(texts), func(t string) bool { return t == "" })
	ids, err := Runs(home, "")
	if err != nil || len(texts) == 0 {
		return 0, err
	}
	for _, id := range ids {
		n, err := forget(filepath.Join(Dir(home), id, File), texts)
		if err != nil {
			return lines, fmt.Errorf("remove lines from the trace of %s: %w", id, err)
		}
		lines += n
	}
	return lines, nil
}

func forget(file string, texts []string) (n int, err error) {
	data, err := safefile.Read(file, maxTrace)
	if err != nil {
		return 0, err
	}
	var kept bytes.Buffer
	for line := range bytes.Lines(data) {
		if slices.ContainsFunc(texts, func(t string) bool { return bytes.Contains(line, []byte(t)) || spelled(line, t) }) {
			n++
			continue
		}
		kept.Write(line)
	}
	if n == 0 {
		return 0, nil
	}
	return n, atomicfile.Write(file, kept.Bytes(), 0o600)
}

// spelled reports whether a line of JSON contains a text in escaped form.
func spelled(line []byte, text string) bool {
	quoted, err := json.Marshal(text)
	return err == nil && bytes.Contains(line, quoted[1:len(quoted)-1])
}
