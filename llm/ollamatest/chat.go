package ollamatest

import (
	"encoding/json"
	"net/http"
	"strings"
)

// Summary is a valid answer.
func Summary(Chat) Reply {
	return Reply{Text: `{"summary":"Changed the rounding of prices to integer cents because floats had lost money.","type":"bugfix","files":[],"concepts":["prices","rounding"]}`}
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	var in Chat
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		fail(w, http.StatusBadRequest, "bad request")
		return
	}
	s.mu.Lock()
	s.chats = append(s.chats, in)
	s.mu.Unlock()
	if _, ok := s.find(in.Model); !ok {
		fail(w, http.StatusNotFound, "model not found")
		return
	}
	answer := s.o.Answer
	if answer == nil {
		answer = Summary
	}
	answer(in).play(w, r, in)
}

func (a Reply) play(w http.ResponseWriter, r *http.Request, in Chat) {
	switch {
	case a.Hang:
		<-r.Context().Done()
	case a.Huge:
		flood(w, r)
	case a.Redirect != "":
		http.Redirect(w, r, a.Redirect+r.URL.Path, http.StatusTemporaryRedirect)
	case a.Status != 0 && a.Status != http.StatusOK:
		fail(w, a.Status, a.Text)
	case a.Garbage != nil:
		_, _ = w.Write(a.Garbage) // the client may be gone
	case a.Stream || a.BreakOff:
		a.pieces(w, in)
	default:
		write(w, a.message(in, a.Text, true))
	}
}

// pieces sends the answer as a streaming server does: one JSON object per line.
func (a Reply) pieces(w http.ResponseWriter, in Chat) {
	half := len(a.Text) / 2
	write(w, a.message(in, a.Text[:half], false))
	if a.BreakOff {
		_ = http.NewResponseController(w).Flush() // the client gets what was sent so far
		panic(http.ErrAbortHandler)
	}
	write(w, a.message(in, a.Text[half:], false))
	write(w, a.message(in, "", true))
}

func (a Reply) message(in Chat, text string, done bool) map[string]any {
	m := map[string]any{"model": in.Model, "message": map[string]any{"role": "assistant", "content": text}, "done": done}
	if a.RemoteHost != "" {
		m["remote_host"] = a.RemoteHost
	}
	if !done {
		return m
	}
	tokens := a.PromptTokens
	for _, msg := range in.Messages {
		if a.PromptTokens == 0 {
			tokens += len(msg.Content) / 3
		}
	}
	m["done_reason"], m["prompt_eval_count"], m["eval_count"], m["total_duration"] = "stop", tokens, len(text)/3, 5_000_000
	return m
}

func flood(w http.ResponseWriter, r *http.Request) {
	line := []byte(`{"message":{"content":"` + strings.Repeat("x", 64<<10) + "\"}}\n")
	for r.Context().Err() == nil {
		if _, err := w.Write(line); err != nil {
			return
		}
	}
}
