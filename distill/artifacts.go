package distill

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"keepmum/atomicfile"
	"keepmum/safefile"
)

// RunsDir is the directory with one subdirectory per run, which records what the run did.
func RunsDir(home string) string { return filepath.Join(home, "runs") }

// ActivityLog has one line for each run that did something.
func ActivityLog(home string) string { return filepath.Join(home, "activity.log") }

// artifacts writes what the run did. It omits the texts of memories, which are stored in one place so that they can be
// forgotten there.
func (r *run) artifacts() error {
	if !r.worked() {
		return nil
	}
	var log strings.Builder
	for _, line := range r.log {
		log.WriteString(line.String() + "\n")
	}
	p := r.report
	return writeRun(r.w.Home, p.RunID, map[string]any{
		"extract.json":        map[string]any{"sessions": notNil(r.steps)},
		"memory_actions.json": map[string]any{"actions": notNil(p.Actions)},
		"summary.json":        p.Summary(),
		"session.log":         []byte(log.String()),
	})
}

// notNil turns nil into an empty list, which JSON writes as [] and not as null.
func notNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// writeRun writes the files of one run: bytes unchanged, everything else as JSON.
func writeRun(home, id string, files map[string]any) error {
	dir := filepath.Join(RunsDir(home), id)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("create the directory of the run: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		data, ok := files[name].([]byte)
		if !ok {
			var b bytes.Buffer
			enc := json.NewEncoder(&b)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			if err := enc.Encode(files[name]); err != nil {
				return fmt.Errorf("encode %s: %w", name, err)
			}
			data = b.Bytes()
		}
		if err := atomicfile.Write(filepath.Join(dir, name), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// maxActivity is the size at which the log is cut to its newer half.
const maxActivity = 1 << 20

// logActivity adds a line: when | what | projects | how many | how long.
func logActivity(home string, at time.Time, what string, projects map[string]bool, n int, noun string,
	took time.Duration) error {
	names := slices.Sorted(maps.Keys(projects))
	names = slices.DeleteFunc(names, func(s string) bool { return s == "" })
	if len(names) == 0 {
		names = []string{"-"}
	}
	if n != 1 {
		noun += "s"
	}
	line := fmt.Sprintf("%s | %s | %s | %d %s | %.1fs\n", at.UTC().Format(time.DateTime), what, strings.Join(names, ", "),
		n, noun, took.Seconds())
	if err := shortenLog(ActivityLog(home)); err != nil {
		return err
	}
	f, err := os.OpenFile(ActivityLog(home), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open the activity log: %w", err)
	}
	_, err = f.WriteString(line)
	return errors.Join(err, f.Close())
}

// shortenLog cuts a log that is too long to its newer half.
func shortenLog(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() < maxActivity {
		return nil
	}
	data, err := safefile.Read(path, maxRun)
	if err != nil {
		return fmt.Errorf("shorten the activity log: %w", err)
	}
	data = data[len(data)/2:]
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		data = data[i+1:]
	}
	return atomicfile.Write(path, data, 0o600)
}

// maxRun limits the size of a run's file and of the activity log.
const maxRun = 64 << 20

// Summary is the machine-readable report, which `mum sync --json` prints.
type Summary struct {
	Scanned     int        `json:"sessions_scanned"`
	Indexed     int        `json:"sessions_indexed"`
	Extracted   int        `json:"sessions_extracted"`
	Decisions   int        `json:"decisions_added"`
	Learnings   int        `json:"learnings_added"`
	Proposed    int        `json:"proposals_added"`
	Updated     int        `json:"memories_updated"`
	Skipped     int        `json:"sessions_skipped"`
	Failed      int        `json:"sessions_failed"`
	Seconds     float64    `json:"duration_seconds"`
	WindowStart *time.Time `json:"window_start"` // null = no limit
	WindowEnd   *time.Time `json:"window_end"`
	RunID       string     `json:"run_id"`
}

// Summary returns the machine-readable report.
func (r *Report) Summary() Summary {
	return Summary{Scanned: r.Scanned, Indexed: r.Indexed, Extracted: r.Extracted, Decisions: r.Decisions,
		Learnings: r.Learnings, Proposed: r.Proposed, Updated: r.Updated,
		Skipped: r.Skipped, Failed: r.Failed, Seconds: r.Took.Seconds(),
		WindowStart: end(r.Window.Since),
		WindowEnd:   end(r.Window.Until), RunID: r.RunID}
}

// end returns an end of the window as the report has it; nil = no limit.
func end(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC().Truncate(time.Millisecond)
	return &t
}

// ForgetRuns removes the files of runs that contain one of the texts and returns how many: what a user forgets must not
// survive in the record of a run. The texts are compared byte by byte, so they must include the form in JSON
// ([store.Spellings]).
func ForgetRuns(home string, texts ...string) (removed int, err error) {
	err = filepath.WalkDir(RunsDir(home), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		data, err := safefile.Read(path, maxRun)
		if err != nil ||
			!slices.ContainsFunc(texts, func(t string) bool { return t != "" && bytes.Contains(data, []byte(t)) }) {
			return err
		}
		removed++
		return os.Remove(path)
	})
	return removed, err
}
