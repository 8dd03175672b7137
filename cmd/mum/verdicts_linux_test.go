package main

import (
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/home"
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
