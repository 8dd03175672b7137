package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxFrame is the maximum size of one message of an MCP client; the largest real ones have a tenth of it.
const maxFrame = 4 << 20

// mcpLines passes the messages of a client on, and answers invalid ones itself. In the library, one invalid line would
// end the connection, and with it the agent's access to memory.
type mcpLines struct {
	in   *bufio.Reader
	out  io.Writer
	rest []byte
}

func newMCPLines(in io.Reader, out io.Writer) *mcpLines {
	return &mcpLines{in: bufio.NewReaderSize(in, 64<<10), out: out}
}

func (l *mcpLines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, err := l.line()
		if err != nil {
			return 0, err
		}
		l.rest = line
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// line returns the next message, or none if it answered the message itself.
func (l *mcpLines) line() ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := l.in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxFrame; !long {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && len(line) == 0 {
			return nil, err
		}
		break // a last line without a newline is checked too
	}
	if long {
		return nil, l.refuse(nil, -32600, "the message is too large")
	}
	if !json.Valid(line) {
		return nil, l.refuse(nil, -32700, "the message is not JSON")
	}
	m := readEnvelope(line)
	if m.ID != nil && !echoes(m.ID) {
		return nil, l.refuse(m.ID, -32600, "the id must be a string, or an integer of less than 54 bits")
	}
	if !m.complete() || !decodes(line) {
		return nil, l.refuse(m.ID, -32600, "the message is not one of JSON-RPC 2.0")
	}
	return append(line, '\n'), nil
}

// envelope is what all messages of JSON-RPC share.
type envelope struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"` // nil = a notification
	Method  string          `json:"method"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

// readEnvelope reads as much of a message as it can.
func readEnvelope(line []byte) (m envelope) {
	if json.Unmarshal(line, &m) != nil {
		m.Version = ""
	}
	return m
}

func (m envelope) complete() bool {
	return m.Version == "2.0" && (m.Method != "" || m.Result != nil || m.Error != nil)
}

// echoes reports whether the library answers with the same id. It takes an id that is null for none, cuts 1.5 to 1, and
// reads integers as floating-point numbers and half of a character as another one.
func echoes(id json.RawMessage) bool {
	var v any
	if json.Unmarshal(id, &v) != nil {
		return false
	}
	switch v := v.(type) {
	case string:
		return !strings.ContainsRune(v, utf8.RuneError)
	case float64:
		return v == math.Trunc(v) && math.Abs(v) < 1<<53
	}
	return false
}

// decodes reports whether the library accepts a message. It refuses what is JSON-RPC in form only: an error without a
// code, parameters that nest a thousand levels deep.
func decodes(line []byte) bool {
	_, err := jsonrpc.DecodeMessage(line)
	return err == nil
}

// refuse answers a message with an error, and with its id as the client wrote it, if it can be an id.
func (l *mcpLines) refuse(id json.RawMessage, code int, why string) error {
	if len(id) == 0 || !strings.ContainsRune(`"-0123456789`, rune(id[0])) {
		id = json.RawMessage("null")
	}
	answer := map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": why}}
	data, err := json.Marshal(answer)
	if err == nil {
		_, err = l.out.Write(append(data, '\n'))
	}
	return err
}

// shared lets two writers write whole messages.
type shared struct {
	mu  *sync.Mutex
	out io.Writer
}

func (s shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Write(p)
}
