package config

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Duration is a time.Duration that also understands days: "300ms", "5s", "7d".
type Duration time.Duration

// UnmarshalText parses "300ms", "10m" or "7d".
func (d *Duration) UnmarshalText(text []byte) error {
	s := string(text)
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.ParseFloat(days, 64)
		if err != nil || n < 0 {
			return fmt.Errorf("%q is not a duration like 5s, 10m or 7d", s)
		}
		*d = Duration(n * 24 * float64(time.Hour))
		return nil
	}
	v, err := time.ParseDuration(s)
	if err != nil || v < 0 {
		return fmt.Errorf("%q is not a duration like 5s, 10m or 7d", s)
	}
	*d = Duration(v)
	return nil
}

// String returns the duration in the form that people write and UnmarshalText parses.
func (d Duration) String() string {
	const day = Duration(24 * time.Hour)
	if d > 0 && d%day == 0 {
		return strconv.Itoa(int(d/day)) + "d"
	}
	s := time.Duration(d).String()
	if short, ok := strings.CutSuffix(s, "m0s"); ok {
		s = short + "m"
	}
	if short, ok := strings.CutSuffix(s, "h0m"); ok {
		s = short + "h"
	}
	return s
}

// MarshalText returns the same for JSON.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// Switch is on or off.
type Switch bool

// UnmarshalText parses "on" or "off", and "true" or "false".
func (s *Switch) UnmarshalText(text []byte) error {
	on, ok := isOn(string(text))
	if !ok {
		return fmt.Errorf("%q is neither on nor off", text)
	}
	*s = Switch(on)
	return nil
}

// String returns the form that UnmarshalText parses.
func (s Switch) String() string {
	if s {
		return "on"
	}
	return "off"
}

// MarshalText returns the same for JSON.
func (s Switch) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Size is a number of bytes: 4096, "512KiB", "2GB".
type Size int64

// UnmarshalText parses a number of bytes with an optional unit.
func (b *Size) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	digits := strings.TrimRight(s, "KMGBkmgbi ")
	n, err := strconv.ParseFloat(digits, 64)
	unit, ok := sizeUnit(strings.TrimSpace(s[len(digits):]))
	if err != nil || !ok || n < 0 {
		return fmt.Errorf("%q is not a size like 512KiB or 2GB", s)
	}
	*b = Size(n * unit)
	return nil
}

func sizeUnit(u string) (float64, bool) {
	switch strings.ToLower(u) {
	case "", "b":
		return 1, true
	case "kib", "k":
		return 1 << 10, true
	case "mib", "m":
		return 1 << 20, true
	case "gib", "g":
		return 1 << 30, true
	case "kb":
		return 1e3, true
	case "mb":
		return 1e6, true
	case "gb":
		return 1e9, true
	default:
		return 0, false
	}
}
