package daemon

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/config"
	"keepmum/llm"
	"keepmum/transcript"
)

// collector is a server that keeps what it is sent.
func collector(t *testing.T) (url string, got chan []byte) {
	t.Helper()
	got = make(chan []byte, maxReports)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		got <- body
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1/traces", got
}

func TestARunIsReportedToACollectorWithoutAnyText(t *testing.T) {
	url, got := collector(t)
	r, repo, agent := startRig(t, t.TempDir(), func(c *config.Config) { c.Runs.OTLP = url }), repository(t), t.TempDir()
	r.d.o.Transcripts = transcript.Roots{Claude: agent}
	transcribe(t, agent, repo,
		"remember: exports of the shop always use the potoroosum checksum, because the warehouse refuses files without it",
		"I will add the checksum to each export.")
	r.sync(t, api.SyncRequest{})
	var body []byte
	select {
	case body = <-got:
	case <-t.Context().Done():
		t.Fatal("nothing was sent")
	}
	for _, text := range []string{"potoroosum", "shop", "5f0c2f6e", "checksum"} {
		if strings.Contains(strings.ToLower(string(body)), text) {
			t.Errorf("%s left this machine: %s", text, body)
		}
	}
	var sent struct {
		ResourceSpans []struct {
			ScopeSpans []struct {
				Spans []struct {
					TraceID, SpanID, Name, StartTimeUnixNano string
					Attributes                               []struct{ Key string }
				}
			}
		}
	}
	if err := json.Unmarshal(body, &sent); err != nil {
		t.Fatal(err)
	}
	span := sent.ResourceSpans[0].ScopeSpans[0].Spans[0]
	if len(span.TraceID) != 32 || len(span.SpanID) != 16 || span.Name != "mum.sync" || span.StartTimeUnixNano == "" ||
		!strings.Contains(string(body), `"mum.candidate.add.new"`) {
		t.Errorf("got %s", body)
	}
	if ledger := r.ask(t, "GET", "/ledger/egress", ""); !strings.Contains(ledger.body, `"purpose":"trace"`) {
		t.Errorf("the ledger holds no sending: %s", ledger.body)
	}
}

func TestNothingIsReportedUnlessTheHostIsAllowedByName(t *testing.T) {
	d := startRig(t, t.TempDir()).d
	d.o.Config.Runs.OTLP = "http://192.0.2.1:4318/v1/traces"
	err := reportOnce(t, d)
	if err == nil || !strings.Contains(err.Error(), "not every address of it is on this machine") {
		t.Errorf("got %v", err)
	}
}

func reportOnce(t *testing.T, d *Daemon) error {
	t.Helper()
	return llm.Report(t.Context(), d.o.Config.Runs.OTLP, d.o.Config.Egress.AllowHosts, []byte("{}"),
		func(context.Context, llm.Sending) error {
			t.Error("the ledger was told of a sending that is refused")
			return nil
		})
}
