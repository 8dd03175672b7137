package main

import (
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/await"
	"keepmum/home"
	"keepmum/longtest"
)

// observe posts one use of a tool and waits for the answer.
func observe(t *testing.T, dir, text string) error {
	t.Helper()
	o := api.Observe{SessionID: "s", ToolName: "Bash", Directory: "/home/dev/shop",
		ToolInput: map[string]any{"command": text}}
	return api.NewClient(dir, "").Post(t.Context(), "/observe", o, nil)
}

func must(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := combined(dir, args...)
	if err != nil {
		t.Fatalf("mum %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// upWith starts a daemon on a new data directory and stores some events.
func upWith(t *testing.T, texts ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	must(t, dir, "up")
	stopAtEnd(t, dir)
	for _, text := range texts {
		if err := observe(t, dir, text); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func under(t *testing.T, parts ...string) string {
	t.Helper()
	path := filepath.Join(parts...)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func hook(dir, prompt string) *exec.Cmd {
	cmd := mum(dir, "hook", "claude")
	cmd.Stdin = strings.NewReader(
		`{"hook_event_name":"UserPromptSubmit","session_id":"h","cwd":"/home/dev/shop","prompt":"` + prompt + `"}`)
	return cmd
}

func TestWithoutATokenTheHintIsForAUser(t *testing.T) {
	dir := upWith(t, "the narwhal sleeps")
	if err := os.Remove(home.Dir(dir).Token()); err != nil {
		t.Fatal(err)
	}
	out, err := mum(dir, "search", "--all", "narwhal").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "hint: mum doctor --fix") || strings.Contains(string(out), "curl") {
		t.Errorf("%v\n%s", err, out)
	}
	must(t, dir, "doctor", "--fix")
	must(t, dir, "search", "--all", "narwhal")
}

func TestALostKeyIsNamedAndPutBackFromABackup(t *testing.T) {
	dir := upWith(t, "make walrus")
	forget := mum(dir, "forget", "--secret-stdin", "--yes")
	forget.Stdin = strings.NewReader("a text to be forgotten")
	if out, err := forget.CombinedOutput(); err != nil {
		t.Fatalf("forget: %v\n%s", err, out)
	}
	must(t, dir, "backup")
	must(t, dir, "down")
	key := home.Dir(dir).HMACKey()
	was, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Repeat("ab", 32) + "\n"
	tried := []string{}
	for i, c := range [][2]string{{"damaged", "not a key"}, {"another", other}, {"empty", ""}} {
		if !longtest.Every(3, i) {
			continue
		}
		name, text := c[0], c[1]
		tried = append(tried, "without a key, "+name)
		if err := os.WriteFile(key, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := mum(dir, "up").CombinedOutput(); err == nil || !strings.Contains(string(out), "hmac.key") ||
			!strings.Contains(string(out), "mum doctor") {
			t.Errorf("%s: up: %v\n%s", name, err, out)
		}
		if out, err := hook(dir, "an event without a key, "+name).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: hook: %v\n%s", name, err, out)
		}
		if out, err := combined(dir, "doctor"); err == nil || !strings.Contains(out, "FAIL  key") {
			t.Errorf("%s: doctor: %v\n%s", name, err, out)
		}
		if out, err := mum(dir, "doctor", "--new-key").CombinedOutput(); err == nil ||
			!strings.Contains(string(out), "mum doctor --fix") {
			t.Errorf("%s: doctor --new-key: %v\n%s", name, err, out)
		}
		must(t, dir, "doctor", "--fix")
		if now, err := os.ReadFile(key); err != nil || string(now) != string(was) {
			t.Errorf("%s: the key is not back: %v", name, err)
		}
		must(t, dir, "down")
	}
	must(t, dir, "up")
	awaitSpool(t, dir)
	out := must(t, dir, "search", "--all", "event without a key")
	for _, event := range tried {
		if !strings.Contains(out, event) {
			t.Errorf("the event %q was lost:\n%s", event, out)
		}
	}
}

// Values that the user called secret are recognised with the key alone.
func TestALostKeyCostsNoVerdictAndNoText(t *testing.T) {
	dir := upWith(t, "make walrus")
	verdict := mum(dir, "redact", "--is-a-secret", "-")
	verdict.Stdin = strings.NewReader("Plain Blue Word")
	if out, err := verdict.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	must(t, dir, "backup")
	must(t, dir, "down")
	key, saved := home.Dir(dir).HMACKey(), home.Dir(dir).Backups()
	for i, c := range [][2]string{{"another", strings.Repeat("ab", 32) + "\n"}, {"damaged", "not a key"}} {
		if !longtest.Every(2, i) {
			continue
		}
		name, text := c[0], c[1]
		write(t, key, text)
		if out, err := hook(dir, name+" narwhal, Plain Blue Word").CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: hook: %v\n%s", name, err, out)
		}
		if _, text := spooled(t, home.Dir(dir)); !strings.Contains(text, name+" narwhal") ||
			strings.Contains(text, "WITHHELD") || strings.Contains(text, "Plain Blue") {
			t.Errorf("%s: the spool contains %s", name, text)
		}
		if err := os.Rename(saved, saved+".away"); err != nil {
			t.Fatal(err)
		}
		if out, err := hook(dir, "withheld").CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: hook without a key: %v\n%s", name, err, out)
		}
		if _, text := spooled(t, home.Dir(dir)); !strings.Contains(text, "[WITHHELD:verdicts]") {
			t.Errorf("%s: text is in the spool that nothing could clean: %s", name, text)
		}
		out, _ := combined(dir, "doctor")
		if !strings.Contains(out, "put the previous key in "+key) || strings.Contains(out, "mv ") {
			t.Errorf("%s: doctor says\n%s", name, out)
		}
		if err := os.Rename(saved+".away", saved); err != nil {
			t.Fatal(err)
		}
		must(t, dir, "doctor", "--fix")
		must(t, dir, "up")
		awaitSpool(t, dir)
		must(t, dir, "down")
	}
}

func TestAKeyThatIsLostForGoodIsGivenUpOnlyWhenAsked(t *testing.T) {
	dir := upWith(t, "make walrus")
	must(t, dir, "down")
	if err := os.Remove(home.Dir(dir).HMACKey()); err != nil {
		t.Fatal(err)
	}
	out, err := mum(dir, "doctor", "--fix").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "mum doctor --new-key") {
		t.Errorf("%v\n%s", err, out)
	}
	must(t, dir, "doctor", "--new-key")
	must(t, dir, "up")
	if out := must(t, dir, "search", "--all", "walrus"); !strings.Contains(out, "walrus") {
		t.Errorf("not found:\n%s", out)
	}
}

func TestADamagedTokenLosesNoEvent(t *testing.T) {
	dir := upWith(t, "make walrus")
	token := home.Dir(dir).Token()
	if err := os.WriteFile(token, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := hook(dir, "said with a damaged token").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("hook: %v\n%s", err, out)
	}
	out, err := combined(dir, "doctor")
	if err == nil || !strings.Contains(out, "FAIL  token") {
		t.Errorf("doctor: %v, the look found %q\n%s", err, status(t, dir).Integrity, out)
	}
	_ = mum(dir, "doctor", "--fix").Run()
	awaitSpool(t, dir)
	if out := must(t, dir, "search", "--all", "damaged token"); !strings.Contains(out, "said with a damaged") {
		t.Errorf("the event was lost:\n%s", out)
	}
	// Without a daemon too.
	must(t, dir, "down")
	for _, file := range []string{token, home.Dir(dir).CurlHeader()} {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := hook(dir, "said while all was dark").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("hook: %v\n%s", err, out)
	}
	_ = mum(dir, "doctor", "--fix").Run() // a check before the fix may fail
	must(t, dir, "up")
	awaitSpool(t, dir)
	if out := must(t, dir, "search", "--all", "all was dark"); !strings.Contains(out, "said while") {
		t.Errorf("the event was lost:\n%s", out)
	}
}

// A database whose header says that it is read-only accepts no event; health says so.
func TestWritesThatAllFailAreNotWell(t *testing.T) {
	dir := upWith(t, "make walrus")
	must(t, dir, "down")
	f, err := os.OpenFile(home.Dir(dir).Database(), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte{9}, 18); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	must(t, dir, "up")
	for range 3 {
		if err := observe(t, dir, "make penguin"); err == nil {
			t.Error("it was taken")
		}
	}
	var h api.Health
	if err := api.NewClient(dir, "").Get(t.Context(), "/health", nil, &h); err != nil || h.OK {
		t.Errorf("health: %+v, %v", h, err)
	}
	out, err := combined(dir, "doctor")
	if err == nil || !strings.Contains(out, "cannot be written to") {
		t.Errorf("doctor: %v\n%s", err, out)
	}
}

// awaitSpool waits until the daemon has read what hooks left on disk.
func awaitSpool(t *testing.T, dir string) {
	t.Helper()
	await.True(t, "an empty spool", func() bool {
		var s api.Status
		return api.NewClient(dir, "").Get(t.Context(), "/status", nil, &s) == nil && s.Spool == 0
	})
}

// The next start notices an index without positions, and rebuilds it with everything that came since the last backup.
func TestAnEmptiedIndexIsNoticedAndMadeAnew(t *testing.T) {
	dir := upWith(t, "make walrus", "make penguin")
	must(t, dir, "backup")
	if err := observe(t, dir, "make bandicoot"); err != nil {
		t.Fatal(err)
	}
	must(t, dir, "search", "--all", "bandicoot") // a search waits until what came is in the index
	must(t, dir, "down")
	emptyIndex(t, dir)
	must(t, dir, "up")
	out, err := combined(dir, "doctor") // it waits for the first check
	if err == nil || !strings.Contains(out, "FAIL  index") {
		t.Errorf("doctor: %v, the look found %q\n%s", err, status(t, dir).Integrity, out)
	}
	_ = mum(dir, "doctor", "--fix").Run() // it reports what was wrong before
	for _, word := range []string{"walrus", "penguin", "bandicoot"} {
		if out := must(t, dir, "search", "--all", word); !strings.Contains(out, word) {
			t.Errorf("%s is not found:\n%s", word, out)
		}
	}
	must(t, dir, "doctor")
}

// emptyIndex removes the positions of the words from an index.
func emptyIndex(t *testing.T, dir string) {
	t.Helper()
	db, err := sql.Open("sqlite", home.Dir(dir).Database())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`DELETE FROM docs_fts_idx`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}
