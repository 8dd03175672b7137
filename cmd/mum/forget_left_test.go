package main

import (
	"bytes"
	"strings"
	"testing"

	"keepmum/api"
)

func TestWhatStaysIsNamedWithTheCommandThatRemovesIt(t *testing.T) {
	var out bytes.Buffer
	a := &app{out: &out, getenv: func(string) string { return "" }}
	done := api.MemoryForgotten{Memories: []api.Memory{{Entry: 9, Title: "The cellar is locked at nine"}}}
	done.Probes, done.Files = 1, 12
	if err := a.printMemoryForgotten(done, false); err != nil || strings.Contains(out.String(), "mum forget") ||
		!strings.Contains(out.String(), "searched for 1 piece in every byte of 12 files: found in 0\n") {
		t.Errorf("nothing stays: %s, %v", out.String(), err)
	}
	for id := range int64(maxLeft + 2) {
		done.Left = append(done.Left, api.Moment{ID: 1500 + id, Type: "prompt", Title: "the cellar"})
	}
	for _, dry := range []bool{false, true} {
		out.Reset()
		done.DryRun = dry
		if err := a.printMemoryForgotten(done, false); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"\n  1500  ", "        and 2 more\n", ": mum forget 1500 1501 ", " 1511\n"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q is not in\n%s", want, out.String())
			}
		}
	}
	if done.DryRun = false; a.printMemoryForgotten(done, false) != nil ||
		!strings.Contains(out.String(), "says the same") {
		t.Errorf("got\n%s", out.String())
	}
	if strings.Contains(out.String(), "searched for 1 piece in every byte") {
		t.Errorf("it does not say what was searched for:\n%s", out.String())
	}
	out.Reset()
	a.printForgotten(done.Forgotten, false)
	if !strings.HasSuffix(out.String(), " 1510 1511\n") {
		t.Errorf("mum forget: got\n%s", out.String())
	}
}
