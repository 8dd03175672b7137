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
	for id := range int64(maxRepeated + 2) {
		done.Left = append(done.Left, api.Moment{ID: 1500 + id, Type: "prompt", Title: "the cellar"})
		done.Repeated = append(done.Repeated, api.Moment{ID: 1600 + id, Type: "prompt", Title: "why the cellar"})
	}
	for _, dry := range []bool{false, true} {
		out.Reset()
		done.DryRun = dry
		if err := a.printMemoryForgotten(done, false); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"\n  1500  ", "\n  1511  ", ": mum forget 1500 1501 ", " 1511\nentries that contain ",
			"\n  1600  ", "        and 2 more\n"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q is not in\n%s", want, out.String())
			}
		}
	}
	if strings.Contains(out.String(), "searched for 1 piece in every byte") {
		t.Errorf("it does not say what was searched for:\n%s", out.String())
	}
	out.Reset()
	if done.Left = nil; a.printMemoryForgotten(done, false) != nil || strings.Contains(out.String(), "mum forget") {
		t.Errorf("a command for what only contains the words:\n%s", out.String())
	}
	out.Reset()
	done.Repeated, done.Left = nil, done.Repeated[:2]
	a.printForgotten(done.Forgotten, false)
	if !strings.HasSuffix(out.String(), " 1600 1601\n") {
		t.Errorf("mum forget: got\n%s", out.String())
	}
}

func TestForgettingWhatAColleagueSharedSaysThatTheTeamKeepsIt(t *testing.T) {
	for _, theirs := range []bool{true, false} { // or it is from another machine of one's own
		var out bytes.Buffer
		a := &app{out: &out, getenv: func(string) string { return "" }}
		done := api.MemoryForgotten{Memories: []api.Memory{{Entry: 9, Title: "x", Origin: "team/ben/desk", Foreign: theirs}}}
		err := a.printMemoryForgotten(done, false)
		if err != nil || strings.Contains(out.String(), "ben/desk shared it, and the team keeps it") != theirs {
			t.Errorf("%v: %s, %v", theirs, out.String(), err)
		}
	}
}
