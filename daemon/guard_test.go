package daemon

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"keepmum/api"
)

func set(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

func TestTheGuardRefusesWhoDoesNotBelongHere(t *testing.T) {
	dir := t.TempDir()
	r := startRig(t, dir)
	for _, c := range []struct {
		name, method, path, body string
		change                   func(*http.Request)
		want                     api.Code
	}{
		{"no token", "GET", "/status", "", func(q *http.Request) { q.Header.Del("Authorization") }, api.Unauthorized},
		{"a wrong token", "GET", "/status", "", set("Authorization", "Bearer x"), api.Unauthorized},
		{"no token on a hook", "POST", "/hooks/claude", "{}", func(q *http.Request) { q.Header.Del("Authorization") },
			api.Unauthorized},
		{"a foreign host", "GET", "/status", "", func(q *http.Request) { q.Host = "evil.example" }, api.Forbidden},
		{"a foreign host that begins like ours", "GET", "/status", "",
			func(q *http.Request) { q.Host = "127.0.0.1.evil.example" }, api.Forbidden},
		{"a foreign host on health", "GET", "/health", "", func(q *http.Request) { q.Host = "evil.example" }, api.Forbidden},
		{"an origin", "GET", "/search?q=x", "", set("Origin", "https://evil.example"), api.Forbidden},
		{"the null origin", "POST", "/hooks/claude", "{}", set("Origin", "null"), api.Forbidden},
		{"a cross-site request", "GET", "/search?q=x", "", set("Sec-Fetch-Site", "cross-site"), api.Forbidden},
		{"text for JSON", "POST", "/observe", "{}", set("Content-Type", "text/plain"), api.Invalid},
		{"a form for JSON", "POST", "/prompt", "a=b", set("Content-Type", "application/x-www-form-urlencoded"), api.Invalid},
		{"an unknown endpoint", "GET", "/nothing", "", func(*http.Request) {}, api.NotFound},
		{"another method", "GET", "/observe", "", func(*http.Request) {}, api.NotFound},
		{"an unknown agent", "POST", "/hooks/clippy", "{}", func(*http.Request) {}, api.NotFound},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := r.ask(t, c.method, c.path, c.body, c.change)
			if got.code() != c.want || got.status != c.want.Status() {
				t.Errorf("status %d, body %s; want code %s", got.status, got.body, c.want)
			}
			if strings.Contains(got.body, dir) {
				t.Errorf("a stranger is told the data directory: %s", got.body)
			}
		})
	}
	for _, host := range []string{"localhost", "127.0.0.1", "127.0.0.1:38741", "[::1]:1", "mum"} {
		if got := r.ask(t, "GET", "/status", "", func(q *http.Request) { q.Host = host }); got.status != http.StatusOK {
			t.Errorf("host %s: status %d", host, got.status)
		}
	}
}

func TestBadInputGetsItsErrorAndIsNotStored(t *testing.T) {
	r := startRig(t, t.TempDir())
	const marker = "MARKER-that-must-not-stay"
	deep := strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000)
	long := strings.Repeat("x", 1<<20)
	for _, c := range []struct {
		name, path, body string
		want             api.Code
	}{
		{"no JSON", "/observe", marker, api.Invalid},
		{"half a JSON", "/observe", `{"session_id":"` + marker, api.Invalid},
		{"an array", "/observe", `["` + marker + `"]`, api.Invalid},
		{"null", "/observe", `null`, api.Invalid},
		{"an empty body", "/observe", ``, api.Invalid},
		{"two values", "/observe", `{"session_id":"s","tool_name":"T"}{"x":1}`, api.Invalid},
		{"a wrong type", "/observe", `{"session_id":7,"tool_name":"` + marker + `"}`, api.Invalid},
		{"a tool input that is no object", "/observe", `{"session_id":"s","tool_name":"T","tool_input":"` + marker + `"}`,
			api.Invalid},
		{"an unknown field", "/observe", `{"session_id":"s","tool_name":"T","` + marker + `":1}`, api.Invalid},
		{"no session", "/observe", `{"tool_name":"` + marker + `"}`, api.Invalid},
		{"no tool", "/observe", `{"session_id":"` + marker + `"}`, api.Invalid},
		{"no text", "/prompt", `{"session_id":"` + marker + `"}`, api.Invalid},
		{"an unknown role", "/prompt", `{"session_id":"s","text":"` + marker + `","role":"god"}`, api.Invalid},
		{"20,000 levels", "/observe", `{"session_id":"s","tool_name":"T","tool_input":` + deep + `}`, api.Invalid},
		{"a NUL in the session id", "/observe", `{"session_id":"a\u0000` + marker + `","tool_name":"T"}`, api.Invalid},
		{"a lone surrogate in the tool name", "/observe", `{"session_id":"s","tool_name":"` + marker + `\ud800"}`,
			api.Invalid},
		{"a raw NUL", "/observe", "{\"session_id\":\"s\x00\",\"tool_name\":\"" + marker + "\"}", api.Invalid},
		{"a session id of 1 MB", "/observe", `{"session_id":"` + long + marker + `","tool_name":"T"}`, api.Invalid},
		{"a time that is none", "/observe", `{"session_id":"s","tool_name":"` + marker + `","at":"yesterday"}`, api.Invalid},
		{"a hook without JSON", "/hooks/claude", marker, api.Invalid},
		{"a hook that is an array", "/hooks/claude", `["` + marker + `"]`, api.Invalid},
		{"a hook with 20,000 levels", "/hooks/claude", deep, api.Invalid},
		{"a hook with a session id of 1 MB", "/hooks/claude",
			`{"hook_event_name":"Stop","session_id":"` + long + `","last_assistant_message":"` + marker + `"}`, api.Invalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := r.ask(t, "POST", c.path, c.body)
			if got.code() != c.want || got.status != c.want.Status() {
				t.Errorf("status %d, body %.200s; want code %s", got.status, got.body, c.want)
			}
			if strings.Contains(got.body, marker) {
				t.Error("the answer repeats what was sent")
			}
		})
	}
	for _, query := range []string{"/search?limit=0", "/search?limit=x", "/search?typ=prompt", "/search?type=x",
		"/search?since=monday",
		"/context", "/context?project=x&format=xml", "/observation/x", "/observation/0", "/timeline/1?before=-1"} {
		if got := r.ask(t, "GET", query, ""); got.code() != api.Invalid {
			t.Errorf("%s: status %d, body %s", query, got.status, got.body)
		}
	}
	if s := r.stats(t); s.Sessions+s.Prompts+s.Observations != 0 {
		t.Errorf("stored %+v", s)
	}
	r.end(t)
	if r.holds(t, marker) {
		t.Error("a refused request left bytes on the disk")
	}
}

