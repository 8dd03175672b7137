package daemon

// fileLimit is a number that is no limit: there is none there.
func fileLimit() uint64 { return 1 << 16 }
