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
)

// Record is one edit that was made.
type Record struct {
	Agent     string    `json:"agent"`
	Path      string    `json:"path"`
	Kind      string    `json:"kind"` // how to take the edit out again
	Transport Transport `json:"transport"`
	Existed   bool      `json:"existed"`          // the file was there before us
	Backup    string    `json:"backup,omitempty"` // the file without us, in backups/connect
	Before    string    `json:"before"`           // SHA-256 of the file without us
	After     string    `json:"after"`            // SHA-256 of the file with us
	Dirs      []string  `json:"dirs,omitempty"`   // directories that we made
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

// backup returns the file as it was without us (nil = there was none), if the
// backup is still what was put there.
func (m manifest) backup(r Record) ([]byte, bool) {
	if !r.Existed {
		return nil, true
	}
	data, err := os.ReadFile(filepath.Join(m.backups(), r.Backup))
	if data == nil {
		data = []byte{}
	}
	return data, err == nil && sum(data) == r.Before
}

// put keeps base and writes the record down.
func (m *manifest) put(r Record, base []byte) error {
	if err := os.MkdirAll(m.backups(), 0o700); err != nil {
		return err
	}
	if r.Existed {
		r.Backup = fmt.Sprintf("%s-%s.%s.%.8s", r.Agent, filepath.Base(r.Path), r.At.Format("20060102T150405"), r.Before)
		if err := atomicfile.Write(filepath.Join(m.backups(), r.Backup), base, 0o600); err != nil {
			return err
		}
	}
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

func (m manifest) save() error {
	if err := os.MkdirAll(m.home, 0o700); err != nil {
		return err
	}
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(m.path(), append(data, '\n'), 0o600)
}

// sum returns the SHA-256 of a file's content; "" for no file.
func sum(data []byte) string {
	if data == nil {
		return ""
	}
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}
