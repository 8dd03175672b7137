package team

import "time"

// A stamp of the hybrid logical clock: milliseconds since 1970 in the upper 48 bits, a
// counter in the lower 16. A version that was made with another in sight is always the later one,
// whatever the clocks of the two machines say.
const counterBits = 16

// MaxSkew is how far a machine's clock may be from the database's. A day off must work;
// with two days nobody could tell a mistake from an attack any more.
const MaxSkew = 26 * time.Hour

// later is a stamp after last, at a moment if the moment is later.
func later(last int64, now time.Time) int64 {
	return max(last+1, now.UnixMilli()<<counterBits)
}

// StampTime is the moment of a stamp.
func StampTime(hlc int64) time.Time { return time.UnixMilli(hlc >> counterBits).UTC() }
