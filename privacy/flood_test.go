package privacy

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// wordFloods are texts made to cost as much as they can: each word of each rule
// and detector over and over, with what could follow it.
func wordFloods(size int, behinds ...string) map[string]string {
	out := map[string]string{}
	add := func(unit string) {
		if unit != "" {
			out[unit] = strings.Repeat(unit, size/len(unit)+1)[:size]
		}
	}
	set := sharedRules()
	for _, r := range set.rules {
		sample, _ := marked(r.yes[0])
		add(sample)
		for _, behind := range behinds {
			add(r.words[0] + behind)
		}
	}
	for _, d := range detectors() {
		for _, w := range d.words {
			for _, behind := range behinds {
				add(w + behind)
			}
		}
	}
	for _, unit := range []string{
		"a", " ", "\n", "=", "\"", "\\", "\\\"", "[REDACTED:", "[REDACTED:password#12ab]", "<private>", "</private>", "<private a=b>",
		"{", "[1,", "\x1b[", "\x1b[0m", "\x00", "\u200b", "%41", "&#65;", "\\u0041", "\" + \"", "QUJD", "QUJDREVGR0hJSktMTU5PUA==\n", "00000000: 4141\n",
		"key token secret ", "a:b@c://", "x://a:b", "-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----\n", "MIIE", "eyJ", "eyJhbGciOi.", "password=Tr0ub4dor&3x!9\n",
		"a1B2c3D4e5F6g7H8", "token a1B2c3D4e5F6g7H8i9J0\n", "'", "`", "-u a:", "h:5432:d:u:", "Cookie: a=b;", "Authorization: Bearer ",
	} {
		add(unit)
	}
	return out
}

// TestNoFloodIsWorseThanLinear bounds the processor time of a flood very
// generously: a tenth of it is usual, and windows that overlap take seconds.
func TestNoFloodIsWorseThanLinear(t *testing.T) {
	g := newGate(t, Options{Mode: ModeStrict})
	const size, limit = 6 << 10, time.Second
	for name, text := range wordFloods(size, "", "=") {
		before := processorTime(t)
		g.rules.scan(text, true, 0)
		if spent := processorTime(t) - before; spent > limit {
			t.Errorf("%.40q: %v of processor time for %d bytes", name, spent, size)
		}
	}
}

func processorTime(t testing.TB) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkWordFlood reports the dearest flood of 64 KiB through the whole gate.
func BenchmarkWordFlood(b *testing.B) {
	g := newGate(b, Options{})
	worst, name := time.Duration(0), ""
	for b.Loop() {
		for n, text := range wordFloods(64<<10, "", " ", "=", ":", ": \"", "(", ": |\n  ", "a1", "===", "=x\n") {
			before := processorTime(b)
			g.Event(Raw{Tool: "Bash", Output: text})
			if spent := processorTime(b) - before; spent > worst {
				worst, name = spent, n
			}
			if d := processorTime(b) - before; d > 30*time.Millisecond && testing.Verbose() {
				println(d.String(), n)
			}
		}
	}
	b.Logf("worst: %.60q", name)
	b.ReportMetric(float64(worst.Microseconds())/1000, "ms-cpu/worst")
}
