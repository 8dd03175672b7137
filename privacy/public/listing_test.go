package public

import (
	"strings"
	"testing"

	"keepmum/privacy/scan"
)

const (
	a40 = "398c54e7a3de5364d75da04f80733845cd83b21e"
	b40 = "b5896689055489adbda7a0c8598e06914ffc7555"
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
		{"a file in a tree", "│   ├── [-rw-r--r-- kim kim 399]  ", "02crane", "\n", true},
		{"a process", "kim  55  2  0 06:30 ?  00:00:00 [", "kwork/R-crane9", "]", true},
		{"a process of top", "  10 kim  0 -20 0 0 0 I 0.0 0.0 0:10.48 kwork/0:", "0H-crane", "", true},
		{"an argument of a process", "kim  55  2  0 06:30 ?  00:00:00 crane ", "Berth_9x", "", false},
		{"a time in a sentence", "on 12 March they met again here at 10:30 ", "Berth_9x", "", false},
		{"an object above another", "", a40, " quay/crane\n" + b40 + " quay", true},
		{"an object below another", a40 + " quay\n", b40, "", true},
		{"a digest on a line", "crane\n", a40, "\nquay\n", false},
		{"a name in a sorted list", "llquay\nllquay-ar\n", "llquay-bit9", "\nllquay-cov\nllquay-dis\n", true},
		{"a name in another list", "llquay\nkim\n", "llquay-bit9", "\nllquay-cov\nllquay-dis\n", false},
		{"a sentence about a mode", "give it -rw-r--r-- and then ", "Berth_9x", "", false},
		{"a drawn line", "---------- ", "Berth_9x", "", false},
		{"an object of Git", "100644 blob 1f377b5c\tquay/", "crane9", ".go", true},
		{"a change", ":", "100644 100755 1f377b5 1909272 M", "\tquay/crane.go", true},
		{"a port", "| Quay | Port | Note |\n|---|---|---|\n| crane | 80 | lift |\n| gate | ", "7714", " | VPN |", true},
		{"a code beside a port", "| Quay | Port | PIN |\n|---|---|---|\n| gate | 80 | ", "7714", " |", false},
		{"a number too large for a port", "| Quay | Port |\n|---|---|\n| gate | ", "290356", " |", false},
		{"a digest before a file", "", a40[:32], "  quay/crane.tgz\n", true},
		{"a digest before a name", "", a40[:32], "  crane\n", false},
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
		{"a port of five digits", "| Quay | Port |\n|---|---|\n| gate | ", "51820", " |", true},
		{"a port below a sentence", "they are:\n| Quay | Port |\n|---|---|\n| gate | ", "7714", " |", true},
		{"no number below ports", "| Quay | Port |\n|---|---|\n| gate | ", "a7714", " |", false},
		{"a number below a table", "Port | Note\n---|---\n80 | lift\n", "7714", "\n", false},
		{"an id at the end of a line", "x ", a40, "\n" + b40 + "\n", false},
		{"a digest below another line", "crane\n", a40[:32], "  quay/crane.tgz\n", true},
		{"a number in a header", "| Port ", "7714", " |", false},
		{"a cell more than the header has", "| Quay | Port |\n|---|---|\n| gate | 80 | x | ", "7714", " |", false},
		{"one password of a sorted list", "kim:ar7\nkim:ba7\nkim:", "crane9", "\nkim:do7\nkim:ex7\n", false},
		{"a word before others of its line", "llquay\nllquay-ar\n", "llquay-bit9", " llquay-cov\nllquay-dis\n", false},
		{"six digits alone", "", "100644", "", false},
		{"a shorter id", b40[:38] + "\n", a40[:38], "\n", false},
		{"an id inside of a line", b40 + "\nx ", a40, "\n", false},
		{"an id below another word", strings.Repeat("k", 40) + "\n", a40, "\n", false},
		{"an id below a longer word", b40 + "0 quay\n", a40, "\n", false},
		{"an id below itself", a40 + "\n", a40, "\n", false},
		{"a word below an id", a40 + "\n", strings.Repeat("k", 40), "\n", false},
		{"a digest of a file that is read as bytes", "", a40[:32], " *quay.tgz\n", true},
		{"a digest behind text", "crane ", a40[:32], "  quay.tgz\n", false},
		{"a short number before a file", "", a40[:30], "  quay.tgz\n", false},
		{"a word before a file", "", strings.Repeat("k", 32), "  quay.tgz\n", false},
		{"a digest in a list", "", a40[:32], ",quay.tgz\n", false},
		{"digits without a time", "1 2 3 4 ", "Berth_9x", "", false},
		{"digits and half a time", "1 2 3 :30 ", "Berth_9x", "", false},
		{"digits and a score", "1 2 3 4:3 ", "Berth_9x", "", false},
		{"digits and a name", "1 2 3 quay:crane ", "Berth_9x", "", false},
		{"a process of a Mac", "  501 10 1 0:01 ", "quay9_crane", "", true},
		{"a year behind a time alone", "12:47:38 ", "2026", "", true},
		{"letters behind a time", "Thu Mar 12 12:47:38 ", "k026", "", false},
		{"letters in a time", "Thu Mar 12 12:4a:38 ", "2026", "", false},
		{"other signs in a time", "Thu Mar 12 12.47.38 ", "2026", "", false},
		{"capitals behind dashes", "--", "Crane-64", "", false},
		{"three dashes", "--", "-crane64", "", false},
		{"digits before a slash", "the door is ", "1812", "/east", false},
	} {
		for _, end := range []string{"\n", "\r\n"} {
			before, after := strings.ReplaceAll(c.before, "\n", end), strings.ReplaceAll(c.after, "\n", end)
			s := &scan.Scanner{Text: before + c.value + after}
			if got := listed(s, len(before), len(before)+len(c.value)); got != c.want {
				t.Errorf("%s, %q: got %v", c.name, strings.TrimSpace(s.Text), got)
			}
		}
	}
}

func TestLinesThatBeginWithTheModeOfAFile(t *testing.T) {
	for line, want := range map[string]bool{
		"-rw-r--r-- 1 kim": true, "drwxrws--T+": true, "lrwxrwxrwx@ quay": true, "40117 4 -rw-r--r--. x": true,
		"1 2 3 -rw-r--r--": false, "a -rw-r--r--": false, "-rw-r--r--ab+": false, "-rw-r--r--x": false, "xrw-r--r--": false,
		"-rw-r--rw-r": false, "d": false, "----------": false, "": false, " ": false,
	} {
		if got := fileLine(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestNamesSortedInAList(t *testing.T) {
	for text, want := range map[string]bool{
		"ab\nac\n«ad»\nae\naf\n": true, "ab\r\nac\r\n«ad»\r\nae\r\naf": true,
		"ab\nac\n«ad»\naf\nae\n": false, "ac\n«ad»\nae\naf": false, "ab\nac\n«ad»": false, "ab\n\n«ad»\nae\naf": false,
		"a b\nac\n«ad»\nae\naf": false, "«»": false, "«ad»": false,
		"\n\n«ad»\nae\naf": false,
	} {
		from, to := strings.Index(text, "«"), strings.Index(text, "»")-len("«")
		s := &scan.Scanner{Text: strings.NewReplacer("«", "", "»", "").Replace(text)}
		if got := inSortedList(s, from, to); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
