package memory

// Says reports whether a memory says everything that a statement says, and nothing against it.
func (m Memory) Says(title, statement string) bool {
	mine, other := claimOf(m), claimOf(Memory{Title: title, Body: statement})
	return !m.Archived && !other.contradicts(mine) && !mine.contradicts(other) &&
		mine.profile.similarity(other.profile) >= Threshold && saysAll(mine.profile.all, statement)
}
