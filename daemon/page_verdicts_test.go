package daemon

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"keepmum/api"
)

// What the user says on the page counts from then on, and no answer and no file has the value.
func TestVerdictsAreSaidOnThePage(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	const value, token = "Tulpe77feld!", "ghp_u8aB3dE5fG7hJ9kL1mN2pQ4rS6tV8wX0yZaB"
	kept := func(session, text string) string {
		t.Helper()
		into[api.Prompted](t, r.ask(t, "POST", "/prompt",
			fmt.Sprintf(`{"session_id":%q,"project":"shop","text":%q}`, session, text)))
		return into[api.Feed](t, r.ask(t, "GET", "/feed?limit=1", "")).Events[0].Text
	}
	says := func(path string, fields url.Values, want string) {
		t.Helper()
		fields.Set("back", "privacy")
		got := l.send(path, fields)
		if !strings.Contains(got.body, want) {
			t.Errorf("%s: %d: no %q in %s", path, got.status, want, mainOf(got.body))
		}
		if strings.Contains(got.body, value) {
			t.Errorf("%s: the answer has the value", path)
		}
	}
	if text := kept("a", "db_password="+value+" and "+token); strings.Contains(text, value) {
		t.Fatalf("kept %q", text)
	}

	// of what was removed: by its number, as its value is gone
	body := l.sees("entry/1", "What was removed from it", ">certain<", "password#")
	rows := regexp.MustCompile(`name="redaction" value="(\d+)"`).FindAllStringSubmatch(body, -1)
	if len(rows) != 1 {
		t.Fatalf("%d of two redactions may be wrong: %s", len(rows), body)
	}
	says("verdict", url.Values{"redaction": {rows[0][1]}}, "the value is gone")
	l.sees("privacy", "no, you said", "<code>password#")
	if text := kept("b", "db_password="+value+" and "+token); !strings.Contains(text, value) ||
		strings.Contains(text, token) {
		t.Errorf("kept %q", text)
	}
	said := into[api.Verdicts](t, r.ask(t, "GET", "/verdicts", "")).Verdicts
	if len(said) != 1 || said[0].Shape != "" || !strings.HasPrefix(said[0].Of, "password#") {
		t.Fatalf("said %+v", said)
	}
	for _, id := range []string{"1x", "999", ""} {
		if got := l.send("verdict", url.Values{"redaction": {id}}); got.status < 400 {
			t.Errorf("redaction %q: %d", id, got.status)
		}
	}
	says("verdict/"+said[0].ID+"/remove", url.Values{}, "Undone")
	if text := kept("c", "db_password="+value); strings.Contains(text, value) {
		t.Errorf("taken back, and kept: %q", text)
	}

	// of a value that is typed
	says("verdict", url.Values{"value": {value}, "say": {"public"}}, "Marked as not a secret")
	says("verdict", url.Values{"value": {"lantern"}, "say": {"secret"}}, "Marked as a secret")
	if text := kept("d", "db_password="+value+" is at the lantern"); !strings.Contains(text, value) ||
		strings.Contains(text, "lantern") {
		t.Errorf("kept %q", text)
	}
	l.sees("privacy", "yes, you said", "Aa0a-")
	for _, v := range []string{token, "", "abc"} {
		say := "public"
		if v == "abc" {
			say = "secret" // it would be found in words
		}
		if got := l.send("verdict", url.Values{"value": {v}, "say": {say}}); got.status < 400 ||
			strings.Contains(got.body, token) {
			t.Errorf("%q: %d", v, got.status)
		}
	}
	raw := []byte("lantern")
	for _, form := range []string{"lantern", hex.EncodeToString(raw), base64.StdEncoding.EncodeToString(raw)} {
		if r.holds(t, form) {
			t.Errorf("the data directory holds %q", form)
		}
	}
	file, err := os.ReadFile(filepath.Join(string(r.d.o.Home), "verdicts.json")) // elsewhere it is kept by now
	if err != nil || strings.Contains(string(file), value) {
		t.Errorf("the verdicts hold the value: %v", err)
	}
}

// A piece of a text that was tried is named by its place, in the text that the box still has.
func TestVerdictsOnATextThatWasTried(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	const text = "\nthe db_password=Tulpe77feld! of ghp_u8aB3dE5fG7hJ9kL1mN2pQ4rS6tV8wX0yZaB\r\nand more"
	got := l.send("try", url.Values{"text": {text}, "back": {"privacy"}})
	places := regexp.MustCompile(`name="public" value="(\d+-\d+)"`).FindAllStringSubmatch(got.body, -1)
	if len(places) != 1 || !strings.Contains(got.body, "; certain") {
		t.Fatalf("%d: %v: %s", got.status, places, got.body)
	}
	if !strings.Contains(got.body, `name="back" value="privacy"`) ||
		strings.Contains(got.body, `name="back" value="try"`) {
		t.Error("a form of that answer leads back to no room")
	}
	at := places[0][1]
	if got := l.send("verdict", url.Values{"public": {at}, "text": {"another text"}}); got.status != 409 {
		t.Errorf("a text that was changed: %d", got.status)
	}
	got = l.send("verdict", url.Values{"public": {at}, "text": {text}, "back": {"privacy"}})
	if !strings.Contains(got.body, "not a secret: it is kept from now on") || strings.Contains(got.body, "Tulpe77") {
		t.Errorf("%d: %s", got.status, mainOf(got.body))
	}
	if r.holds(t, "Tulpe77feld!") {
		t.Error("the data directory holds the value")
	}
	got = l.send("try", url.Values{"text": {text}, "back": {"privacy"}})
	if !strings.Contains(got.body, "db_password=Tulpe77feld! of") {
		t.Errorf("it still goes: %s", got.body)
	}
}

// While nobody knows what was said, the room says so and shows the rest.
func TestVerdictsThatCannotBeReadAreSaidOnThePage(t *testing.T) {
	dir := t.TempDir()
	r := startRig(t, dir)
	l := openPage(t, r)
	if err := os.WriteFile(filepath.Join(string(r.d.o.Home), "verdicts.json"), []byte("[{"), 0o600); err != nil {
		t.Fatal(err)
	}
	l.sees("privacy", "texts are withheld as a whole", "What left this machine", "Try a text")
}
