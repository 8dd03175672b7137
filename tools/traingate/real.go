package main

import (
	_ "embed"
	"fmt"
	"hash/fnv"
	"strings"
	"sync"
)

// realList contains hashes of values in the ordinary text for tuning that are secrets: passwords of fixtures, hashes of
// passwords, rows of private keys. They are neither examples nor false redactions. Text for reporting is not reviewed.
//
//go:embed real.txt
var realList string

var realHashes = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(realList) {
		hash, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		out[hash] = true
	}
	return out
})

// real reports whether a reader of the ordinary text found a value to be a secret.
func real(v string) bool {
	h := fnv.New32a()
	h.Write([]byte(v))
	return realHashes()[fmt.Sprintf("%08x", h.Sum32())]
}
