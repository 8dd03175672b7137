// Command bench runs the gate and the gitleaks library over the same texts in
// one process and prints what each costs and finds. It is a module of its own,
// because gitleaks pulls in more than the product does.
//
//	go run . CORPUS.jsonl     lines of {"text": …}
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/rs/zerolog"
	"github.com/zricethezav/gitleaks/v8/detect"

	"keepmum/privacy"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: bench CORPUS.jsonl")
	}
	texts, err := corpus(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	zerolog.SetGlobalLevel(zerolog.Disabled)
	leaks, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		log.Fatal(err)
	}
	gate, err := privacy.New(privacy.Options{MaxField: 10 << 20})
	if err != nil {
		log.Fatal(err)
	}
	ours := measure("keepmum/privacy", texts, func(text string) int {
		return len(gate.Event(privacy.Raw{Tool: "Bash", Output: text}).Findings)
	})
	theirs := measure("gitleaks", texts, func(text string) int { return len(leaks.DetectString(text)) })
	fmt.Printf("%.1f times as fast\n", ours/theirs)
}

func corpus(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var texts []string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var line struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return nil, err
		}
		texts = append(texts, line.Text)
	}
	return texts, lines.Err()
}

// atLeast is for how long a side is measured: on a shared machine a fraction of
// a second says little.
const atLeast = 5 * time.Second

// measure returns megabytes per second of processor time. Both sides compile
// their patterns when they are first needed: that is not part of it.
func measure(name string, texts []string, find func(string) int) float64 {
	for _, text := range texts[:min(len(texts), 200)] {
		find(text)
	}
	runtime.GC()
	bytes, found, passes := 0, 0, 0
	before := processorTime()
	for ; processorTime()-before < atLeast; passes++ {
		for _, text := range texts {
			found += find(text)
			bytes += len(text)
		}
	}
	speed := float64(bytes) / 1e6 / (processorTime() - before).Seconds()
	fmt.Printf("%-16s %8.1f MB/s  %6d findings, %.2f per MB\n", name, speed, found/passes, float64(found)/float64(bytes)*1e6)
	return speed
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
