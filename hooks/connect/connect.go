package connect

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"keepmum/hooks"
	"keepmum/safefile"
)

// Transport is how an agent's command hook reaches the daemon.
type Transport string

// The transports.
const (
	Shell Transport = "shell" // the script with curl
	Exec  Transport = "exec"  // the mum binary itself
	HTTP  Transport = "http"  // Claude Code posts directly, except at the start of a session
)

// Scope says whether the user's or the project's files are edited.
type Scope string

// The scopes.
const (
	User    Scope = "user"
	Project Scope = "project"
)

// Options say what to connect, and which files to edit.
type Options struct {
	Place     hooks.Place
	UserHome  string                       // home directory of the user
	Getenv    func(string) string          // nil = no variable is set
	LookPath  func(string) (string, error) // nil = no program is found
	Transport Transport                    // "" = the one in use, else Exec
	Scope     Scope                        // "" = User
	Dir       string                       // project directory, for scope Project
	Port      int                          // port of the daemon, for transport HTTP
	Managed   string                       // the organisation's settings file for Claude Code; "" = none
	NoMCP     bool                         // connect only the hooks: the agent cannot search the memory
	Now       time.Time                    // time to write into the record

	// Short returns the 8.3 name of a path on Windows, or the path if it has none; nil elsewhere.
	Short func(path string) string
}

// ErrConflict means that a file is not in a state that can be edited safely.
var ErrConflict = errors.New("conflict")

// Connect plans the edits that connect the agents.
func (o Options) Connect(agents ...string) (Plan, error) {
	m, err := loadManifest(o.Place.Home)
	if err != nil {
		return Plan{}, err
	}
	p := Plan{place: o.Place, manifest: m, now: o.Now, install: true}
	for _, name := range agents {
		o := o.remembering(m.of(name))
		targets, err := o.targets(name)
		if err != nil {
			return Plan{}, err
		}
		for _, t := range targets {
			if err := p.connect(t, o.Transport); err != nil {
				return Plan{}, err
			}
		}
		if o.NoMCP {
			if err := errors.Join(p.disconnect(o.mcpTarget(name)), p.disconnect(o.skillTarget(name))); err != nil {
				return Plan{}, err
			}
		}
		p.Notes = append(p.Notes, o.notes(name)...)
	}
	return p, nil
}

// remembering keeps the options that were chosen for an agent before, unless new ones are given.
func (o Options) remembering(records []Record) Options {
	searches := len(records) == 0
	for _, r := range records {
		o.Transport = cmp.Or(o.Transport, r.Transport)
		searches = searches || isMCP(r.Kind)
	}
	o.Transport = cmp.Or(o.Transport, Exec)
	o.NoMCP = o.NoMCP || !searches
	return o
}

// Disconnect plans the removal of our entries from all files of the agents in the manifest, and from the files where
// they would be if the manifest is lost.
func (o Options) Disconnect(agents ...string) (Plan, error) {
	m, err := loadManifest(o.Place.Home)
	if err != nil {
		return Plan{}, err
	}
	p := Plan{place: o.Place, manifest: m, now: o.Now}
	for _, name := range agents {
		targets, err := o.targets(name)
		if err != nil {
			return Plan{}, err
		}
		for _, r := range m.of(name) {
			known := func(t target) bool { return t.path == r.Path }
			if e := editOf(r.Kind); e != nil && !slices.ContainsFunc(targets, known) {
				targets = append(targets, target{name, r.Path, e})
			}
		}
		for _, t := range targets {
			if err := p.disconnect(t); err != nil {
				return Plan{}, err
			}
		}
	}
	return p, nil
}

// State is what is known about one agent on this machine.
type State struct {
	Agent     string    `json:"agent"`
	Found     bool      `json:"found"`
	Connected bool      `json:"connected"`
	Since     time.Time `json:"since,omitzero"`    // when it was connected, if the manifest says so
	Files     []string  `json:"files"`             // files for our entries; the hooks' file first
	Program   string    `json:"program,omitempty"` // the file that its hooks run
}

