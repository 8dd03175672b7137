// Package freeport finds a free port in tests, for a program that needs a port number.
package freeport

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// The ports are below the ones that systems assign automatically (from 32768 on Linux, from 49152 elsewhere). So no
// other program's connection gets one of them between the check and the use, or while a server restarts.
const (
	firstPort = 20_000
	portCount = 12_000
	attempts  = 100
)

// Find returns a loopback port that nobody listens on.
func Find() (int, error) {
	var last error
	for range attempts {
		port := firstPort + rand.IntN(portCount)
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			return port, l.Close()
		}
		last = err
	}
	return 0, fmt.Errorf("no free port in %d looks: %w", attempts, last)
}

// For does the same and ends the test on failure.
func For(t testing.TB) int {
	t.Helper()
	port, err := Find()
	if err != nil {
		t.Fatal(err)
	}
	return port
}
