package privacy

import (
	"cmp"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"keepmum/privacy/cputime"
)

// spentOn is the processor time of one event through the whole gate. The caller holds the thread.
func spentOn(g *Gate, r Raw) time.Duration {
	before := cputime.Spent()
	g.Event(r)
	return cputime.Spent() - before
}

// BenchmarkObservation is one tool output of 64 KiB after the other, as JSON,
// through the whole gate: what half, and what all but one of a hundred, cost.
func BenchmarkObservation(b *testing.B) {
	const size = 64 << 10
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	g := newGate(b, Options{})
	texts, _ := corpus(b)
	all := strings.Join(texts, "\n")
	var took []time.Duration
	at := 0
	for b.Loop() {
		if at+size > len(all) {
			at = 0
		}
		output := map[string]any{"stdout": all[at:min(len(all), at+size)], "stderr": "", "interrupted": false}
		took = append(took, spentOn(g, Raw{Session: "s", Dir: "/home/dev/shop", Tool: "Bash",
			Input: map[string]any{"command": "make test"}, Output: output}))
		at += size
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs-cpu/p50")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs-cpu/p99")
}

// BenchmarkWordFlood reports the dearest flood of 64 KiB through the whole gate:
// as an output, a command, a prompt, the output of a search and of env.
func BenchmarkWordFlood(b *testing.B) {
	const allowed = 20 * time.Millisecond
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	g := newGate(b, Options{Home: testHome})
	took := map[string]time.Duration{}
	measure := func(name string, r Raw) {
		spent := spentOn(g, r)
		for looks := 0; spent > allowed && looks < 5; looks++ { // a pause of the machine is no flood's fault
			spent = min(spent, spentOn(g, r))
		}
		took[name] = max(took[name], spent)
	}
	for b.Loop() {
		for name, text := range wordFloods(64<<10, "", " ", "=", ":", ": \"", "(", ": |\n  ", "a1", "===", "=x\n") {
			measure("output of "+name, Raw{Tool: "Bash", Output: text})
		}
		for name, text := range valueFloods(64 << 10) {
			measure("output of "+name, Raw{Tool: "Bash", Output: text})
		}
		for name, text := range floodInputs() {
			for as, r := range floodEvents(text) {
				measure(as+" of "+name, r)
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(took), func(x, y string) int { return cmp.Compare(took[y], took[x]) })
	for _, n := range names[:8] {
		b.Logf("%6.1f ms  %.60q", took[n].Seconds()*1000, n)
	}
	b.ReportMetric(took[names[0]].Seconds()*1000, "ms-cpu/worst")
}
