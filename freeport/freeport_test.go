package freeport

import (
	"fmt"
	"net"
	"testing"
)

func TestAPortIsFreeAndNoneTheSystemHandsOut(t *testing.T) {
	port := For(t)
	if port < firstPort || port >= firstPort+portCount {
		t.Errorf("port %d", port)
	}
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	if again := For(t); again == port {
		t.Error("a port that is taken was given")
	}
}
