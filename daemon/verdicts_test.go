package daemon

import (
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"

	"keepmum/api"
)

func TestVerdictsOverTheAPI(t *testing.T) {
	dir := t.TempDir()
	r := startRig(t, dir)
	const value = "Tulpe77feld!"
	redacted := func() string {
		return into[api.Redacted](t, r.ask(t, "POST", "/redact", `{"text":"db_password=`+value+`"}`)).Text
	}
	if got := redacted(); strings.Contains(got, value) {
		t.Fatalf("found without a verdict: %q", got)
	}
	said := into[api.Verdict](t, r.ask(t, "POST", "/verdicts", `{"value":"`+value+`","secret":false}`))
	if got := redacted(); !strings.Contains(got, value) {
		t.Errorf("no secret, and taken out: %q", got)
	}
	raw := []byte(value)
	for _, form := range []string{value, hex.EncodeToString(raw), base64.StdEncoding.EncodeToString(raw)} {
		if r.holds(t, form) {
			t.Errorf("the data directory holds %q", form)
		}
	}
	if got := into[api.Verdicts](t, r.ask(t, "GET", "/verdicts", "")).Verdicts; len(got) != 1 || got[0].ID != said.ID {
		t.Errorf("listed %+v", got)
	}
	bad := r.ask(t, "POST", "/verdicts", `{"value":"ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hI6","secret":false}`)
	if bad.code() != api.Invalid || strings.Contains(bad.body, "ghp_") {
		t.Errorf("a token of a vendor: %s", bad.body)
	}
	if left := into[api.Verdicts](t, r.ask(t, "POST", "/verdicts/"+said.ID+"/remove", "{}")).Verdicts; len(left) != 0 {
		t.Errorf("left %+v", left)
	}
	if got := r.ask(t, "POST", "/verdicts/"+said.ID+"/remove", "{}"); got.status != http.StatusNotFound {
		t.Errorf("removed twice: %d", got.status)
	}
}
