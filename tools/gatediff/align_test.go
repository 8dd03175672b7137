package main

import (
	"slices"
	"testing"
)

func TestSpansAreFoundAgainFromWhatWasWritten(t *testing.T) {
	found := func(rule string, bytes ...int) (a answer) {
		for _, n := range bytes {
			a.Findings = append(a.Findings, struct {
				Rule  string `json:"rule"`
				Bytes int    `json:"bytes"`
			}{rule, n})
		}
		return a
	}
	for _, c := range []struct {
		name, in, out string
		a             answer
		want          []span
	}{
		{"one value", "a=xyzzy b", "a=[REDACTED:password#12ab] b", found("password", 5), []span{{2, 7, "password"}}},
		{"what follows stands in the value too", "k=a b a b c", "k=[REDACTED:password#12ab] b c", found("password", 5),
			[]span{{2, 7, "password"}}},
		{"a mark that stood there", "[REDACTED:password#12ab] p=q1w2", "[REDACTED:password#12ab] p=[REDACTED:password#0000]",
			found("password", 4), []span{{27, 31, "password"}}},
		{"a value in quotes", `k: "abcdef", l`, `k: "[REDACTED:password#12ab]", l`, found("password", 6),
			[]span{{4, 10, "password"}}},
		{"a bare value of JSON", `{"k": 123456}`, `{"k": "[REDACTED:password#12ab]"}`, found("password", 6),
			[]span{{6, 12, "password"}}},
		{"nothing", "plain", "plain", answer{}, nil},
		{"a block that is stripped", "<system-reminder>x</system-reminder>left", "left", answer{}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.a.Text = c.out
			if got := align(c.in, c.a); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
