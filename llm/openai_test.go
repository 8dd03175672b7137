package llm_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"keepmum/llm"
	"keepmum/llm/ollamatest"
)

// completions is a server of the chat completions protocol that keeps what it was sent.
func completions(t *testing.T, status int, answer string) (*httptest.Server, *[]string) {
	t.Helper()
	var got []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/chat/completions" {
			http.NotFound(w, r)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		got = append(got, r.Header.Get("Authorization")+" "+string(body))
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(s.Close)
	return s, &got
}

func TestAServerOfThisMachineIsAskedInOpenAIsProtocol(t *testing.T) {
	s, got := completions(t, 200,
		`{"choices":[{"message":{"content":"{\"a\":1}"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":3}}`)
	a, err := ask(t, llm.Options{Provider: "openai", URL: s.URL + "/v1", Model: "local", APIKey: "k"})
	if err != nil {
		t.Fatal(err)
	}
	if a.Text != `{"a":1}` || a.PromptTokens != 7 || a.AnswerTokens != 3 {
		t.Errorf("got %+v", a)
	}
	if len(*got) != 1 || !strings.HasPrefix((*got)[0], "Bearer k ") || !strings.Contains((*got)[0], `"json_schema"`) {
		t.Errorf("it was sent %q", *got)
	}
}

func TestAnOpenAIServerElsewhereMustBeNamed(t *testing.T) {
	away := names{"api.example": {"192.0.2.7"}}
	_, err := ask(t, llm.Options{Provider: "openai", URL: "https://api.example/v1", Model: "m", Resolver: away})
	var refused *llm.Refused
	if !errors.As(err, &refused) || !strings.Contains(refused.Hint, "egress.allow_hosts") {
		t.Errorf("not named: got %v, want a refusal that names egress.allow_hosts", err)
	}
	p, err := llm.Open(t.Context(),
		llm.Options{Provider: "openai", URL: "https://api.example/v1", Model: "m", Resolver: away,
			AllowHosts: []string{"API.example"}})
	if err != nil {
		t.Fatalf("named: %v", err)
	}
	if r, err := p.Prepare(t.Context(), question); err != nil || r.Host != "192.0.2.7:443" {
		t.Errorf("named: host %q, %v", r.Host, err)
	}
}

func TestOllamaBehindOpenAIsProtocolIsRefused(t *testing.T) {
	s := start(t, ollamatest.Options{Models: local("tiny:latest")})
	for _, model := range []string{"tiny", "big:cloud"} {
		_, err := ask(t, llm.Options{Provider: "openai", URL: s.URL + "/v1", Model: model})
		var refused *llm.Refused
		if !errors.As(err, &refused) {
			t.Errorf("%s: got %v, want a refusal", model, err)
		}
	}
}

func TestOpenAIFailuresAreToldApart(t *testing.T) {
	for name, tc := range map[string]struct {
		status int
		body   string
		want   error
	}{
		"cut":     {200, `{"choices":[{"message":{"content":"{"},"finish_reason":"length"}]}`, llm.ErrAnswer},
		"empty":   {200, `{"choices":[]}`, llm.ErrAnswer},
		"garbage": {200, `<html>`, llm.ErrAnswer},
		"busy":    {429, ``, llm.ErrUnavailable},
		"broken":  {500, ``, llm.ErrUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := completions(t, tc.status, tc.body)
			if _, err := ask(t, llm.Options{Provider: "openai", URL: s.URL + "/v1", Model: "m"}); !errors.Is(err, tc.want) {
				t.Errorf("got %v, want %v", err, tc.want)
			}
		})
	}
}
