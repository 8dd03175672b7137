// Package verdict answers one question: what did the user say about a value?
//
// Verdicts are stored in one file of the data directory, as keyed hashes of the value and of its other forms, and as
// its shape, never as the value itself.
package verdict

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"keepmum/atomicfile"
	"keepmum/privacy/known"
	"keepmum/privacy/scan"
	"keepmum/safefile"
)

// Rule is the rule name for values that the user called secret.
const Rule = "user-verdict"

// Said is one verdict.
type Said struct {
	ID     string    `json:"id"`
	Secret bool      `json:"secret"`
	Shape  string    `json:"shape"` // its character classes, each run of one class once: Aa-0
	At     time.Time `json:"at"`
	MAC    string    `json:"mac"`          // of the value, with the key of this installation
	Of     string    `json:"of,omitempty"` // of a value that is gone: rule and tag of its redaction
	// of a secret: hashes that find it in a text, as it is, encoded or escaped
	Marks []string `json:"marks,omitempty"`
}

const (
	maxFile = 4 << 20 // bytes of the file
	maxSaid = 256     // maximum number of verdicts; a secret has up to fifteen forms
	longest = 4096    // bytes of a value
)

// ErrUnread means that the user's verdicts cannot be read.
var ErrUnread = errors.New("the verdicts cannot be read")

// ErrOtherKey means that a verdict is damaged, or was made with another key.
var ErrOtherKey = errors.New("damaged, or made with another hmac.key")

// ErrNone means that there is no such verdict.
var ErrNone = errors.New("there is no such verdict")

// Book holds the verdicts of an installation, as of the last read of their file. A nil Book is empty.
type Book struct {
	path string
	key  []byte
	gate *scan.MACs // hashes that the gate records of what it redacts
	now  func() time.Time

	mu     sync.RWMutex
	stamp  string // state of the file when it was read
	err    error  // why it could not be read
	said   []Said
	set    *known.ValueSet // values that are secret
	public map[string]bool // MACs of values that are not secret
}

// Open returns the verdicts in a file, which may not exist yet. The key is that of the installation.
func Open(path string, key []byte) *Book {
	b := &Book{path: path, key: key, gate: scan.NewMACs(key), now: time.Now}
	_ = b.Refresh() // later calls return the error
	return b
}

// Refresh reads the file again if it has changed.
func (b *Book) Refresh() error {
	if b == nil {
		return nil
	}
	stamp := stampOf(b.path)
	b.mu.Lock()
	defer b.mu.Unlock()
	if stamp != b.stamp {
		b.stamp = stamp
		if b.err = b.take(); b.err != nil {
			b.err = fmt.Errorf("%w: %w", ErrUnread, b.err)
		}
	}
	return b.err
}

func stampOf(path string) string {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "none"
	} else if err != nil {
		return err.Error()
	}
	return fmt.Sprint(info.ModTime().UnixNano(), " ", info.Size())
}

// take replaces the verdicts with those in the file.
func (b *Book) take() error {
	said, err := b.read()
	if err != nil {
		return err
	}
	set, public := known.NewKeyedSet(b.key), map[string]bool{}
	for _, s := range said {
		if !s.Secret {
			public[s.MAC] = true
			continue
		}
		for _, m := range s.Marks {
			raw, err := hex.DecodeString(m)
			if err != nil || !set.AddMark(raw) {
				return fmt.Errorf("%s: verdict %s is %w", b.path, s.ID, ErrOtherKey)
			}
		}
	}
	b.said, b.set, b.public = said, set, public
	return nil
}

func (b *Book) read() ([]Said, error) {
	raw, err := safefile.ReadOwn(b.path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the verdicts: %w", err)
	}
	var said []Said
	if err := json.Unmarshal(raw, &said); err != nil {
		return nil, fmt.Errorf("%s is damaged: it is no list of verdicts; move it away and give the verdicts again", b.path)
	}
	return said, nil
}

