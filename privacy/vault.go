package privacy

import (
	"crypto/rand"
	"encoding/binary"
	"sync"
	"time"

	"keepmum/privacy/patience"
)

const (
	ruleVault    = "known-secret"
	vaultRefresh = time.Second // how often at most the files are looked at
	maxProjects  = 64          // directories whose secrets are held at once
)

// vault knows the secrets that really are on this machine: no pattern can know
// that "hunter2!" is a password, the file it stands in does. It is held in
// memory only, as keyed hashes (see [valueSet]).
//
// A directory's files are read when its first event comes, before that event
// is judged: few and small files, so this takes about a millisecond. After
// that they are looked at (not read) once a second at most, and read again
// when one has changed.
type vault struct {
	home string
	env  []string
	key  []byte
	mul  uint64
	fs   *patience.Patience
	now  func() time.Time

	mu    sync.Mutex
	own   *holding            // home and environment
	byDir map[string]*holding // project directories
}

// holding is what one place holds.
type holding struct {
	mu      sync.Mutex
	set     *valueSet
	stamps  map[string]stamp
	checked time.Time
	used    time.Time
}

// stamp tells whether a file has changed.
type stamp struct {
	size int64
	mod  time.Time
}

func newVault(home string, env []string) *vault {
	key := make([]byte, 40)
	rand.Read(key)
	return &vault{home: home, env: env, key: key[:32], mul: binary.LittleEndian.Uint64(key[32:]), fs: patience.New(),
		now: time.Now, own: &holding{}, byDir: map[string]*holding{}}
}

// spans finds the known secrets of this machine and of the project at dir. It
// fails when it cannot look at all of the text.
func (v *vault) spans(dir, text string) ([]span, error) {
	if v == nil || len(text) < minSecret {
		return nil, nil
	}
	var out []span
	for _, set := range v.sets(dir) {
		found, err := set.find(text)
		if err != nil {
			return nil, err
		}
		out = append(out, asSpans(found, ruleVault)...)
	}
	return out, nil
}

// sets returns what is known in dir, as fresh as the schedule allows.
func (v *vault) sets(dir string) []*valueSet {
	out := []*valueSet{v.fresh(v.own, v.ownFiles, v.env)}
	if dir != "" {
		out = append(out, v.fresh(v.project(dir), func() []string { return projectFiles(dir, v.home) }, nil))
	}
	return out
}

// project returns the holding of a directory; the one unused for longest makes room.
func (v *vault) project(dir string) *holding {
	v.mu.Lock()
	defer v.mu.Unlock()
	h := v.byDir[dir]
	if h == nil {
		if len(v.byDir) >= maxProjects {
			v.forgetOldest()
		}
		h = &holding{}
		v.byDir[dir] = h
	}
	h.used = v.now()
	return h
}

func (v *vault) forgetOldest() {
	oldest := ""
	for dir, h := range v.byDir {
		if oldest == "" || h.used.Before(v.byDir[oldest].used) {
			oldest = dir
		}
	}
	delete(v.byDir, oldest)
}

// fresh brings a holding up to date when it is due. A file system that does
// not answer leaves it as it was.
func (v *vault) fresh(h *holding, files func() []string, env []string) *valueSet {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := v.now()
	if !h.checked.IsZero() && now.Sub(h.checked) < vaultRefresh {
		return h.set
	}
	h.checked = now
	known := h.stamps
	var stamps map[string]stamp
	var set *valueSet
	answered := v.fs.Try(func() {
		list := files()
		if stamps = stampsOf(list); same(stamps, known) {
			return
		}
		set = newValueSet(v.key, v.mul)
		fill(set, list, env)
	})
	if answered && set != nil {
		h.set, h.stamps = set, stamps
	}
	return h.set
}

func same(a, b map[string]stamp) bool {
	if b == nil || len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if b[k] != v {
			return false
		}
	}
	return true
}