// State reports whether an agent is installed and connected.
func (o Options) State(agent string) (State, error) {
	targets, err := o.targets(agent)
	if err != nil {
		return State{}, err
	}
	s := State{Agent: agent, Found: o.found(agent)}
	for _, t := range targets {
		s.Files = append(s.Files, t.path)
	}
	cur, err := read(s.Files[0])
	if err != nil {
		return s, err
	}
	rest, err := targets[0].edit.remove(cur)
	s.Connected = err == nil && !bytes.Equal(rest, cur) // there is something of ours to remove
	m, err := loadManifest(o.Place.Home)
	if r, ok := m.find(s.Files[0]); ok {
		s.Since = r.At
	}
	if !isWhole(targets[0].edit) {
		ours, _ := handlers(s.Files[0]) // the file was read a moment ago
		for _, h := range ours {
			s.Program = cmp.Or(s.Program, h.program())
		}
	}
	return s, err
}

// connect adds to the plan the contents of t with our entries in it.
func (p *Plan) connect(t target, via Transport) error {
	cur, err := read(t.path)
	if err != nil {
		return err
	}
	if target, err := os.Readlink(t.path); cur == nil && err == nil { // writing would replace the link by a file
		return wrap(t, fmt.Errorf("%w: it is a link to %s, which does not exist; create that file, or remove the link",
			ErrConflict, target))
	}
	base, err := p.base(t, cur)
	if err != nil {
		return wrap(t, err)
	}
	after, err := t.edit.add(base)
	if err != nil {
		return wrap(t, err)
	}
	if cur != nil && t.edit.same(cur, after) {
		after = cur
	}
	p.Changes = append(p.Changes, Change{
		Agent: t.agent, Path: t.path, Before: cur, After: after,
		record: &Record{Agent: t.agent, Path: t.path, Kind: t.edit.kind(), Transport: via, Existed: base != nil},
		base:   base,
		whole:  isWhole(t.edit),
	})
	return nil
}

// base returns the file without our entries; nil = no file.
func (p *Plan) base(t target, cur []byte) ([]byte, error) {
	if cur == nil {
		return nil, nil
	}
	if r, ok := p.manifest.find(t.path); ok {
		untouched := sum(cur) == r.After
		if base, ok := p.manifest.original(r, cur); ok && untouched {
			return base, nil
		}
		if !untouched && isWhole(t.edit) {
			return nil, fmt.Errorf("%w: it was edited since mum wrote it; move it away first", ErrConflict)
		}
	}
	return t.edit.remove(cur)
}

// disconnect adds to the plan the contents of t without our entries, if that is a change.
func (p *Plan) disconnect(t target) error {
	cur, err := read(t.path)
	if err != nil {
		return err
	}
	r, known := p.manifest.find(t.path)
	after, err := p.base(t, cur)
	if err != nil {
		return wrap(t, err)
	}
	if toml, ok := t.edit.(tomlTable); ok {
		after = toml.purge(cur, after)
	}
	if known && !r.Existed && t.edit.empty(after) {
		after = nil // the file exists only because of us
	}
	if !known && same(cur, after) {
		return nil
	}
	p.Changes = append(p.Changes,
		Change{Agent: t.agent, Path: t.path, Before: cur, After: after, dirs: r.Dirs, whole: isWhole(t.edit)})
	return nil
}

// wrap adds to an error which file of which agent it is about.
func wrap(t target, err error) error { return fmt.Errorf("%s: %s: %w", t.agent, t.path, err) }

// maxSettings limits the size of an agent's settings file; some agents keep years of prompts in theirs.
const maxSettings = 256 << 20

// read returns the contents of a file, or nil if it does not exist.
func read(path string) ([]byte, error) {
	data, err := safefile.Read(path, maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && data == nil {
		data = []byte{}
	}
	return data, err
}

// same compares two contents; an empty file differs from no file.
func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }
