package memory

import (
	"cmp"
	"errors"
	"slices"
	"strings"
)

// Limits of a key. 120 bytes are as long as an id; nobody files anything deeper than six segments.
const (
	maxKey      = 120
	maxSegments = 6
)

// ErrKey says what is wrong with a key, without repeating it.
type ErrKey struct{ Why string }

func (e *ErrKey) Error() string { return "the key " + e.Why }

// ParseKey normalises a key: lower case, segments separated by slashes. The first segment is the room. A category is
// put before a key that has no room.
func ParseKey(category, key string) (string, error) {
	if len(category)+len(key) > 2*maxKey {
		return "", &ErrKey{"is longer than 120 bytes"}
	}
	if category = strings.Trim(strings.TrimSpace(category), "/"); category != "" && !strings.Contains(key, "/") {
		key = category + "/" + key
	}
	key = strings.ToLower(strings.Trim(strings.Join(strings.Fields(key), "-"), "/"))
	if key == "" {
		return "", nil
	}
	parts := strings.Split(key, "/")
	switch {
	case len(key) > maxKey:
		return "", &ErrKey{"is longer than 120 bytes"}
	case len(parts) > maxSegments:
		return "", &ErrKey{"has more than six segments"}
	}
	for _, p := range parts {
		if p == "" || strings.Trim(p, ".") == "" || strings.ContainsFunc(p, notInKey) {
			return "", &ErrKey{"is not made of letters, digits, dots and hyphens, like payments/provider"}
		}
	}
	return key, nil
}

func notInKey(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("._-", r)
}

// Room returns the first segment of a key.
func Room(key string) string {
	room, _, _ := strings.Cut(key, "/")
	return room
}

// key reads the key; "category" is another name for it.
func (r *reader) key() string {
	key, err := ParseKey(r.text("category"), r.text("key"))
	if err != nil {
		n := cmp.Or(r.doc.get("key"), r.doc.get("category"))
		r.fail(n, err.Error())
	}
	return key
}

// sameStatement reports whether the titles of two memories say the same.
func sameStatement(a, b Memory) bool { return normal(a.Title) == normal(b.Title) }

// lineOf returns the memories that answered the same question over time: those with the same key, or without a key
// those that replaced each other.
func lineOf(all []Memory, m Memory) []Memory {
	if m.Key != "" {
		return slices.DeleteFunc(slices.Clone(all), func(o Memory) bool { return o.Key != m.Key || o.merged() })
	}
	out := []Memory{m}
	seen := map[string]bool{m.ID: true}
	for i := 0; i < len(out); i++ {
		for _, o := range all {
			if o.SupersededBy == out[i].ID && !o.merged() && !seen[o.ID] {
				seen[o.ID] = true
				out = append(out, o)
			}
		}
	}
	return out
}

// errKeyHeld means that another active memory has the key.
var errKeyHeld = errors.New("another memory in use has this key")

// holder returns the active memory with a key where another one applies.
func (l Listing) holder(key string, of Memory) *Memory {
	for i, m := range l.Active {
		if key != "" && m.Key == key && m.ID != of.ID && m.On() == of.On() {
			return &l.Active[i]
		}
	}
	return nil
}
