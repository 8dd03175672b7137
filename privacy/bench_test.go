package privacy

import (
	"bufio"
	"encoding/json"
	"os"
	"runtime"
	"strings"
	"testing"

	"keepmum/privacy/cputime"
	"keepmum/privacy/scan"
)

// corpus reads the texts of a file of {"text": …} lines, or makes a small one.
func corpus(b *testing.B) (texts []string, bytes int64) {
	b.Helper()
	path := os.Getenv("MUM_BENCH_CORPUS")
	if path == "" {
		source := "func (s *Store) Token(key string) (string, error) {\n\tif key == \"\" {\n\t\treturn \"\", " +
			"errNoKey\n\t}\n\treturn s.sessions[key].token, nil\n}\n"
		return []string{strings.Repeat(source, 500)}, int64(500 * len(source))
	}
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var line struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			b.Fatal(err)
		}
		texts, bytes = append(texts, line.Text), bytes+int64(len(line.Text))
	}
	return texts, bytes
}

// BenchmarkGate is the throughput of all built-in layers on decoded strings.
func BenchmarkGate(b *testing.B) {
	g := newGate(b, Options{})
	texts, bytes := corpus(b)
	b.SetBytes(bytes)
	b.ReportAllocs()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, runs := cputime.Spent(), 0
	for b.Loop() {
		for _, text := range texts {
			g.Event(Raw{Tool: "Bash", Output: text})
		}
		runs++
	}
	spent := cputime.Spent() - before
	b.ReportMetric(float64(bytes)*float64(runs)/1e6/spent.Seconds(), "MB/cpu-s")
}

// BenchmarkNew is what each process of a hook pays.
func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := scan.NewRuleSet(allReaders()); err != nil {
			b.Fatal(err)
		}
	}
}
