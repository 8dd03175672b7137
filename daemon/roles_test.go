package daemon

import (
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/config"
	"keepmum/llm/ollamatest"
	"keepmum/trace"
)

const (
	quokkaTitle = "The quokka importer retries four times"
	quokkaBody  = "The quokka importer retries four times, because the warehouse drops every third connection at night."

	quokkaQuestion = "How often does the quokka importer retry?"
)

// startAsking is a daemon with one memory and a server of two models.
func startAsking(t *testing.T, change func(*config.Config)) (*rig, *ollamatest.Server) {
	t.Helper()
	model := ollamatest.New(ollamatest.Options{
		Models: []ollamatest.Model{{Name: "small", Context: 8192, Capabilities: []string{"completion"}},
			{Name: "large", Context: 8192, Capabilities: []string{"completion"}}},
		Answer: func(ollamatest.Chat) ollamatest.Reply {
			return ollamatest.Reply{Text: `{"claims":[{"text":"It retries four times","from":[1]}]}`}
		},
	})
	t.Cleanup(model.Close)
	r := startRig(t, t.TempDir(), func(c *config.Config) {
		c.Compress.Provider, c.Compress.URL, c.Compress.Model = "ollama", model.URL, "small"
		change(c)
	})
	r.remember(t, api.MemoryAdd{Global: true, Title: quokkaTitle, Body: quokkaBody})
	return r, model
}

func (r *rig) answered(t *testing.T) api.Answer {
	t.Helper()
	return into[api.Answer](t, r.post(t, "/ask", api.Question{Question: quokkaQuestion}))
}

func TestARoleHasAModelOfItsOwn(t *testing.T) {
	r, _ := startAsking(t, func(c *config.Config) {
		c.Roles.Ask.Model, c.Roles.Ask.PriceIn, c.Roles.Ask.PriceOut = "large", 1e6, 2e6
	})
	if got := r.answered(t); got.Model != "large" {
		t.Errorf("asked %+v", got)
	}
	call := r.lines(t, "ask", trace.Call)[0]
	if want := float64(call.In) + 2*float64(call.Out); call.Model != "large" || call.Cost != want || want == 0 {
		t.Errorf("the trace says %+v, want a cost of %v", call, want)
	}
}

func TestARoleThatIsOffAsksNobody(t *testing.T) {
	r, model := startAsking(t, func(c *config.Config) { c.Roles.Ask.Provider = "off" })
	if got := r.answered(t); got.Answer != "" || len(got.Citations) == 0 || len(model.Chats()) != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestARoleKeepsWithinItsDay(t *testing.T) {
	r, model := startAsking(t, func(c *config.Config) { c.Roles.Ask.DailyCalls = 1 })
	first, second := r.answered(t), r.answered(t)
	if first.Model == "" || second.Model != "" || !strings.Contains(second.Why, "roles.ask.daily_calls") ||
		len(model.Chats()) != 1 {
		t.Errorf("first %+v, then %+v", first, second)
	}
}

func TestARoleFallsBackWhereThatIsWanted(t *testing.T) {
	for fallback, want := range map[string]string{"": "", "compress": "small"} {
		r, _ := startAsking(t, func(c *config.Config) {
			c.Roles.Ask.Provider, c.Roles.Ask.URL = "ollama", "http://127.0.0.1:1"
			c.Roles.Ask.Model, c.Roles.Ask.Fallback = "large", fallback
		})
		if got := r.answered(t); got.Model != want {
			t.Errorf("with fallback %q: %+v", fallback, got)
		}
	}
}
