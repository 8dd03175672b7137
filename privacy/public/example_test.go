package public

import (
	"encoding/base64"
	"testing"
)

func TestLoginsOfDocumentationAreTold(t *testing.T) {
	for login, want := range map[string]bool{"user:password": true, "ann:ann": true, "user:${PASS}": true,
		"user:xxxxxxx": true, "ann:V1olet.Rhino!77": false, "ann:": false} {
		if got := ExampleBasic(base64.StdEncoding.EncodeToString([]byte(login))); got != want {
			t.Errorf("%s: %v", login, got)
		}
	}
	if ExampleBasic("no base64!") {
		t.Error("what is no base64 is an example")
	}
}
