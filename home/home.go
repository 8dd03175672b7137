package home

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"keepmum/atomicfile"
	"keepmum/safefile"
)

// Dir is a data directory.
type Dir string

// The files of a data directory.
func (d Dir) Token() string      { return d.join("token") }
func (d Dir) CurlHeader() string { return d.join("curl.header") }
func (d Dir) HMACKey() string    { return d.join("hmac.key") }
func (d Dir) Port() string       { return d.join("port") }
func (d Dir) Socket() string     { return d.join("mum.sock") }
func (d Dir) Lock() string       { return d.join("mum.lock") }
func (d Dir) StartLock() string  { return d.join("start.lock") }
func (d Dir) Database() string   { return d.join("memory.db") }
func (d Dir) Latest() string     { return d.Database() + ".last" } // the number of the latest entry
func (d Dir) Spool() string      { return d.join("spool") }
func (d Dir) Logs() string       { return d.join("logs") }
func (d Dir) Log() string        { return d.join("logs", "mum.jsonl") }
func (d Dir) StartLog() string   { return d.join("logs", "start.log") } // messages of a daemon that has no log yet
func (d Dir) Backups() string    { return d.join("backups") }
func (d Dir) Memory() string     { return d.join("memory") }
func (d Dir) Git() string        { return d.join("git") } // the directory that git gets instead of the repository's own
func (d Dir) Runs() string       { return d.join("runs") }
func (d Dir) Review() string     { return d.join("review.jsonl") }
func (d Dir) Verdicts() string   { return d.join("verdicts.json") }
func (d Dir) Private() string    { return d.join("private.json") }
func (d Dir) Reserve() string    { return d.Private() + ".reserve" } // of the list of private sessions
func (d Dir) Pause() string      { return d.join("pause.json") }
func (d Dir) Dropped() string    { return d.Spool() + ".dropped" }  // a byte for each lost event
func (d Dir) Withheld() string   { return d.Spool() + ".withheld" } // a byte for each event stored without its text
func (d Dir) Projects() string   { return d.join("projects") }
func (d Dir) Forgetting() string { return d.join("forgetting") } // there while something is being forgotten

// ProjectMemory returns the directory of memories for a project that keeps none in its repository.
func (d Dir) ProjectMemory(project int64) string {
	return filepath.Join(d.Projects(), strconv.FormatInt(project, 10), "memory")
}

func (d Dir) join(parts ...string) string {
	return filepath.Join(append([]string{string(d)}, parts...)...)
}

// Keys are the secrets of one installation.
type Keys struct {
	Token string // bearer token of the HTTP API, 256 bits in hex
	HMAC  []byte // key for the redaction tags
}

// Prepare creates the directory (0700) and what is missing in it. Any number of processes can call it at once.
func Prepare(d Dir) (Keys, error) {
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return Keys{}, fmt.Errorf("make the data directory: %w", err)
	}
	if err := os.Chmod(string(d), 0o700); err != nil { // restrict an existing directory with a wider mode
		return Keys{}, fmt.Errorf("protect the data directory: %w", err)
	}
	if foreign := d.Foreign(); len(foreign) > 0 {
		return Keys{}, foreign[0]
	}
	var token, key string
	var both errgroup.Group // creating each of them waits for the disk
	both.Go(func() (err error) { token, err = secret(d.Token(), d.token); return err })
	both.Go(func() (err error) { key, err = secret(d.HMACKey(), random); return err })
	if err := both.Wait(); err != nil {
		return Keys{}, err
	}
	header := "Authorization: Bearer " + token + "\n"
	if have, err := safefile.Read(d.CurlHeader(), maxSecret); err != nil || string(have) != header {
		// no need to sync: it can be derived from the token again
		if err := atomicfile.Swap(d.CurlHeader(), []byte(header), 0o600); err != nil {
			return Keys{}, err
		}
	}
	raw, err := decodeKey(d, key)
	if err != nil {
		return Keys{}, err
	}
	return Keys{Token: token, HMAC: raw}, nil
}

// Read returns the keys of a directory that cannot be written to.
func Read(d Dir) (Keys, error) {
	if foreign := d.Foreign(); len(foreign) > 0 {
		return Keys{}, foreign[0]
	}
	token, err := known(d.Token())
	if err != nil {
		return Keys{}, err
	}
	key, err := known(d.HMACKey())
	if err != nil {
		return Keys{}, err
	}
	raw, err := decodeKey(d, key)
	return Keys{Token: token, HMAC: raw}, err
}

// TagKey reads the key of the redaction tags and never creates it; nil = there is none yet.
func TagKey(d Dir) ([]byte, error) {
	if _, err := os.Stat(d.HMACKey()); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	key, err := secret(d.HMACKey(), random)
	if err != nil {
		return nil, err
	}
	return decodeKey(d, key)
}

func decodeKey(d Dir, key string) ([]byte, error) {
	raw, err := hex.DecodeString(key)
	if err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", d.HMACKey(), ErrDamaged)
	}
	return raw, nil
}

// maxSecret limits the size of a file that contains one line.
const maxSecret = 4 << 10

// random returns 256 random bits in hex.
func random() string {
	bits := make([]byte, 32)
	_, _ = rand.Read(bits) // documented never to fail
	return hex.EncodeToString(bits)
}

// token returns the token of curl.header, which a running daemon may have, or a new one.
func (d Dir) token() string {
	header, _ := safefile.ReadOwn(d.CurlHeader(), maxSecret) // a missing file contains no token
	token := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(string(header)), "Authorization: Bearer "))
	if isSecret(token) {
		return token
	}
	return random()
}

// secret reads 256 bits in hex from path. If the file is missing, it is created with what fresh returns.
func secret(path string, fresh func() string) (string, error) {
	s, err := known(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := atomicfile.Create(path, []byte(fresh()+"\n"), 0o600); err != nil {
			return "", err
		}
		s, err = known(path)
	}
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(path, 0o600); err != nil {
			return "", fmt.Errorf("protect %s: %w", path, err)
		}
	}
	return s, nil
}

// known reads a secret that exists.
func known(path string) (string, error) {
	data, err := safefile.ReadOwn(path, maxSecret)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	s := strings.TrimSpace(string(data))
	if !isSecret(s) { // otherwise the header file would contain something that no client can send
		return "", fmt.Errorf("%s is damaged: %w", path, ErrDamaged)
	}
	return s, nil
}
