// Package freeport finds, for tests, a port for a program that must be told its number.
package freeport

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// The ports lie below those that systems hand out by themselves (from 32768 on Linux, from 49152 elsewhere):
// no connection of another program gets one of them between the look and the use, or while a server restarts.
const (
	lowest = 20_000
	many   = 12_000
	looks  = 100
)

// Find returns a port of loopback at which nobody listens.
func Find() (int, error) {
	var last error
	for range looks {
		port := lowest + rand.IntN(many)
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			return port, l.Close()
		}
		last = err
	}
	return 0, fmt.Errorf("no free port in %d looks: %w", looks, last)
}

// For returns such a port, or ends the test.
func For(t testing.TB) int {
	t.Helper()
	port, err := Find()
	if err != nil {
		t.Fatal(err)
	}
	return port
}
