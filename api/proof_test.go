package api_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"keepmum/api"
)

const testToken = "3f0c9d1be2a4857660718293a4b5c6d7e8f90123456789abcdef0123456789ab"

// stranger is a listener that another user put on the port of a daemon that crashed.
type stranger struct {
	mu    sync.Mutex
	heard strings.Builder
}

func (s *stranger) got() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heard.String()
}

// listen notes all bytes that come, and answers each request with body.
func (s *stranger) listen(t *testing.T, body func(r *http.Request) string) (home string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		_ = r.Write(&s.heard)
		s.mu.Unlock()
		_, _ = io.WriteString(w, body(r))
	})}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	return homeWith(t, testToken, l.Addr())
}

func homeWith(t *testing.T, token string, at net.Addr) (home string) {
	t.Helper()
	home = t.TempDir()
	_, port, err := net.SplitHostPort(at.String())
	if err != nil {
		t.Fatal(err)
	}
	for path, line := range map[string]string{api.TokenPath(home): token, api.PortPath(home): port} {
		if err := os.WriteFile(path, []byte(line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

// A daemon that crashed leaves its port file, and any user of the machine can listen there.
func TestNothingIsSentToAStrangerOnThePort(t *testing.T) {
	other := func(port string) func(*http.Request) string {
		return func(r *http.Request) string {
			return `{"ok":true,"proof":"` + api.Prove(testToken, r.URL.Query().Get("challenge"), port) + `"}`
		}
	}
	for name, answer := range map[string]func(*http.Request) string{
		"says that all is well":                 func(*http.Request) string { return `{"ok":true}` },
		"speaks no JSON":                        func(*http.Request) string { return "yes" },
		"asks the real daemon, on another port": other("1"),
		"proves another token": func(r *http.Request) string {
			return `{"proof":"` + api.Prove("", r.URL.Query().Get("challenge"), "1") + `"}`
		},
	} {
		t.Run(name, func(t *testing.T) {
			var s stranger
			c := api.NewClient(s.listen(t, answer), "")
			_, err := c.Send(t.Context(), http.MethodPost, "/hooks/claude", strings.NewReader("raw words"))
			if !errors.Is(err, api.ErrDown) {
				t.Errorf("the client says %v", err)
			}
			if got := s.got(); strings.Contains(got, testToken) || strings.Contains(got, "raw words") {
				t.Errorf("the stranger received %s", got)
			}
		})
	}
}

// Without a token anyone could compute the proof.
func TestAClientWithoutATokenUsesNoPort(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"proof":"`+api.Prove("", r.URL.Query().Get("challenge"), port)+`"}`)
	})}
	go func() { _ = server.Serve(l) }()
	defer func() { _ = server.Close() }()
	err = api.NewClient(homeWith(t, "", l.Addr()), "").Get(context.Background(), "/health", nil, nil)
	if !errors.Is(err, api.ErrDown) {
		t.Errorf("the client says %v", err)
	}
}

func TestAListenerThatProvesTheTokenIsUsed(t *testing.T) {
	var s stranger
	port := ""
	home := s.listen(t, func(r *http.Request) string {
		if r.URL.Path != "/proof" {
			return `{"version":"7"}`
		}
		return `{"proof":"` + api.Prove(testToken, r.URL.Query().Get("challenge"), port) + `"}`
	})
	line, err := os.ReadFile(api.PortPath(home))
	if err != nil {
		t.Fatal(err)
	}
	port = strings.TrimSpace(string(line))
	var h api.Health
	if err := api.NewClient(home, "").Get(t.Context(), "/health", nil, &h); err != nil || h.Version != "7" {
		t.Errorf("got %+v, %v", h, err)
	}
}
