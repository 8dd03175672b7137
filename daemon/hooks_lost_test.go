package daemon

import (
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"keepmum/await"
	"keepmum/spool"
)

// Each event that is not stored is counted: as refused, or as lost.
func TestAnEventThatIsNotStoredIsCounted(t *testing.T) {
	r := startRig(t, t.TempDir())
	odd := `{"hook_event_name":"UserPromptSubmit","session_id":"a\u0007b","prompt":"hello"}`
	if got := r.ask(t, "POST", "/hooks/claude", odd); got.status != http.StatusBadRequest {
		t.Fatalf("%d %s", got.status, got.body)
	}
	if n := r.d.count.capture().Refused; n != 1 {
		t.Errorf("%d refused, want 1", n)
	}
	token, err := os.ReadFile(r.home.Token())
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"", "X-Mum-Event: k1\r\n"} { // who sends a key holds a copy
		conn, err := net.Dial("unix", r.home.Socket())
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.WriteString(conn, "POST /hooks/claude HTTP/1.0\r\nHost: mum\r\nAuthorization: Bearer "+
			strings.TrimSpace(string(token))+"\r\nContent-Type: application/json\r\n"+key+
			"Content-Length: 1000\r\n\r\n{\"hook_event_name\":")
		if err != nil || conn.(*net.UnixConn).CloseWrite() != nil {
			t.Fatal(err)
		}
		if answer, err := io.ReadAll(conn); err != nil || len(answer) == 0 {
			t.Errorf("%q, %v", answer, err)
		}
		_ = conn.Close()
	}
	await.True(t, "one lost event", func() bool {
		lost, _ := spool.Dir(r.home.Spool()).Drops()
		return lost == 1
	})
}
