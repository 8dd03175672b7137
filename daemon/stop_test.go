package daemon

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
)

// A browser connects in advance. That holds up no stop, which waits for the requests in flight.
func TestAConnectionWithoutARequestHoldsUpNoStop(t *testing.T) {
	r := startRig(t, t.TempDir())
	token, err := os.ReadFile(r.home.Token())
	if err != nil {
		t.Fatal(err)
	}
	connect := func() net.Conn {
		conn, err := net.Dial("unix", r.home.Socket())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		return conn
	}
	silent, busy := connect(), connect()
	if _, err := fmt.Fprintf(busy, "POST /hooks/claude HTTP/1.1\r\nHost: mum\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n",
		strings.TrimSpace(string(token)), len(sayOld)); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(busy)
	if line, err := answers.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("%q, %v", line, err)
	}
	r.stop()
	if n, err := silent.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Fatalf("%d bytes, %v", n, err)
	}
	if _, err := io.WriteString(busy, strings.Replace(sayOld, "session_id", "session_xx", 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := answers.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(answers, nil)
	if err != nil || resp.StatusCode != http.StatusBadRequest {
		t.Errorf("the request in flight got %+v, %v", resp, err)
	}
}
