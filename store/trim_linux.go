package store

import (
	"sync"
	_ "unsafe" // for the links below

	_ "modernc.org/libc"
	"modernc.org/memory"
)

// SQLite's memory is outside of Go's. Its allocator keeps what was freed, up to the most that was ever in use, and the
// package that owns it has no function that returns it to the system.

//go:linkname sqliteMemory modernc.org/libc.allocator
var sqliteMemory memory.Allocator

//go:linkname sqliteMemoryMu modernc.org/libc.allocatorMu
var sqliteMemoryMu sync.Mutex

// trim returns to the system what SQLite does not use.
func trim() error {
	sqliteMemoryMu.Lock()
	defer sqliteMemoryMu.Unlock()
	return sqliteMemory.Trim()
}
