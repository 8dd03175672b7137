package team

import "time"

// A stamp of the hybrid logical clock has milliseconds since 1970 in the upper 48 bits and a counter in the lower 16. A
// version written by a machine that has seen another version is always later than that one, whatever the clocks of the
// two machines say.
const counterBits = 16

// MaxSkew is how far a machine's clock may differ from the database's. A clock that is a day off must work; with two
// days, a mistake could not be told from an attack.
const MaxSkew = 26 * time.Hour

// later returns a stamp after last, or the current time if that is later.
func later(last int64, now time.Time) int64 {
	return max(last+1, now.UnixMilli()<<counterBits)
}

// StampTime returns the time of a stamp.
func StampTime(hlc int64) time.Time { return time.UnixMilli(hlc >> counterBits).UTC() }
