package memory

import "time"

// Decay says how confidence fades when a memory is not looked at. The zero
// value is not useful: start from [DefaultDecay].
type Decay struct {
	Off              bool
	Period           time.Duration // from full confidence to none
	Grace            time.Duration // after creation or a look, nothing fades
	Floor            float64       // what is always left
	ArchiveThreshold float64       // below it a memory is archived
	MaxActive        int           // of more the least trusted are archived; 0 = no limit
}

const day = 24 * time.Hour

// DefaultDecay returns the numbers that are used when none are configured.
func DefaultDecay() Decay {
	return Decay{Period: 180 * day, Grace: 30 * day, Floor: 0.1, ArchiveThreshold: 0.2}
}

// Effective returns how far a memory is to be trusted now. It is computed when
// it is read and stored nowhere: a value that is written back decays again at
// each writing. A zero lastAccess means it was never looked at.
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

// fresh reports whether a memory was made or looked at a short while ago.
func (d Decay) fresh(created, lastAccess, now time.Time) bool {
	return now.Sub(created) <= d.Grace || !lastAccess.IsZero() && now.Sub(lastAccess) <= d.Grace
}
