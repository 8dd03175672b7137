package distill_test

import (
	"testing"
	"time"

	"keepmum/distill"
)

func TestWindows(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	utc := func(s string) time.Time {
		at, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	for _, c := range []struct {
		window, since, until string
		want                 distill.Window
		bad                  bool
	}{
		{window: "", want: distill.Window{Since: utc("2026-03-03T12:00:00Z")}}, // the default
		{window: "all", want: distill.Window{}},
		{window: "7d", want: distill.Window{Since: utc("2026-03-03T12:00:00Z")}},
		{window: "24h", want: distill.Window{Since: utc("2026-03-09T12:00:00Z")}},
		{window: "30m", want: distill.Window{Since: utc("2026-03-10T11:30:00Z")}},
		{window: "90s", want: distill.Window{Since: utc("2026-03-10T11:58:30Z")}},
		{window: "-7d", bad: true},
		{window: "7", bad: true},
		{window: "d", bad: true},
		{window: "0d", bad: true},
		{window: "7w", bad: true},
		{window: "1.5d", bad: true},
		{window: "2147483647d", bad: true},
		{since: "2026-03-01", want: distill.Window{Since: utc("2026-03-01T00:00:00Z")}},
		{until: "2026-03-01", want: distill.Window{Until: utc("2026-03-01T23:59:59.999Z")}},
		{since: "2026-03-01T14:23", until: "2026-03-01 15:00:00",
			want: distill.Window{Since: utc("2026-03-01T14:23:00Z"), Until: utc("2026-03-01T15:00:00Z")}},
		{since: "2026-03-01T14:23:05+02:00", want: distill.Window{Since: utc("2026-03-01T12:23:05Z")}},
		{since: "2026-03-01", until: "2026-03-01",
			want: distill.Window{Since: utc("2026-03-01T00:00:00Z"), Until: utc("2026-03-01T23:59:59.999Z")}},
		{since: "2026-03-02", until: "2026-03-01", bad: true},
		{since: "yesterday", bad: true},
		{until: "2026-13-01", bad: true},
		{window: "7d", since: "2026-03-01", bad: true},
	} {
		got, err := distill.ParseWindow(c.window, c.since, c.until, "7d", now)
		if (err != nil) != c.bad || err == nil && (!got.Since.Equal(c.want.Since) || !got.Until.Equal(c.want.Until)) {
			t.Errorf("window %q since %q until %q: %v, %v", c.window, c.since, c.until, got, err)
		}
	}
}
