// Package ollamatest answers one question: what would an Ollama server have received?
//
// It is a server that speaks Ollama's protocol, has no model, and records every byte that reaches it. It can imitate
// each trick by which a "local" model turns out to be remote, and each way in which a server can fail.
package ollamatest

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Model is a model that the server lists.
type Model struct {
	Name         string
	Size         int64  // 0 = 4 GB
	Digest       string // "" = derived from the name
	Context      int    // 0 = 4096
	Capabilities []string
	Family       string
	RemoteHost   string // a stub that forwards
	RemoteModel  string
	ListedLocal  bool // /api/tags hides that it is a stub
	NotShown     bool // /api/show fails
	Loaded       bool // loaded from the start
}

// Reply says how to answer one question.
type Reply struct {
	Text         string
	Status       int    // other than 200: an error with this status and Text as its message
	Garbage      []byte // sent instead of a protocol message
	Stream       bool   // in pieces, as if "stream" was not set to false
	BreakOff     bool   // close the connection before the answer ends
	Hang         bool   // until the client disconnects
	Huge         bool   // endless
	Redirect     string // to another host
	RemoteHost   string // the answer claims to come from this host
	PromptTokens int    // 0 = a third of the number of bytes
}

// Options describe a server.
type Options struct {
	Version  string // "" = 0.9.6
	Cloud    string // answer of /api/status: "disabled", "enabled", "" = an older server without it
	Models   []Model
	Answer   func(Chat) Reply            // nil = [Summary]
	Embed    func(text string) []float32 // nil = meaningless numbers
	Redirect string                      // redirect every request there
}

// Chat is a question as it was received.
type Chat struct {
	Model     string          `json:"model"`
	Messages  []Message       `json:"messages"`
	Format    json.RawMessage `json:"format"`
	Stream    *bool           `json:"stream"`
	Think     *bool           `json:"think"`
	Truncate  *bool           `json:"truncate"`
	KeepAlive any             `json:"keep_alive"`
	Options   map[string]any  `json:"options"`
}

// Message is one message of a [Chat].
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Server is a running server.
type Server struct {
	URL      string
	Listener net.Listener
	http     *http.Server
	o        Options

	mu       sync.Mutex
	received bytes.Buffer
	chats    []Chat
	unloaded []string
}

// New starts a server; the caller must close it.
func New(o Options) *Server {
	s := &Server{o: o}
	if s.o.Embed == nil {
		s.o.Embed = func(text string) []float32 {
			return []float32{float32(len(text)), float32(strings.Count(text, " ")), 1}
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/version", s.version)
	mux.HandleFunc("GET /api/status", s.status)
	mux.HandleFunc("GET /api/tags", s.tags)
	mux.HandleFunc("GET /api/ps", s.ps)
	mux.HandleFunc("POST /api/show", s.show)
	mux.HandleFunc("POST /api/chat", s.chat)
	mux.HandleFunc("POST /api/generate", s.generate)
	mux.HandleFunc("POST /api/embed", s.embed)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic("ollamatest: no port of the loopback interface is free: " + err.Error())
	}
	s.URL = "http://" + l.Addr().String()
	s.Listener = &recorder{Listener: l, s: s}
	s.http = &http.Server{Handler: s.redirecting(mux), ReadHeaderTimeout: time.Minute}
	go func() { _ = s.http.Serve(s.Listener) }() // ends with Close
	return s
}

// Close stops the server and closes its connections.
func (s *Server) Close() { _ = s.http.Close() }

// Received returns every byte that reached the server.
func (s *Server) Received() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.received.Bytes())
}

// Chats returns the questions that reached the server.
func (s *Server) Chats() []Chat {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Chat(nil), s.chats...)
}

// Unloaded returns the models that were unloaded.
func (s *Server) Unloaded() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.unloaded...)
}

// recorder is a listener that records the bytes of its connections, below HTTP.
type recorder struct {
	net.Listener
	s *Server
}

