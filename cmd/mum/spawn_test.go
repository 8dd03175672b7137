package main

import "testing"

func TestTheLastWordsOfADaemonAreAnErrorAndAHint(t *testing.T) {
	for words, want := range map[string][2]string{
		"mum: error: no room is left\nmum: hint: free some space\n":          {"no room is left", "free some space"},
		"mum: error: the key fits\n  none\nmum: hint: mum doctor\n  --fix\n": {"the key fits none", "mum doctor --fix"},
		"mum: error: the lock is gone\n":                                     {"the lock is gone", ""},
		"panic: no idea\n\ngoroutine 1 [running]:\n":                         {"", ""},
		"": {"", ""},
	} {
		if why, hint := said(words); why != want[0] || hint != want[1] {
			t.Errorf("%q: got %q, %q", words, why, hint)
		}
	}
}
