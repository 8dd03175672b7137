package llm

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Report sends bytes that contain no text to a collector, with the same protection as for a model: the host is this
// machine or was allowed by name, no proxy, no redirect, and only the payload that was passed to record.
func Report(ctx context.Context, url string, allow []string, body []byte,
	record func(context.Context, Sending) error) error {
	l, err := newLine(url, allow, nil)
	if err != nil {
		return err
	}
	defer l.close()
	ctx, cancel := context.WithTimeout(announce(ctx, body), reportTime)
	defer cancel()
	found, err := l.check(ctx)
	if err != nil {
		return err
	}
	if err := record(ctx, Sending{Provider: "otlp", Host: found[0].String(), Model: "otlp", Purpose: "trace",
		Bytes: len(body), SHA256: hashOf(body)}); err != nil {
		return fmt.Errorf("write the ledger, so nothing was sent: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := l.http.Do(req)
	if err != nil {
		return err
	}
	_, _ = io.Copy(io.Discard, resp.Body) // the collector's answer is not used
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the collector answers with status %d", resp.StatusCode)
	}
	return nil
}

// reportTime limits one request: a collector that hangs delays the next one.
const reportTime = 10 * time.Second