func (r *recorder) Accept() (net.Conn, error) {
	c, err := r.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &recorded{Conn: c, s: r.s}, nil
}

type recorded struct {
	net.Conn
	s *Server
}

func (c *recorded) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.s.received.Write(p[:n])
	return n, err
}

func (s *Server) redirecting(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.o.Redirect != "" {
			http.Redirect(w, r, s.o.Redirect+r.URL.Path, http.StatusTemporaryRedirect)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) find(name string) (Model, bool) {
	for _, m := range s.o.Models {
		if m.Name == name || m.Name == name+":latest" || m.Name+":local" == name {
			return m, true
		}
	}
	return Model{}, false
}

func write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the client may be gone
}

func fail(w http.ResponseWriter, status int, message string) {
	w.WriteHeader(status)
	write(w, map[string]string{"error": message})
}

func (s *Server) version(w http.ResponseWriter, _ *http.Request) {
	v := s.o.Version
	if v == "" {
		v = "0.9.6"
	}
	write(w, map[string]string{"version": v})
}

func (s *Server) status(w http.ResponseWriter, r *http.Request) {
	if s.o.Cloud == "" {
		http.NotFound(w, r)
		return
	}
	write(w, map[string]any{"cloud": map[string]any{"disabled": s.o.Cloud == "disabled", "source": "config"}})
}

func (s *Server) tags(w http.ResponseWriter, _ *http.Request) {
	list := []any{}
	for _, m := range s.o.Models {
		list = append(list, m.entry())
	}
	write(w, map[string]any{"models": list})
}

func (m Model) entry() map[string]any {
	size, digest := m.Size, m.Digest
	if size == 0 {
		size = 4 << 30
	}
	if digest == "" {
		digest = "digest-of-" + m.Name
	}
	e := map[string]any{"name": m.Name, "model": m.Name, "size": size, "digest": digest,
		"modified_at": time.Unix(0, 0).UTC()}
	if !m.ListedLocal {
		e["remote_host"], e["remote_model"] = m.RemoteHost, m.RemoteModel
	}
	return e
}

func (s *Server) ps(w http.ResponseWriter, _ *http.Request) {
	list := []any{}
	for _, m := range s.o.Models {
		if m.Loaded {
			list = append(list, m.entry())
		}
	}
	write(w, map[string]any{"models": list})
}

func (s *Server) show(w http.ResponseWriter, r *http.Request) {
	var in struct{ Model string }
	_ = json.NewDecoder(r.Body).Decode(&in) // an invalid body names no model
	m, ok := s.find(in.Model)
	if !ok || m.NotShown {
		fail(w, http.StatusNotFound, "model not found")
		return
	}
	window, caps := m.Context, m.Capabilities
	if window == 0 {
		window = 4096
	}
	if caps == nil {
		caps = []string{"completion"}
	}
	write(w, map[string]any{"remote_host": m.RemoteHost, "remote_model": m.RemoteModel, "capabilities": caps,
		"details":    map[string]any{"family": m.Family},
		"model_info": map[string]any{"general.architecture": "llama", "llama.context_length": window}})
}

func (s *Server) generate(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Model     string `json:"model"`
		Prompt    string `json:"prompt"`
		KeepAlive any    `json:"keep_alive"`
	}
	_ = json.NewDecoder(r.Body).Decode(&in) // an invalid body names no model
	s.mu.Lock()
	s.unloaded = append(s.unloaded, in.Model)
	s.mu.Unlock()
	write(w, map[string]any{"model": in.Model, "done": true, "done_reason": "unload"})
}

func (s *Server) embed(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Input []string `json:"input"`
	}
	_ = json.NewDecoder(r.Body).Decode(&in) // an invalid body names no model
	vectors := make([][]float32, len(in.Input))
	for i, text := range in.Input {
		vectors[i] = s.o.Embed(text)
	}
	write(w, map[string]any{"embeddings": vectors})
}
