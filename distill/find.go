package distill

import (
	"cmp"
	"context"
	"slices"
	"time"

	"keepmum/privacy"
	"keepmum/sorting"
	"keepmum/store"
	"keepmum/transcript"
)

// found is a session that may have something new. Its strings are unchecked.
type found struct {
	src    transcript.Source
	key    privacy.Clean     // of agent and id: the same for the file and for what hooks captured
	path   privacy.Clean     // keyed hash of the path
	stored *store.SessionRow // what hooks captured; nil = nothing
	closed time.Time         // when hooks saw it end; zero = they did not
	base   string            // key of its database; "" = none
}

// fromHooks reports whether the agent has no file of the session to read.
func (f *found) fromHooks() bool { return f.src.Path == "" }

// survey lists what the agents' files contain. It opens only databases that changed.
type survey struct {
	sessions  map[string]*found
	bases     map[string]*base
	unchanged int     // files and databases that need not be read
	outside   int     // number of these last active outside the window
	failed    []error // sources that could not be listed
}

// base is a database with many sessions. It counts as read when all of them have been read.
type base struct {
	src      transcript.Source
	key      privacy.Clean
	same     bool // unchanged since all of it was read
	listed   bool
	sessions []*found
	left     int // sessions that were found but not read
}

// look finds the sessions of the selected agents.
func (r *run) look(ctx context.Context) (*survey, error) {
	s := &survey{sessions: map[string]*found{}, bases: map[string]*base{}}
	sources, err := transcript.Discover(ctx, r.w.Roots)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		s.failed = append(s.failed, err)
	}
	known, err := r.w.DB.Databases(ctx)
	if err != nil {
		return nil, err
	}
	for _, src := range sources {
		if !r.wants(src.Agent) {
			continue
		}
		if src.ID != "" {
			s.add(r.found(src, r.w.Gate.ID("source", src.Agent, src.Path)))
			continue
		}
		b := &base{src: src, key: r.w.Gate.ID("source", src.Agent, src.Path)}
		old, ok := known[b.key.String()]
		b.same = ok && old.Size == src.Size && old.Modified == src.Modified.UnixNano()
		s.bases[b.key.String()] = b
		if !b.same {
			r.list(ctx, s, b)
		}
	}
	return s, r.captured(ctx, s)
}

// list opens a database and adds its sessions. If it is locked or damaged, only this database fails.
func (r *run) list(ctx context.Context, s *survey, b *base) {
	if b.listed {
		return
	}
	b.listed = true
	sessions, err := transcript.Sessions(ctx, b.src)
	if err != nil {
		s.failed = append(s.failed, err)
		b.left++
		return
	}
	for _, src := range sessions {
		f := r.found(src, b.key)
		f.base = b.key.String()
		b.sessions = append(b.sessions, f)
		s.add(f)
	}
}

func (r *run) found(src transcript.Source, path privacy.Clean) *found {
	return &found{src: src, path: path, key: r.key(src.Agent, src.ID)}
}

// key identifies a session.
func (r *run) key(agent, id string) privacy.Clean { return r.w.Gate.ID("session", agent, id) }

// add keeps the newer of two copies of the same session.
func (s *survey) add(f *found) {
	old := s.sessions[f.key.String()]
	if old == nil || newer(f, old) {
		s.sessions[f.key.String()] = f
	}
}

func newer(a, b *found) bool {
	return cmp.Or(a.src.Modified.Compare(b.src.Modified), cmp.Compare(a.src.Size, b.src.Size),
		cmp.Compare(a.src.Path, b.src.Path)) > 0
}

// captured adds what hooks captured: when a session with a file ended, and sessions without a file.
func (r *run) captured(ctx context.Context, s *survey) error {
	rows, err := r.w.DB.SessionsSince(ctx, r.o.Window.Since)
	if err != nil {
		return err
	}
	for i := range rows {
		row := &rows[i]
		if !r.wants(row.Agent) {
			continue
		}
		key := r.key(row.Agent, row.Native)
		f := s.sessions[key.String()]
		if f == nil {
			src := transcript.Source{Agent: row.Agent, ID: row.Native, Parent: row.Parent, Dir: row.Dir, Size: row.Docs,
				Modified: time.UnixMilli(row.Last)}
			f = &found{src: src, key: key, path: privacy.Const(hooksSource)}
			s.sessions[key.String()] = f
		}
		f.stored = row
		if row.Ended != nil {
			f.closed = time.UnixMilli(*row.Ended)
		}
	}
	return nil
}

// wants reports whether the run covers the sessions of an agent.
func (r *run) wants(agent string) bool {
	return len(r.o.Agents) == 0 || slices.Contains(r.o.Agents, agent)
}

// fresh returns the sessions to be read, newest first.
func (r *run) fresh(s *survey, known map[string]store.CatalogueRow) []*found {
	var out []*found
	for key, f := range s.sessions {
		row, ok := known[key]
		if ok && r.unchanged(f, &row) {
			s.countUnchanged(r.o.Window.holds(time.UnixMilli(row.Ended)))
			continue
		}
		out = append(out, f)
	}
	sorting.Stable(out, func(a, b *found) int {
		return cmp.Or(b.src.Modified.Compare(a.src.Modified), cmp.Compare(a.key.String(), b.key.String()))
	})
	return out
}

// countUnchanged counts a session that need not be read.
func (s *survey) countUnchanged(inWindow bool) {
	if inWindow {
		s.unchanged++
	} else {
		s.outside++
	}
}

// unchanged reports whether a session has nothing that was not read. If a session's file was read and is gone, what
// hooks captured adds nothing to it.
func (r *run) unchanged(f *found, row *store.CatalogueRow) bool {
	if row.Source == f.path.String() {
		return row.Size == f.src.Size && row.Modified == f.src.Modified.UnixNano()
	}
	if f.fromHooks() {
		return f.src.Modified.UnixMilli() <= row.Ended+r.w.Settle.Milliseconds()
	}
	return row.Source != hooksSource && f.src.Modified.UnixNano() <= row.Modified
}

const hooksSource = "hooks"

// writing reports whether a session is still going on: its end was not recorded, and it was changed a moment ago.
func (r *run) writing(f *found) bool {
	if !f.closed.IsZero() && !f.src.Modified.After(f.closed.Add(r.w.Settle)) {
		return false
	}
	return r.now.Sub(f.src.Modified) < r.w.Settle
}

// reason returns what may be written about an error: a path in it may contain a secret.
func (w World) reason(err error) privacy.Clean {
	const most = 300 // bytes
	c, _ := w.Gate.Text(err.Error())
	return c.Cut(most)
}

// Agents returns the agents whose sessions can be read.
func Agents() []string {
	return []string{transcript.Claude, transcript.Codex, transcript.Cursor, transcript.OpenCode}
}

// KnownAgent reports whether an agent's sessions can be read.
func KnownAgent(name string) bool { return slices.Contains(Agents(), name) }
