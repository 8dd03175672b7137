package llm_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"time"

	"keepmum/llm"
	"keepmum/llm/ollamatest"
	"keepmum/privacy"
)

// sender returns a sender with a gate of its own, and what its ledger was told.
func sender(t *testing.T) (*llm.Sender, *[]llm.Sending) {
	t.Helper()
	gate, err := privacy.New(privacy.Options{Key: []byte("a key for tests")})
	if err != nil {
		t.Fatal(err)
	}
	var ledger []llm.Sending
	return &llm.Sender{Gate: gate, Clock: time.Now, Ledger: func(_ context.Context, s llm.Sending) error {
		ledger = append(ledger, s)
		return nil
	}}, &ledger
}

func open(t *testing.T, s *ollamatest.Server) llm.Provider {
	t.Helper()
	p, err := llm.Open(t.Context(), llm.Options{URL: s.URL, Model: "tiny"})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestEverySendingIsInTheLedgerWithTheHashOfItsBytes(t *testing.T) {
	s := start(t, ollamatest.Options{Models: local("tiny:latest")})
	out, ledger := sender(t)
	_, r, err := out.Ask(t.Context(), open(t, s), question, "summary", 7)
	if err != nil {
		t.Fatal(err)
	}
	if len(*ledger) != 1 {
		t.Fatalf("%d rows", len(*ledger))
	}
	row, sum := (*ledger)[0], sha256.Sum256(r.Payload)
	if row.SHA256 != hex.EncodeToString(sum[:]) || row.Bytes != len(r.Payload) || row.Job != 7 ||
		row.Purpose != "summary" || row.Model != "tiny" || row.Host == "" {
		t.Errorf("row %+v", row)
	}
	if !strings.Contains(string(s.Received()), string(r.Payload)) {
		t.Error("what the ledger has the hash of is not what arrived")
	}
}

func TestNothingIsSentWhenTheLedgerCannotBeWritten(t *testing.T) {
	s := start(t, ollamatest.Options{Models: local("tiny:latest")})
	out, _ := sender(t)
	full := errors.New("disk full")
	out.Ledger = func(context.Context, llm.Sending) error { return full }
	if _, _, err := out.Ask(t.Context(), open(t, s), question, "summary", 0); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
	out.Ledger = nil
	if _, _, err := out.Ask(t.Context(), open(t, s), question, "summary", 0); err == nil {
		t.Error("it was sent without a ledger")
	}
	if len(s.Chats()) > 0 {
		t.Error("it was sent")
	}
}

func TestTheSecondGateHoldsBackWhatTheFirstLetThrough(t *testing.T) {
	s := start(t, ollamatest.Options{Models: local("tiny:latest")})
	out, ledger := sender(t)
	q := question
	// The constant stands for text that older rules had let through.
	q.Body = privacy.Const("the build id is 7p3kZZl4AblV7vY7AZQ3VZprkYSgy3c2")
	_, _, err := out.Ask(t.Context(), open(t, s), q, "summary", 1)
	var held *llm.Held
	if !errors.As(err, &held) || len(held.Findings) == 0 {
		t.Fatalf("got %v, want it held back", err)
	}
	if strings.Contains(err.Error(), "7p3k") {
		t.Error("the error tells the secret")
	}
	if len(s.Chats()) > 0 || len(*ledger) > 0 {
		t.Error("it was sent")
	}
}

func TestTodaysRulesRunAgainBeforeASending(t *testing.T) {
	s := start(t, ollamatest.Options{Models: local("tiny:latest")})
	out, _ := sender(t)
	q := question
	q.Body = privacy.Const("export GITHUB_TOKEN=ghp_16C7e42F292c6912E7710c838347Ae178B4a done")
	if _, _, err := out.Ask(t.Context(), open(t, s), q, "summary", 1); err != nil {
		var held *llm.Held
		if !errors.As(err, &held) {
			t.Fatal(err)
		}
	}
	if strings.Contains(string(s.Received()), "16C7e42F292c6912E7710c838347Ae178B4a") {
		t.Error("a secret was sent")
	}
}
