package main

import (
	"strings"
	"testing"
)

func TestAWatchWithoutATeamEnds(t *testing.T) {
	dir := upWith(t)
	out, err := mum(dir, "team", "sync", "--watch").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "mum: error: this machine is not in a team") ||
		!strings.Contains(string(out), "hint: mum team join") {
		t.Errorf("%v\n%s", err, out)
	}
}
