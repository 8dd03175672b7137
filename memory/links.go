package memory

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Relation says how a memory relates to another one.
type Relation string

// The relations.
const (
	DependsOn Relation = "depends_on" // it is valid only as long as the other one is
	See       Relation = "see"
	Replaces  Relation = "replaces" // it replaced the other one
)

// Link is a link to another memory of the same tree, or to one that applies everywhere.
type Link struct {
	To string   `json:"to" yaml:"to"` // its id
	As Relation `json:"as" yaml:"as"`
}

// maxLinks is the maximum number of links of a memory: with more, it is a list.
const maxLinks = 50

// Errors of links.
var (
	ErrCircle = errors.New("it would depend on itself")
	errMany   = fmt.Errorf("%w: it has %d links already", ErrInvalid, maxLinks)
	errToSelf = fmt.Errorf("%w: a memory cannot be linked to itself", ErrInvalid)
	errLinkAs = errors.New("a link must be depends_on, see or replaces")
)

// ParseRelation parses a relation; "" is see.
func ParseRelation(s string) (Relation, error) {
	switch r := Relation(strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(s)))); r {
	case "":
		return See, nil
	case DependsOn, See, Replaces:
		return r, nil
	}
	return "", errLinkAs
}

// links reads a list of `{to: …, as: …}`; an id alone is a link of relation see.
func (r *reader) links(key string) []Link {
	var out []Link
	for _, item := range r.items(key, maxEntries) {
		l := Link{To: item.Value, As: See}
		if item.Kind == yaml.MappingNode {
			in := reader{doc: &document{head: item}}
			as, err := ParseRelation(in.text("as"))
			if l = (Link{in.text("to"), as}); in.err != nil || err != nil {
				l.To = ""
			}
		}
		if l.To == "" {
			r.fail(item, key+" contains something that is not {to: ID, as: depends_on, see or replaces}")
			return nil
		}
		out = appendLink(out, l)
	}
	return out
}

func appendLink(list []Link, l Link) []Link {
	if slices.Contains(list, l) {
		return list
	}
	return append(list, l)
}

func (w writer) links(key string, list []Link) {
	r := reader{doc: w.doc}
	if slices.Equal(r.links(key), list) && r.err == nil {
		return
	}
	w.put(key, false, len(list) == 0, list)
}

// Link links a memory to another one. A memory that it replaces is archived. Circular dependencies are refused.
func (t *Tree) Link(m Memory, l Link, by Stamp) (out Memory, err error) {
	err = t.locked(func() error {
		all, err := t.loadMemories()
		if err != nil {
			return err
		}
		if err := all.linkable(m, l); err != nil {
			return err
		}
		out, err = t.rewrite(m, by, func(now *Memory) { now.Links = appendLink(now.Links, l) })
		if err != nil || l.As != Replaces {
			return err
		}
		return t.archiveFor(all, l.To, out, by)
	})
	return out, err
}

// archiveFor archives a memory of this tree for the one that replaces it.
func (t *Tree) archiveFor(all Listing, id string, to Memory, by Stamp) error {
	at := slices.IndexFunc(all.Active, func(o Memory) bool { return o.ID == id })
	if at < 0 {
		return nil // it is already archived, or in another tree
	}
	marked, err := t.mark(all.Active[at:at+1], by, to.ID, later(by.Now, all.Active[at].since()))
	if err != nil {
		return err
	}
	_, err = t.move(marked[0], true)
	return err
}

// linkable says why a link is not allowed.
func (l Listing) linkable(m Memory, link Link) error {
	switch {
	case link.To == m.ID:
		return errToSelf
	case len(m.Links) >= maxLinks && !slices.Contains(m.Links, link):
		return errMany
	case link.As == DependsOn && l.dependsOn(link.To, m.ID):
		return ErrCircle
	}
	return nil
}

// dependsOn reports whether one memory depends on another, directly or indirectly.
func (l Listing) dependsOn(from, to string) bool {
	next, seen := []string{from}, map[string]bool{from: true}
	all := l.Memories()
	for len(next) > 0 {
		id := next[0]
		if next = next[1:]; id == to {
			return true
		}
		for _, m := range all {
			for _, link := range m.Links {
				if m.ID == id && link.As == DependsOn && !seen[link.To] {
					seen[link.To] = true
					next = append(next, link.To)
				}
			}
		}
	}
	return false
}

// Unlink removes every link from a memory to another one, or those with one relation.
func (t *Tree) Unlink(m Memory, to string, as Relation, by Stamp) (Memory, error) {
	return t.change(m, by, func(now *Memory) {
		now.Links = slices.DeleteFunc(now.Links, func(l Link) bool { return l.To == to && (as == "" || l.As == as) })
	})
}

// Unname removes the ids of permanently deleted memories from the others: an id is derived from a title.
func (t *Tree) Unname(ids []string, by Stamp) (changed int, err error) {
	if len(ids) == 0 {
		return 0, nil
	}
	err = t.locked(func() error {
		l, err := t.loadMemories()
		if err != nil {
			return err
		}
		for _, m := range l.Memories() {
			if !m.names(ids) {
				continue
			}
			if _, err := t.rewrite(m, by, func(now *Memory) { now.unname(ids) }); err != nil {
				return err
			}
			changed++
		}
		return nil
	})
	return changed, err
}

// names reports whether a memory refers to one of some ids.
func (m Memory) names(ids []string) bool {
	return slices.ContainsFunc(m.pointers(), func(id string) bool { return slices.Contains(ids, id) })
}

// pointers returns the ids of other memories that a memory refers to.
func (m Memory) pointers() []string {
	out := append([]string{m.SupersededBy}, m.Supersedes...)
	for _, l := range m.Links {
		out = append(out, l.To)
	}
	return out
}

// replacePointers replaces each of those ids.
func (m *Memory) replacePointers(became func(string) string) {
	m.SupersededBy = became(m.SupersededBy)
	for i, id := range m.Supersedes {
		m.Supersedes[i] = became(id)
	}
	for i, l := range m.Links {
		m.Links[i].To = became(l.To)
	}
}

// unname removes some ids from a memory.
func (m *Memory) unname(ids []string) {
	has := func(id string) bool { return slices.Contains(ids, id) }
	if has(m.SupersededBy) {
		m.SupersededBy = ""
	}
	m.Supersedes = slices.DeleteFunc(m.Supersedes, has)
	m.Links = slices.DeleteFunc(m.Links, func(l Link) bool { return has(l.To) })
}

// takeLinks adds the links of a memory that is merged into this one.
func (m *Memory) takeLinks(from Memory) {
	for _, l := range from.Links {
		m.Links = appendLink(m.Links, l)
	}
	m.Links = slices.DeleteFunc(m.Links, func(l Link) bool { return l.To == m.ID || l.To == from.ID })
}
