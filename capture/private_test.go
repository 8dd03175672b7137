package capture_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"keepmum/capture"
	"keepmum/config"
	"keepmum/hooks"
)

func TestProcessesThatMakeSessionsPrivateAtOnceForgetNone(t *testing.T) {
	const processes, rounds = 4, 10
	home := t.TempDir()
	said := func(session, text string) capture.Incoming {
		return capture.Incoming{Event: hooks.Event{Agent: "claude", Kind: hooks.Prompt, Session: session, Text: text}}
	}
	var all []*capture.Intake
	for range processes {
		in, err := capture.NewIntake(capture.Options{Home: home, Config: config.Default(), Key: make([]byte, 32)})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, in)
	}
	for round := range rounds {
		var wait sync.WaitGroup
		for i, in := range all {
			wait.Go(func() { in.Take(said(fmt.Sprint(round, "-", i), "#private please")) })
		}
		wait.Wait()
		for i := range all {
			_, why := all[0].Take(said(fmt.Sprint(round, "-", i), "what nobody may read"))
			if why != capture.PrivateSession {
				t.Errorf("round %d: session %d is captured: %q", round, i, why)
			}
		}
	}
}

// On a full disk the mark cannot be written: the session stays private, and the mark is written when there is room.
func TestASessionIsPrivateEvenIfTheMarkCannotBeWritten(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	intake := func() *capture.Intake {
		in, err := capture.NewIntake(capture.Options{Home: home, Config: config.Default(), Key: make([]byte, 32),
			Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	take := func(in *capture.Intake, text string) string {
		_, why := in.Take(capture.Incoming{
			Event: hooks.Event{Agent: "claude", Kind: hooks.Prompt, Session: "s", Text: text}})
		return why
	}
	first := intake() // its home does not exist, so nothing can be written there
	for _, text := range []string{"#private please", "what nobody may read"} {
		if why := take(first, text); why != capture.PrivateSession {
			t.Errorf("%q is captured: %q", text, why)
		}
	}
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	take(first, "one more")
	if why := take(intake(), "after a restart"); why != capture.PrivateSession {
		t.Errorf("captured after a restart: %q", why)
	}
}
