package memory

import (
	"slices"
	"time"

	"keepmum/privacy"
)

// Branch says where something was learned. The zero value means no particular branch.
type Branch struct {
	Name privacy.Clean
	Head privacy.Clean // the commit on which it was learned
	Base privacy.Clean // where the branch left the default branch
}

// On returns the only branch on which a memory applies; "" = it applies everywhere.
func (m Memory) On() string {
	if !m.Everywhere.IsZero() {
		return ""
	}
	return m.Branch
}

// branchNote says in a list where a memory applies.
func (m Memory) branchNote() string {
	if m.On() == "" {
		return ""
	}
	return " (branch " + escapeLink(m.On()) + ")"
}

// Visible returns the memories that apply on a branch; with "", those that apply everywhere. It leaves out memories
// that one of the branch's own memories replaces there.
func Visible(all []Memory, branch string) []Memory {
	var instead []string
	for _, m := range all {
		if branch != "" && m.On() == branch && !m.Archived {
			instead = append(instead, m.Supersedes...)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(m Memory) bool {
		return m.On() != "" && m.On() != branch || m.On() == "" && !m.Archived && slices.Contains(instead, m.ID)
	})
}

// On returns the only branch on which the memory of a candidate would apply; "" = everywhere.
func (c Candidate) On() string {
	if c.Standing {
		return ""
	}
	return line(c.Branch.Name)
}

// onBranch changes a verdict about a memory of another branch, or of all branches, so that it leaves that memory
// unchanged: what is learned on a branch changes nothing on others.
func (v Verdict) onBranch(c Candidate, target *entry) Verdict {
	if target == nil || target.On() == c.On() {
		return v
	}
	switch v.Action {
	case Update:
		return Verdict{Action: Add, Reason: New, Score: v.Score}
	case Supersede:
		v.Action = Instead
	}
	return v
}

// Instead writes a new memory that replaces an older one on its branch only. The older one is archived when the new one
// is promoted.
func (t *Tree) Instead(c Candidate, by Stamp, old Memory) (m Memory, err error) {
	err = t.locked(func() error {
		if _, _, err := t.current(old); err != nil {
			return err
		}
		m = newMemory(c)
		m.Supersedes = []string{old.ID}
		if m.Key == "" {
			m.Key = old.Key
		}
		m, err = t.add(m, by)
		return err
	})
	return m, err
}

// Promote makes a memory apply everywhere. It archives the memory that it replaced on its branch, unless that one was
// valid from a later date; then the later one stays.
func (t *Tree) Promote(m Memory, by Stamp) (out Memory, err error) {
	err = t.locked(func() error {
		now, _, err := t.current(m)
		if err != nil {
			return err
		}
		if out = now; now.On() == "" {
			return nil
		}
		l, err := t.loadMemories()
		if err != nil {
			return err
		}
		out, err = t.rewrite(now, by, func(m *Memory) { m.Everywhere = by.Now })
		if err != nil || out.Archived {
			return err
		}
		return t.settle(&out, l, by)
	})
	return out, err
}

// settle archives the memories that conflict with one that now applies everywhere, or that one itself if another is
// later.
func (t *Tree) settle(m *Memory, l Listing, by Stamp) error {
	for _, o := range l.Active {
		if o.ID == m.ID || o.On() != "" || !slices.Contains(m.Supersedes, o.ID) && (m.Key == "" || m.Key != o.Key) {
			continue
		}
		if o.since().After(m.since()) {
			ended, err := t.replaced(*m, o.ID, o.since(), by)
			*m = ended
			return err
		}
		if _, err := t.replaced(o, m.ID, m.since(), by); err != nil {
			return err
		}
	}
	return nil
}

// replaced archives a memory that another one has replaced since a time.
func (t *Tree) replaced(m Memory, id string, since time.Time, by Stamp) (Memory, error) {
	out, err := t.rewrite(m, by, func(m *Memory) {
		m.SupersededBy = id
		m.end(later(since, m.since()))
	})
	if err != nil {
		return m, err
	}
	return t.move(out, true)
}

// Ground records where the branch of a memory left the default branch, if that was unknown.
func (t *Tree) Ground(m Memory, base privacy.Clean, by Stamp) (Memory, error) {
	if m.BranchBase != "" || m.On() == "" || base.IsZero() {
		return m, nil
	}
	return t.change(m, by, func(m *Memory) { m.BranchBase = line(base) })
}

// Rebind records that the branch of a memory has a new name.
func (t *Tree) Rebind(m Memory, branch privacy.Clean, by Stamp) (Memory, error) {
	return t.change(m, by, func(m *Memory) { m.Branch = line(branch) })
}
