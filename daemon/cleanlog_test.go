package daemon

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/config"
	"keepmum/llm/ollamatest"
)

// madeUpToken has the shape of a vendor's.
const madeUpToken = "ghp_" + "x7Kq2VbN9mPzR4tLwY8cJ3hDfG6sA1eUoT5i"

func TestTheLogHoldsNoSecretHoweverItIsHandedOver(t *testing.T) {
	var out bytes.Buffer
	log, _ := newCleanLog(slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug})))
	log.With("file", "/srv/"+madeUpToken).WithGroup("g").Error("lost "+madeUpToken, "error",
		errors.Join(errors.New("no"), fmt.Errorf("open %s", madeUpToken)),
		"names", []string{madeUpToken}, slog.Group("in", "it", madeUpToken))
	if strings.Contains(out.String(), madeUpToken[4:]) {
		t.Error(out.String())
	}
	out.Reset()
	plain := []any{"run", rand.Text(), "path", "/home/dev/.mum/backups/20260301-120000.db", "took", time.Second,
		"documents", 12, "error", error(nil), "address", "127.0.0.1:38741"}
	log.Info("backup", plain...)
	if strings.Contains(out.String(), "REDACTED") ||
		!strings.Contains(out.String(), `"documents":12,"error":null,"address":"127.0.0.1:38741"`) {
		t.Error(out.String())
	}
}

func TestANameOfAModelThatHoldsASecretIsNowhere(t *testing.T) {
	able := []string{"completion"}
	model := ollamatest.New(ollamatest.Options{
		Models: []ollamatest.Model{{Name: madeUpToken, Context: 8192, Capabilities: able},
			{Name: "small", Context: 8192, Size: 1 << 29, Digest: madeUpToken, Capabilities: able}},
		Answer: func(ollamatest.Chat) ollamatest.Reply {
			return ollamatest.Reply{Text: `{"claims":[{"text":"Totals are rounded half to even.","from":[1]}]}`}
		},
	})
	t.Cleanup(model.Close)
	for _, configured := range []string{"", madeUpToken} {
		r, repo := startRig(t, t.TempDir(), func(c *config.Config) {
			c.Compress.Provider, c.Compress.URL, c.Compress.Model = "ollama", model.URL, configured
		}), repository(t)
		r.remember(t, rounding(repo))
		question := api.Question{Question: "How are invoice totals rounded here?", Directory: repo}
		answers := r.post(t, "/ask", question).body + r.ask(t, "GET", "/compress/preview", "").body
		if got := into[api.Answer](t, r.post(t, "/ask", question)); (got.Answer != "") != (configured == "") ||
			(got.Why != "") != (configured != "") {
			t.Errorf("with the model %q: %+v", configured, got)
		}
		named := r.ask(t, "POST", "/compress", `{"model":"`+madeUpToken+`"}`)
		if named.code() != api.Invalid {
			t.Errorf("a name in a request: %d %s", named.status, named.body)
		}
		answers += named.body + r.ask(t, "GET", "/status", "").body + r.ask(t, "GET", "/ledger/egress", "").body
		r.end(t)
		if strings.Contains(answers, madeUpToken[4:]) || r.holds(t, madeUpToken[4:]) {
			t.Errorf("with the model %q the name is kept or told: %s", configured, answers)
		}
	}
}