// endless is a body without an end.
type endless struct{ left int64 }

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), e.left))
	for i := range p[:n] {
		p[i] = 'x'
	}
	e.left -= int64(n)
	return n, nil
}

func TestAHugeBodyIsRefusedWithoutBeingRead(t *testing.T) {
	r := startRig(t, t.TempDir())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, path := range []string{"/observe", "/hooks/claude"} {
		resp, err := r.http.Do(r.request(t, "POST", path, &endless{200 << 20})) // chunked: the length is not announced
		if errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) {
			continue // the daemon hung up while this was still sending: refused as well, and counted below
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if got := (reply{resp.StatusCode, resp.Header, string(body)}); err != nil || got.code() != api.TooLarge {
			t.Errorf("%s: %v, status %d, body %s", path, err, got.status, got.body)
		}
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 150<<20 {
		t.Errorf("%d MiB were allocated for two refused bodies", grown>>20)
	}
	if n := r.d.count.capture().Refused; n != 2 {
		t.Errorf("%d refusals counted", n)
	}
}

func TestTooManyRequestsAreRefusedButNoHook(t *testing.T) {
	r := startRig(t, t.TempDir())
	for range maxInFlight {
		r.d.slots <- struct{}{}
	}
	got := r.ask(t, "GET", "/status", "")
	if got.code() != api.Busy || got.header.Get("Retry-After") == "" {
		t.Errorf("status %d, body %s, Retry-After %q", got.status, got.body, got.header.Get("Retry-After"))
	}
	hook := r.ask(t, "POST", "/hooks/claude",
		`{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"hello there","cwd":"/home/dev/shop"}`)
	if hook.status != http.StatusOK {
		t.Errorf("hook: status %d, body %s", hook.status, hook.body)
	}
	for range maxInFlight {
		<-r.d.slots
	}
	if s := r.stats(t); s.Prompts != 1 {
		t.Errorf("stored %+v", s)
	}
}

// TestARefusedBodyIsAnsweredToWhoSendsItAllFirst: some clients look at the answer when
// the last byte is sent.
func TestARefusedBodyIsAnsweredToWhoSendsItAllFirst(t *testing.T) {
	r := startRig(t, t.TempDir())
	token, err := os.ReadFile(r.home.Token())
	if err != nil {
		t.Fatal(err)
	}
	for _, length := range []string{"Content-Length: 11534336", "Transfer-Encoding: chunked"} {
		conn, err := net.Dial("unix", r.home.Socket())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		body := strings.Repeat("x", 11<<20)
		if strings.HasPrefix(length, "Transfer") {
			body = fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(body), body)
		}
		sent := "POST /observe HTTP/1.1\r\nHost: mum\r\nAuthorization: Bearer " + strings.TrimSpace(string(token)) +
			"\r\nContent-Type: application/json\r\n" + length + "\r\n\r\n" + body
		if _, err := io.WriteString(conn, sent); err != nil {
			t.Fatalf("%s: it was not read to its end: %v", length, err)
		}
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || resp.StatusCode != http.StatusRequestEntityTooLarge {
			t.Fatalf("%s: %+v, %v", length, resp, err)
		}
		if text, err := io.ReadAll(resp.Body); err != nil || !strings.Contains(string(text), "10 MiB") {
			t.Errorf("%s: %q, %v", length, text, err)
		}
	}
}
