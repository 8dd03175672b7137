package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"sync"

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
	switch {
	case long:
		return nil, l.refuse(-32600, "the message is too large")
	case !json.Valid(line):
		return nil, l.refuse(-32700, "the message is not JSON")
	case !isMessage(line) || !decodes(line):
		return nil, l.refuse(-32600, "the message is not one of JSON-RPC 2.0")
	}
	return append(line, '\n'), nil
}

func isMessage(line []byte) bool {
	var m struct {
		Version string          `json:"jsonrpc"`
		Method  string          `json:"method"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	return json.Unmarshal(line, &m) == nil && m.Version == "2.0" && (m.Method != "" || m.Result != nil || m.Error != nil)
}

// decodes reports whether the library accepts a message. It refuses what is JSON-RPC in form only: an id that is an
// object, an error without a code, parameters that nest a thousand levels deep.
func decodes(line []byte) bool {
	_, err := jsonrpc.DecodeMessage(line)
	return err == nil
}

func (l *mcpLines) refuse(code int, why string) error {
	answer := map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": why}}
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