// List returns all verdicts, oldest first.
func (b *Book) List() ([]Said, error) {
	if err := b.Refresh(); err != nil || b == nil {
		return nil, err
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	return slices.Clone(b.said), nil
}

// Spans finds the values that the user called secret.
func (b *Book) Spans(text string) ([]scan.Span, error) {
	if b == nil {
		return nil, nil
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b.err != nil {
		return nil, b.err
	}
	found, err := b.set.Find(text)
	return known.AsSpans(found, Rule), err
}

// Public reports whether the user said that a value is not secret.
func (b *Book) Public(value string) bool {
	if b == nil {
		return false
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	return len(b.public) > 0 && (b.public[b.mac(value)] || b.public[b.gate.Hex(value)])
}

// mac returns the keyed hash of a value.
func (b *Book) mac(value string) string {
	h := hmac.New(sha256.New, b.key)
	h.Write([]byte("verdict\x00" + value))
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Say stores a verdict, which replaces an earlier one about the same value.
func (b *Book) Say(value string, secret bool) (Said, error) {
	switch {
	case value == "":
		return Said{}, errors.New("the value is empty")
	case secret && len(value) < scan.MinSecret:
		return Said{}, fmt.Errorf("the value has fewer than %d bytes: it would be found in words", scan.MinSecret)
	case len(value) > longest:
		return Said{}, fmt.Errorf("the value has more than %d bytes", longest)
	}
	s := Said{Secret: secret, Shape: shape(value), At: b.now().UTC().Truncate(time.Second), MAC: b.mac(value)}
	s.ID = s.MAC[:8]
	if secret {
		set := known.NewKeyedSet(b.key)
		for _, f := range known.Forms(value) {
			if mark := set.Mark(f); mark != nil { // other forms of a long value are too long
				s.Marks = append(s.Marks, hex.EncodeToString(mark))
			}
		}
	}
	return s, b.add(s, s.MAC, b.gate.Hex(value))
}

// add stores a verdict and removes those with one of the given hashes.
func (b *Book) add(s Said, same ...string) error {
	err := b.change(func(said []Said) ([]Said, error) {
		said = append(slices.DeleteFunc(said, func(o Said) bool { return slices.Contains(same, o.MAC) }), s)
		if len(said) > maxSaid {
			return nil, fmt.Errorf("there are %d verdicts already: remove one with: mum redact --verdicts --remove ID", maxSaid)
		}
		return said, nil
	})
	if err != nil {
		return err
	}
	return b.Refresh()
}

// SayOf stores that a value is not secret, by the hash that the gate recorded at its redaction, because the value
// itself is gone. of names that redaction, because there is no shape.
func (b *Book) SayOf(hash, of string) (Said, error) {
	if raw, err := hex.DecodeString(hash); err != nil || len(raw) != sha256.Size {
		return Said{}, errors.New("no hash is known of what was redacted there: give the verdict about the value itself")
	}
	s := Said{ID: hash[:8], At: b.now().UTC().Truncate(time.Second), MAC: hash, Of: of}
	return s, b.add(s, hash)
}

// Remove removes a verdict, even if others cannot be read.
func (b *Book) Remove(id string) error {
	return b.change(func(said []Said) ([]Said, error) {
		kept := slices.DeleteFunc(slices.Clone(said), func(s Said) bool { return s.ID == id })
		if len(kept) == len(said) {
			return nil, fmt.Errorf("%w as %q", ErrNone, id)
		}
		return kept, nil
	})
}

// change rewrites the file under a lock.
func (b *Book) change(do func([]Said) ([]Said, error)) error {
	lock := flock.New(b.path+".lock", flock.SetPermissions(0o600))
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("lock the verdicts: %w", err)
	}
	defer func() { _ = lock.Unlock() }()
	said, err := b.read()
	if err != nil {
		return err
	}
	if said, err = do(said); err != nil {
		return err
	}
	raw, err := json.MarshalIndent(said, "", " ")
	if err != nil {
		return err
	}
	if err := atomicfile.Write(b.path, append(raw, '\n'), 0o600); err != nil {
		return fmt.Errorf("write the verdicts: %w", err)
	}
	b.mu.Lock()
	b.stamp = ""
	b.mu.Unlock()
	_ = b.Refresh() // later calls return the error
	return nil
}

// shape returns a value's character classes, each run of one class once. A person may recognise the value by it, but
// nobody can reconstruct the value.
func shape(v string) string {
	const most = 12
	var out strings.Builder
	last := rune(0)
	for _, c := range v {
		switch {
		case c >= 'a' && c <= 'z', c >= 0x80:
			c = 'a'
		case c >= 'A' && c <= 'Z':
			c = 'A'
		case c >= '0' && c <= '9':
			c = '0'
		default:
			c = '-'
		}
		if c == last {
			continue
		}
		if last = c; out.Len() == most {
			return out.String() + "…"
		}
		out.WriteRune(c)
	}
	return cmp.Or(out.String(), "-")
}
