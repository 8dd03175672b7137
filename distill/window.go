package distill

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Window selects sessions by when they were last active. Both ends are inclusive; a zero end means no limit.
type Window struct{ Since, Until time.Time }

// ParseWindow parses what a user typed: a window ("7d", "all", or a number with s, m, h or d), or its two ends. A time
// without a zone is UTC; a date alone means the whole day. If nothing was typed, it parses def.
func ParseWindow(window, since, until, def string, now time.Time) (Window, error) {
	if window != "" && since+until != "" {
		return Window{}, errors.New("--window cannot be combined with --since or --until")
	}
	if since+until == "" {
		if window == "" {
			window = def
		}
		return lastPart(window, now)
	}
	w := Window{}
	var err error
	if w.Since, err = moment("--since", since, false); err != nil {
		return Window{}, err
	}
	if w.Until, err = moment("--until", until, true); err != nil {
		return Window{}, err
	}
	if !w.Until.IsZero() && w.Since.After(w.Until) {
		return Window{}, errors.New("--since is after --until")
	}
	return w, nil
}

// lastPart parses "7d", "90m" or "all".
func lastPart(s string, now time.Time) (Window, error) {
	if s == "all" {
		return Window{}, nil
	}
	units := map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour}
	wrong := fmt.Errorf("--window %q is neither all nor a number with s, m, h or d, as in 7d", s)
	if len(s) < 2 {
		return Window{}, wrong
	}
	unit, ok := units[s[len(s)-1]]
	n, err := strconv.ParseUint(s[:len(s)-1], 10, 31)
	if !ok || err != nil || n == 0 {
		return Window{}, wrong
	}
	if n > uint64(100*365*24*time.Hour/unit) { // longer than any agent has existed, and than a Duration can hold
		return Window{}, wrong
	}
	return Window{Since: now.Add(-time.Duration(n) * unit)}, nil
}

// moment parses one end of a window.
func moment(flag, s string, end bool) (time.Time, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return time.Time{}, nil
	}
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		if end {
			t = t.AddDate(0, 0, 1).Add(-time.Millisecond)
		}
		return t, nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", time.DateTime, "2006-01-02T15:04",
		"2006-01-02 15:04"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%s %q is not a time like 2026-03-01, 2026-03-01T14:23 or 2026-03-01T14:23:05Z",
		flag, s)
}

func (w Window) holds(t time.Time) bool {
	return (w.Since.IsZero() || !t.Before(w.Since)) && (w.Until.IsZero() || !t.After(w.Until))
}
