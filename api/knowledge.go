package api

import "time"

// HeldSpan is a period in which a memory was valid.
type HeldSpan struct {
	From   time.Time  `json:"from"`
	To     *time.Time `json:"to,omitempty"` // absent = still valid
	Memory Memory     `json:"memory"`
}

// History answers GET /memories/history: the memories that were valid for a key, oldest first.
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
	Without int    `json:"without"` // memories without a key
}

// StaleFile is a missing file that a memory mentions.
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
	Kinds      map[string]int `json:"kinds"`    // of the active ones
	Rooms      []Room         `json:"rooms"`
	Without    int            `json:"without"`
	Duplicates [][2]int64     `json:"duplicates"` // pairs of duplicates
	Stale      []StaleFile    `json:"stale"`
	Links      []LinkProblem  `json:"links"` // links to nothing, to a replaced memory, or in a circle
}

// LinkProblem is a link of an active memory that someone should check.
type LinkProblem struct {
	Entry int64  `json:"entry"`
	Title string `json:"title"`
	As    string `json:"as"`
	To    string `json:"to"`
	Why   string `json:"why"`           // dangling | replaced | circle
	Now   int64  `json:"now,omitempty"` // the entry that replaced the target
}

// MemoryLink is one end of a link.
type MemoryLink struct {
	As     string  `json:"as"`               // depends_on | see | replaces
	ID     string  `json:"id"`               // id of the other memory
	Memory *Memory `json:"memory,omitempty"` // absent = no memory has this id
	Now    *Memory `json:"now,omitempty"`    // what replaced it
}

// MemoryLinks answers GET /memories/{id}/links.
type MemoryLinks struct {
	Memory     Memory       `json:"memory"`
	To         []MemoryLink `json:"to"`
	From       []MemoryLink `json:"from"`
	Dependents []Memory     `json:"dependents"`       // active memories that depend on it, directly or indirectly
	Circle     bool         `json:"circle,omitempty"` // it depends on itself, by a hand-written link
}

// MemoryLinkAdd is the body of POST /memories/{id}/link, and a link of a new memory.
type MemoryLinkAdd struct {
	To     string `json:"to"`           // a number, an id, or the start of an id
	As     string `json:"as,omitempty"` // depends_on | see (default) | replaces
	Remove bool   `json:"remove,omitempty"`
}
