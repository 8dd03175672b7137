package main

import (
	"errors"
	"os"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/capture"
	"keepmum/home"
	"keepmum/longtest"
)

// Without the user's verdicts the gate withholds every text. That must not look well.
func TestADamagedListOfVerdictsIsNamed(t *testing.T) {
	data := upWith(t)
	write(t, home.Dir(data).Verdicts(), "")
	if s := status(t, data); s.OK || len(s.Problems) != 1 || s.Problems[0] != api.VerdictsUnread {
		t.Errorf("the daemon says %v", s.Problems)
	}
	out, err := mum(data, "doctor").CombinedOutput()
	if want := "mv '" + home.Dir(data).Verdicts() + "'"; err == nil || strings.Count(string(out), "FAIL") != 1 ||
		!strings.Contains(string(out), want) {
		t.Errorf("doctor says %v\n%s", err, out)
	}
}

func TestAVerdictIsNoProblem(t *testing.T) {
	data := upWith(t)
	said := mum(data, "redact", "--is-a-secret", "-")
	said.Stdin = strings.NewReader("Plain Blue Word")
	if out, err := said.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := mum(data, "doctor").CombinedOutput(); err != nil || strings.Contains(string(out), "verdicts") {
		t.Errorf("doctor says %v\n%s", err, out)
	}
}

// Whoever declared a session private must not find it captured because a file was damaged.
func TestADamagedListOfPrivateSessionsEndsCapture(t *testing.T) {
	data := upWith(t)
	path := capture.PrivateFile(data)
	for _, damage := range []string{"", "[", "{}"} {
		write(t, path, damage)
		if s := status(t, data); s.OK || len(s.Problems) != 1 || s.Problems[0] != api.PrivateUnread {
			t.Errorf("%q: the daemon says %v", damage, s.Problems)
		}
		hook := mum(data, "hook", "claude")
		hook.Stdin = strings.NewReader(
			`{"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":"/tmp","prompt":"the third glowworm"}`)
		if out, err := hook.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%q: the hook says %v %s", damage, err, out)
		}
		if out, err := mum(data, "search", "glowworm").CombinedOutput(); strings.Contains(string(out), "third") {
			t.Errorf("%q: it was captured: %v %s", damage, err, out)
		}
	}
	out, err := mum(data, "doctor").CombinedOutput()
	if err == nil || strings.Count(string(out), "FAIL") != 1 || !strings.Contains(string(out), "mv '"+path+"'") {
		t.Errorf("doctor says %v\n%s", err, out)
	}
}

// The list itself is whole: only its reserve has to go.
func TestABadReserveOfPrivateSessionsIsNamedAlone(t *testing.T) {
	longtest.Only(t)
	data := upWith(t)
	list := home.Dir(data).Private()
	write(t, list, `["0123456789abcdef0123456789abcdef"]`)
	must(t, data, "down")
	if err := errors.Join(os.Remove(home.Dir(data).Reserve()), os.Symlink(list, home.Dir(data).Reserve())); err != nil {
		t.Fatal(err)
	}
	out, _ := mum(data, "doctor").CombinedOutput()
	if !strings.Contains(string(out), "mv '"+home.Dir(data).Reserve()+"'") ||
		strings.Contains(string(out), "mv '"+list+"'") || !strings.Contains(string(out), "private.json, which stays") {
		t.Errorf("doctor says %s", out)
	}
	if err := os.Rename(home.Dir(data).Reserve(), home.Dir(data).Reserve()+".old"); err != nil {
		t.Fatal(err)
	}
	must(t, data, "up")
	must(t, data, "doctor")
}
