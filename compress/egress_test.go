package compress

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"keepmum/llm/ollamatest"
	"keepmum/privacy"
	"keepmum/store"
)

func TestTheLedgerHoldsTheHashOfWhatArrived(t *testing.T) {
	b := newBench(t, ollamatest.Options{}, nil)
	b.turn("s", "Round the prices", "error: 3 != 4")
	r, err := b.w.Preview(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.srv.Chats()) > 0 {
		t.Fatal("the preview sent something")
	}
	b.batch()
	rows, err := b.db.Ledger(t.Context(), store.LedgerEgress, 10)
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	sum := sha256.Sum256(r.Payload)
	if rows[0].SHA256 != hex.EncodeToString(sum[:]) || rows[0].Bytes != int64(len(r.Payload)) ||
		rows[0].Host != b.srv.Listener.Addr().String() || rows[0].Purpose != "turn" {
		t.Errorf("row %+v is not that of the preview", rows[0])
	}
	if !strings.Contains(string(b.srv.Received()), string(r.Payload)) {
		t.Error("what arrived is not what was previewed")
	}
}

// TestAModelOnThisMachineSendsNothingAway: questions to a model on this machine do not count as sent away.
func TestAModelOnThisMachineSendsNothingAway(t *testing.T) {
	b := newBench(t, ollamatest.Options{}, nil)
	b.turn("s", "Why does the build stop at the linker?", "error: undefined symbol deflate")
	b.batch()
	s, err := b.db.Stats(t.Context())
	if err != nil || s.Asked != 1 || s.Left != 0 {
		t.Errorf("asked %d times, %d of them left this machine, %v", s.Asked, s.Left, err)
	}
	for host, left := range map[string]bool{"127.0.0.1:11434": false, "127.8.8.8:1": false, "[::1]:11434": false,
		"[::ffff:127.0.0.1]:1": false,
		"10.0.0.7:11434":       true, "ollama.example.com:443": true, "https://ollama.com via 127.0.0.1:1": true,
		"": true} {
		if store.Left(host) != left {
			t.Errorf("%q: left this machine is %v", host, !left)
		}
	}
}

func TestASecretInAnAnswerIsNotKept(t *testing.T) {
	const token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	b := newBench(t, ollamatest.Options{Answer: func(ollamatest.Chat) ollamatest.Reply {
		return ollamatest.Reply{Text: `{"summary":"Deployed with the token ` + token +
			` to staging.","type":"change","files":["` + token + `"],"concepts":["` + token + `"]}`}
	}}, nil)
	b.turn("s", "Deploy it", "error: x")
	b.batch()
	got := b.summaries("s")[0]
	if got.Provider != "ollama" || strings.Contains(got.Text+got.FilesJSON+got.ConceptsJSON, token) {
		t.Errorf("kept %+v", got)
	}
}

func TestWhatTheSecondGateDoubtsIsSetAside(t *testing.T) {
	b := newBench(t, ollamatest.Options{}, nil)
	ref := store.SessionRef{Agent: b.clean("claude"), Native: b.clean("s"), Project: store.Project{Name: b.clean("inn")}}
	// A constant represents text that was stored before there was a rule for it.
	if _, err := b.db.PutPrompt(t.Context(),
		store.Prompt{Session: ref,
			Text: privacy.Const("the parcel is 4F2a-9c1E-77b0-aA31-Qx81 of today")}); err != nil {
		t.Fatal(err)
	}
	b.batch()
	if len(b.srv.Chats()) > 0 {
		t.Fatal("it was sent")
	}
	rows, err := b.db.Quarantine(t.Context(), 10)
	if err != nil || len(rows) != 1 || !strings.Contains(rows[0].Findings, `"rule"`) ||
		strings.Contains(rows[0].Findings, "4F2a") {
		t.Fatalf("quarantine %+v, %v", rows, err)
	}
	if err := b.db.ReleaseQuarantine(t.Context(), rows[0].ID, false); err != nil {
		t.Fatal(err)
	}
	b.batch()
	if len(b.srv.Chats()) > 0 || b.jobs(store.JobQuarantined) != 1 {
		t.Error("a release did not run the gates again")
	}
}

func TestAnAnswerFromElsewhereStopsEverything(t *testing.T) {
	b := newBench(t, ollamatest.Options{Answer: func(c ollamatest.Chat) ollamatest.Reply {
		return ollamatest.Reply{Text: ollamatest.Summary(c).Text, RemoteHost: "https://ollama.com"}
	}}, nil)
	for range 3 {
		b.turn("s", "Round the prices again", "error: x")
	}
	for range 3 {
		b.batch()
		b.later(time.Hour)
	}
	if n := len(b.srv.Chats()); n != 1 || !b.w.Status().Left {
		t.Errorf("%d questions, status %+v", n, b.w.Status())
	}
	if s, err := b.db.Stats(t.Context()); err != nil || s.Left != 1 {
		t.Errorf("it left this machine: %+v, %v", s, err)
	}
}
