package memory

import "time"

// Decay says how confidence fades while a memory is not used. The zero value is not useful: start from [DefaultDecay].
type Decay struct {
	Off              bool
	Period           time.Duration // from full confidence to none
	Grace            time.Duration // after creation or use, nothing fades for this long
	Floor            float64       // confidence never falls below it
	ArchiveThreshold float64       // below it, a memory is archived
	MaxActive        int           // beyond this number, the least trusted are archived; 0 = no limit
}

const day = 24 * time.Hour

// DefaultDecay returns the values used without configuration.
func DefaultDecay() Decay {
	return Decay{Period: 180 * day, Grace: 30 * day, Floor: 0.1, ArchiveThreshold: 0.2}
}

// Effective returns how far a memory can be trusted now. It is computed when needed and never stored: a value that is
// written back would decay again with every write. A zero lastAccess means that the memory was never used.
func Effective(confidence float64, created, lastAccess, now time.Time, d Decay) float64 {
	if d.Off || d.fresh(created, lastAccess, now) {
		return confidence
	}
	since := created
	if !lastAccess.IsZero() {
		since = lastAccess
	}
	share := 1.0
	if d.Period > 0 {
		share = min(float64(now.Sub(since))/float64(d.Period), 1)
	}
	return max(confidence*(1-share), d.Floor)
}

// fresh reports whether a memory was created or used recently.
func (d Decay) fresh(created, lastAccess, now time.Time) bool {
	return now.Sub(created) <= d.Grace || !lastAccess.IsZero() && now.Sub(lastAccess) <= d.Grace
}
