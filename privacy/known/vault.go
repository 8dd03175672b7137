package known

import (
	"maps"
	"sync"
	"time"

	"keepmum/privacy/patience"
	"keepmum/privacy/scan"
)

const (
	RuleVault    = "known-secret"
	VaultRefresh = time.Second // minimum time between two checks of the files
	MaxProjects  = 64          // directories whose secrets are held at once
)

// Vault knows the secrets that are actually stored on this machine: no pattern can know that "hunter2!" is a password,
// but the file that contains it does. They are held only in memory, as keyed hashes (see [ValueSet]).
//
// A directory's files are read at its first event, before that event is checked. They are few and small, so this takes
// about a millisecond. After that, their state is checked at most once a second, and a changed file is read again.
type Vault struct {
	home string
	env  []string
	FS   *patience.Patience
	Now  func() time.Time

	mu    sync.Mutex
	Own   *Holding            // home and environment
	ByDir map[string]*Holding // project directories
}

// Holding is the secrets of one place.
type Holding struct {
	mu      sync.Mutex
	set     *ValueSet
	stamps  map[string]stamp
	checked time.Time
	used    time.Time
}

// stamp shows whether a file has changed.
type stamp struct {
	size int64
	mod  time.Time
}

// NewVault returns the secrets below a home directory and in the variables of an environment, which are read when they
// are first needed.
func NewVault(home string, env []string) *Vault {
	return &Vault{home: home, env: env, FS: patience.New(), Now: time.Now, Own: &Holding{}, ByDir: map[string]*Holding{}}
}

// Spans finds the known secrets of this machine and of the project at dir. It fails if it cannot search the whole text.
func (v *Vault) Spans(dir, text string) ([]scan.Span, error) {
	if v == nil || len(text) < scan.MinSecret {
		return nil, nil
	}
	var out []scan.Span
	for _, set := range v.sets(dir) {
		found, err := set.Find(text)
		if err != nil {
			return nil, err
		}
		out = append(out, AsSpans(found, RuleVault)...)
	}
	return out, nil
}

// sets returns the known secrets for dir, as recent as the schedule allows.
func (v *Vault) sets(dir string) []*ValueSet {
	out := []*ValueSet{v.fresh(v.Own, v.ownFiles, v.env)}
	if dir != "" {
		out = append(out, v.fresh(v.project(dir), func() []string { return projectFiles(dir, v.home) }, nil))
	}
	return out
}

// project returns the holding of a directory, and drops the least recently used one if there are too many.
func (v *Vault) project(dir string) *Holding {
	v.mu.Lock()
	defer v.mu.Unlock()
	h := v.ByDir[dir]
	if h == nil {
		if len(v.ByDir) >= MaxProjects {
			v.forgetOldest()
		}
		h = &Holding{}
		v.ByDir[dir] = h
	}
	h.used = v.Now()
	return h
}

func (v *Vault) forgetOldest() {
	oldest := ""
	for dir, h := range v.ByDir {
		if oldest == "" || h.used.Before(v.ByDir[oldest].used) {
			oldest = dir
		}
	}
	delete(v.ByDir, oldest)
}

// fresh updates a holding when it is due. If the file system does not answer, the holding stays as it is.
func (v *Vault) fresh(h *Holding, files func() []string, env []string) *ValueSet {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := v.Now()
	if !h.checked.IsZero() && now.Sub(h.checked) < VaultRefresh {
		return h.set
	}
	h.checked = now
	known := h.stamps
	var stamps map[string]stamp
	var set *ValueSet
	answered := v.FS.Try(func() {
		list := files()
		if stamps = stampsOf(list); known != nil && maps.Equal(stamps, known) {
			return
		}
		set = NewRandomSet()
		fill(set, list, env)
	})
	if answered && set != nil {
		h.set, h.stamps = set, stamps
	}
	return h.set
}
