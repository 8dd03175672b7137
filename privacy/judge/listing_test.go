package judge

import (
	"strings"
	"testing"

	"keepmum/privacy/scan"
)

func TestWhatProgramsListIsToldByItsLine(t *testing.T) {
	for _, c := range []struct {
		name, before, value, after string
		want                       bool
	}{
		{"a file", "total 4\n-rw-r--r-- 1 kim kim 20 Mar 9 08:12 ", "libkrane5-3", "", true},
		{"a file with more rights", "drwxrws--T+ 1 kim kim 20 Mar 9 08:12 ", "quay9_crane", "\n", true},
		{"the target of a link", "lrwxrwxrwx 1 kim kim 20 Mar 9 08:12 quay -> ", "quay9.so.3", "", true},
		{"a file and its inode", "  40117   4 -rw-r--r-- 1 kim kim 399 Mar 9 2025 /etc/", "02crane", "", true},
		{"a sentence about a mode", "give it -rw-r--r-- and then ", "Berth_9x", "", false},
		{"a drawn line", "---------- ", "Berth_9x", "", false},
		{"an object of Git", "100644 blob 1f377b5c\tquay/", "crane9", ".go", true},
		{"a change", ":", "100644 100755 1f377b5 1909272 M", "\tquay/crane.go", true},
		{"a number of six digits", "10064 ", "Berth_9x", "", false},
		{"the year of a date", "Thu Mar 12 12:47:38 ", "2026", " +0000", true},
		{"digits that no time stands before", "the PIN at 12:47 is ", "2026", "", false},
		{"more digits", "Thu Mar 12 12:47:38 ", "202617", "", false},
		{"an option", "      --", "quay64-collect-loh", "   - a pass", true},
		{"an option in brackets", "crane [--", "quay64-berth", "]", true},
		{"what an option is set to", "      --quay ", "crane64-berth", "", false},
		{"dashes inside of a word", "x--", "crane64-berth", "", false},
		{"a word behind dashes", "--", "Crane64", "", false},
		{"a port", "radius\t\t", "1812", "/udp", true},
		{"digits before a slash", "the door is ", "1812", "/east", false},
	} {
		s := &scan.Scanner{Text: c.before + c.value + c.after}
		if got := listed(s, len(c.before), len(c.before)+len(c.value)); got != c.want {
			t.Errorf("%s, %q: got %v", c.name, strings.TrimSpace(s.Text), got)
		}
	}
}
