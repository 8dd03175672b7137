package capture_test

import (
	"fmt"
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
