package api

import "time"

// HeldSpan is a time in which a memory held.
type HeldSpan struct {
	From   time.Time  `json:"from"`
	To     *time.Time `json:"to,omitempty"` // absent = it holds
	Memory Memory     `json:"memory"`
}

// History answers GET /memories/history: what held for a key, oldest first.
type History struct {
	Key   string     `json:"key"`
	Spans []HeldSpan `json:"spans"`
}

// Room is the first segment of keys.
type Room struct {
	Name     string   `json:"name"`
	Memories int      `json:"memories"`
	Keys     []string `json:"keys"`
}

// Rooms answers GET /memories/rooms.
type Rooms struct {
	Rooms   []Room `json:"rooms"`
	Without int    `json:"without"` // memories that have no key
}

// StaleFile is a file that a memory mentions and that is gone.
type StaleFile struct {
	Entry int64  `json:"entry"`
	Title string `json:"title"`
	File  string `json:"file"`
}

// MemoryStatus answers GET /memories/status.
type MemoryStatus struct {
	Active     int            `json:"active"`
	Archived   int            `json:"archived"`
	Superseded int            `json:"superseded"`
	Capacity   int            `json:"capacity"` // memory.max_active
	Kinds      map[string]int `json:"kinds"`    // of those in use
	Rooms      []Room         `json:"rooms"`
	Without    int            `json:"without"`
	Duplicates [][2]int64     `json:"duplicates"` // pairs that say the same
	Stale      []StaleFile    `json:"stale"`
	Links      []LinkProblem  `json:"links"` // to nothing, to a replaced memory, or in a circle
}

// LinkProblem is a link of a memory in use that somebody should look at.
type LinkProblem struct {
	Entry int64  `json:"entry"`
	Title string `json:"title"`
	As    string `json:"as"`
	To    string `json:"to"`
	Why   string `json:"why"`           // dangling | replaced | circle
	Now   int64  `json:"now,omitempty"` // the entry that replaced it
}

// MemoryLink is one end of a link.
type MemoryLink struct {
	As     string  `json:"as"`               // depends_on | see | replaces
	ID     string  `json:"id"`               // of the other memory
	Memory *Memory `json:"memory,omitempty"` // absent = there is none of that id
	Now    *Memory `json:"now,omitempty"`    // what it was replaced by
}

// MemoryLinks answers GET /memories/{id}/links.
type MemoryLinks struct {
	Memory     Memory       `json:"memory"`
	To         []MemoryLink `json:"to"`
	From       []MemoryLink `json:"from"`
	Dependents []Memory     `json:"dependents"`       // in use, directly or over others
	Circle     bool         `json:"circle,omitempty"` // it depends on itself: somebody wrote that by hand
}

// MemoryLinkAdd is the body of POST /memories/{id}/link, and a link of a new memory.
type MemoryLinkAdd struct {
	To     string `json:"to"`           // a number, an id, or the beginning of it
	As     string `json:"as,omitempty"` // depends_on | see (default) | replaces
	Remove bool   `json:"remove,omitempty"`
}
