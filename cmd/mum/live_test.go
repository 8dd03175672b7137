package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"keepmum/api"
)

func TestALiveStatusSaysWhatRunsAndWhatIsBlocked(t *testing.T) {
	var out bytes.Buffer
	a := &app{out: &out, getenv: func(string) string { return "" }}
	a.drawLive(liveStatus{At: time.Now(),
		Running: &api.RunTotals{RunID: "sync-20261122-101500-a1b2c3", Outcome: "running", Sessions: 3,
			Fates: map[string]int{"add": 2}},
		Status: api.Status{Blocked: []api.Blocked{{Project: "shop", Why: "its repository is not there",
			Next: "mum project remove 1"}}}})
	for _, want := range []string{"now       sync-20261122-101500-a1b2c3  running", "3 sessions, 2 add",
		"BLOCKED   shop: its repository is not there; next: mum project remove 1"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "\x1b[2J") {
		t.Error("what is no terminal is cleared")
	}
}
