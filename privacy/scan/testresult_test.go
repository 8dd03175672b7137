package scan

import (
	"strings"
	"testing"
)

func TestTheResultOfATestIsNotTheNameOfAPassword(t *testing.T) {
	for text, want := range map[string]bool{
		"--- PASS: TestHTTP2 (0.00s)":       true,
		"    --- PASS: TestHTTP2/h1":        true,
		"[PASS] login_v2":                   true,
		"PASS src/login2.test.ts":           true,
		"PASS  ./web/oauth.spec.js (5.3 s)": true,
		"PASS: hunter2":                     false,
		"DB_PASS=hunter2":                   false,
		"PASS /dev/shm/x1":                  false,
		"PASS":                              false,
		"--- PASS=x1":                       false,
		"--- PASS is a.test.b/x":            false,
	} {
		if got := TestResult(text, strings.Index(text, "PASS")+len("PASS")); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
