package connect

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"keepmum/atomicfile"
	"keepmum/safefile"
)

// Record is one edit that was made.
type Record struct {
	Agent     string    `json:"agent"`
	Path      string    `json:"path"`
	Kind      string    `json:"kind"` // which edit to undo
	Transport Transport `json:"transport"`
	Existed   bool      `json:"existed"`          // the file existed before our edit
	Undo      undo      `json:"undo,omitempty"`   // restores the file as long as it is as we wrote it
	Backup    string    `json:"backup,omitempty"` // by older versions: a copy without our entries
	Before    string    `json:"before"`           // SHA-256 of the file without our entries
	After     string    `json:"after"`            // SHA-256 of the file with our entries
	Dirs      []string  `json:"dirs,omitempty"`   // directories that we created
	At        time.Time `json:"at"`
}

// manifest is connect.json: every edit in force.
type manifest struct {
	home  string
	Edits []Record `json:"edits"`
}

func (m manifest) path() string    { return filepath.Join(m.home, "connect.json") }
func (m manifest) backups() string { return filepath.Join(m.home, "backups", "connect") }

func loadManifest(home string) (manifest, error) {
	m := manifest{home: home}
	data, err := read(m.path())
	if err != nil || data == nil {
		return m, err
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, fmt.Errorf("read %s: %w", m.path(), err)
	}
	return m, nil
}

func (m manifest) find(path string) (Record, bool) {
	i := slices.IndexFunc(m.Edits, func(r Record) bool { return r.Path == path })
	if i < 0 {
		return Record{}, false
	}
	return m.Edits[i], true
}

func (m manifest) of(agent string) []Record {
	return slices.DeleteFunc(slices.Clone(m.Edits), func(r Record) bool { return r.Agent != agent })
}

// original restores the file without our entries (nil = there was none) from the file as we wrote it.
func (m manifest) original(r Record, cur []byte) ([]byte, bool) {
	if !r.Existed {
		return nil, true
	}
	data, ok := r.Undo.of(cur)
	if r.Backup != "" {
		copied, err := safefile.Read(filepath.Join(m.backups(), r.Backup), maxSettings)
		data, ok = append([]byte{}, copied...), err == nil
	}
	return data, ok && sum(data) == r.Before
}

// put records an edit, in place of an earlier one of the same file.
func (m *manifest) put(r Record) error {
	m.Edits = append(m.without(r.Path), r)
	return m.save()
}

func (m *manifest) drop(path string) error {
	m.Edits = m.without(path)
	return m.save()
}

func (m manifest) without(path string) []Record {
	return slices.DeleteFunc(slices.Clone(m.Edits), func(r Record) bool { return r.Path == path })
}

// dropCopies removes the copies that older versions made of the agents' files, including their keys. For a file that is
// unchanged since we wrote it, the undo is kept. From any other file our entries are removed one by one, which needs no
// copy.
func (m *manifest) dropCopies() error {
	for i := range m.Edits {
		r := &m.Edits[i]
		if r.Backup == "" {
			continue
		}
		cur, err := read(r.Path)
		if err != nil {
			return err
		}
		if base, ok := m.original(*r, cur); ok && sum(cur) == r.After {
			r.Undo = undoOf(base, cur)
		}
		r.Backup = ""
	}
	return nil
}

// DropCopies removes the copies of the agents' files that older versions left in a data directory.
func DropCopies(home string) error {
	m, err := loadManifest(home)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(m.backups()); err != nil { // there are none
		return nil
	}
	return m.save()
}

func (m manifest) save() error {
	if err := os.MkdirAll(m.home, 0o700); err != nil {
		return err
	}
	if err := m.dropCopies(); err != nil {
		return err
	}
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := atomicfile.Write(m.path(), append(data, '\n'), 0o600); err != nil {
		return err
	}
	if _, err := os.Lstat(m.backups()); err != nil { // RemoveAll would open what is above it, and wait for a pipe
		return nil
	}
	return os.RemoveAll(m.backups())
}

// sum returns the SHA-256 of a file's contents; "" for no file.
func sum(data []byte) string {
	if data == nil {
		return ""
	}
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}
