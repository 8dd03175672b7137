package main

import (
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"keepmum/capture"
	"keepmum/config"
	"keepmum/home"
	"keepmum/longtest"
	"keepmum/privacy/verdict"
)

// inSpool returns what a hook without a daemon leaves in the spool of a prompt in session h.
func inSpool(t *testing.T, dir home.Dir, prompt string) string {
	t.Helper()
	if err := os.RemoveAll(dir.Spool()); err != nil {
		t.Fatal(err)
	}
	h := newDelivery(dir, "claude", "k")
	h.o.Config = config.Default()
	h.decode([]byte(`{"hook_event_name":"UserPromptSubmit","session_id":"h","cwd":"/home/dev/shop","prompt":"` +
		prompt + `"}`))
	h.ready.Store(true)
	h.run(func() { h.spoolWhole(t.Context()) })
	_, text := spooled(t, dir)
	return text
}

func makePrivate(t *testing.T, dir home.Dir, session string) {
	t.Helper()
	keys, err := home.Prepare(dir)
	if err != nil {
		t.Fatal(err)
	}
	in, err := capture.NewIntake(capture.Options{Home: string(dir), Config: config.Default(), Key: keys.HMAC})
	if err != nil {
		t.Fatal(err)
	}
	if err := in.MakePrivate("claude", session); err != nil {
		t.Fatal(err)
	}
}

// The key of older verdicts is not that of private sessions.
func TestAPrivateSessionStaysPrivateAfterANewKey(t *testing.T) {
	dir := home.Dir(filepath.Join(t.TempDir(), "data"))
	keys, err := home.Prepare(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := verdict.Open(dir.Verdicts(), keys.HMAC).Say("Plain Blue Word", true); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir.HMACKey(), dir.HMACKey()+".replaced"); err != nil {
		t.Fatal(err)
	}
	makePrivate(t, dir, "h")
	if text := inSpool(t, dir, "what nobody may read"); text != "" {
		t.Errorf("the spool contains %s", text)
	}
	if err := os.Remove(dir.Private()); err != nil {
		t.Fatal(err)
	}
	if text := inSpool(t, dir, "narwhal, Plain Blue Word"); !strings.Contains(text, "narwhal") ||
		strings.Contains(text, "Plain Blue") {
		t.Errorf("the spool contains %s", text)
	}
}

// With a key that is not the right one, a private session is recognised by a saved one, or nothing is told of any.
func TestAPrivateSessionStaysPrivateWithALostKey(t *testing.T) {
	data := upWith(t, "make walrus")
	must(t, data, "down")
	dir := home.Dir(data)
	makePrivate(t, dir, "h")
	keys, err := home.Prepare(dir)
	if err != nil {
		t.Fatal(err)
	}
	saved := dir.HMACKey() + ".replaced"
	for name, text := range map[string]string{"another": strings.Repeat("ab", 32), "damaged": "not a key"} {
		right := []byte(hex.EncodeToString(keys.HMAC))
		err := errors.Join(os.WriteFile(saved, right, 0o600), os.WriteFile(dir.HMACKey(), []byte(text), 0o600))
		if err != nil {
			t.Fatal(err)
		}
		if text := inSpool(t, dir, "what nobody may read"); text != "" {
			t.Errorf("%s: the spool contains %s", name, text)
		}
		if err := os.Remove(saved); err != nil {
			t.Fatal(err)
		}
		if text := inSpool(t, dir, "what nobody may read"); strings.Contains(text, "nobody") ||
			!strings.Contains(text, "[WITHHELD:late]") {
			t.Errorf("%s, without a saved key: the spool contains %s", name, text)
		}
	}
}

// A session that is declared private while no key is right stays so when the right one is back.
func TestASessionDeclaredPrivateWithALostKeyStaysPrivate(t *testing.T) {
	data := upWith(t, "make walrus")
	must(t, data, "down")
	dir := home.Dir(data)
	keys, err := home.Prepare(dir)
	if err != nil {
		t.Fatal(err)
	}
	right := []byte(hex.EncodeToString(keys.HMAC))
	for name, text := range map[string]string{"another": strings.Repeat("ab", 32), "damaged": "not a key"} {
		if err := os.WriteFile(dir.HMACKey(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if text := inSpool(t, dir, "#private what nobody may read"); text != "" {
			t.Errorf("%s: the spool contains %s", name, text)
		}
		if err := os.WriteFile(dir.HMACKey(), right, 0o600); err != nil {
			t.Fatal(err)
		}
		if text := inSpool(t, dir, "nor this"); text != "" {
			t.Errorf("%s, with the right key again: the spool contains %s", name, text)
		}
		if err := os.Remove(dir.Private()); err != nil {
			t.Fatal(err)
		}
	}
}

// A verdict that no key reads any more can be removed.
func TestVerdictsOfAnOlderKeyAreRemovedOneByOne(t *testing.T) {
	longtest.Only(t)
	data := upWith(t, "make walrus")
	must(t, data, "down")
	dir := home.Dir(data)
	var ids []string
	for _, value := range []string{"Plain Blue Word", "Plain Green Word"} {
		said, err := verdict.Open(dir.Verdicts(), make([]byte, 32)).Say(value, true)
		if said.ID == "" || len(ids) == 0 && err != nil {
			t.Fatal(err)
		}
		ids = append(ids, said.ID)
	}
	out, _ := mum(data, "doctor").CombinedOutput()
	if !strings.Contains(string(out), "mum redact --verdicts --remove ID") ||
		strings.Contains(string(out), "previous key") {
		t.Errorf("doctor says %s", out)
	}
	for _, id := range ids {
		must(t, data, "redact", "--verdicts", "--remove", id)
	}
	if list := must(t, data, "redact", "--verdicts"); !strings.Contains(list, "no verdicts") {
		t.Errorf("the list is %s", list)
	}
}
