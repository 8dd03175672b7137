package daemon

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/transcript"
)

// A session is forgotten by each of its names. An unknown one is an error, unless an agent's own files name it.
func TestASessionIsForgottenByItsNameAndNoOther(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "projects", "-home-dev-shop", "unread-session.jsonl")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := startReading(t, t.TempDir(), transcript.Roots{Claude: root})
	for _, session := range []string{"first-session", "second-session"} {
		r.hook(t, prompt(session, "p1", "make the importer skip empty rows"))
	}
	forget := func(session, agent string) reply {
		return r.ask(t, "POST", "/forget", fmt.Sprintf(`{"session":%q,"agent":%q}`, session, agent))
	}
	for _, nobody := range [][2]string{{"third-session", ""}, {"codex/first-session", ""}, {"first-session", "codex"},
		{"claude/first-session", "codex"}, {"claude/", ""}, {"/", ""}} {
		got := forget(nobody[0], nobody[1])
		if got.code() != api.NotFound || !strings.Contains(got.body, "mum session list") {
			t.Errorf("%v: %d %s", nobody, got.status, got.body)
		}
	}
	for _, session := range []string{"claude/first-session", "second-session"} {
		if got := forget(session, ""); got.status != http.StatusOK || len(into[api.Forgotten](t, got).Documents) != 1 {
			t.Errorf("%s: %d %s", session, got.status, got.body)
		}
	}
	if got := forget("claude/unread-session", ""); into[api.Forgotten](t, got).Transcripts != 1 {
		t.Errorf("unread: %d %s", got.status, got.body)
	}
}
