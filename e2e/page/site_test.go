//go:build browser

package page

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"keepmum/await"
)

// site is a daemon with so many documents.
type site struct {
	t          *testing.T
	home, base string
	docs       int
	port       string   // "" = any free one
	env        []string // besides
}

func (s *site) mum(stdin io.Reader, args ...string) string {
	s.t.Helper()
	cmd := exec.Command(program(s.t), args...)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(s.home), "MUM_HOME=" + s.home,
		"MUM_DAEMON__PORT=" + cmp.Or(s.port, "0"), "MUM_COMPRESS__PROVIDER=off", "MUM_CAPTURE__GIT=off",
		"MUM_SYNC__SETTLE=1ms", "MUM_SYNC__ENABLED=false"}, s.env...)
	cmd.Stdin = stdin
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("mum %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func program(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(os.Getenv("MUM_BIN"))
	if err != nil || os.Getenv("MUM_BIN") == "" {
		t.Skip("make test-page runs this")
	}
	return path
}

// emptySite is a home with nothing in it, and no daemon yet.
func emptySite(t *testing.T) *site {
	return &site{t: t, home: filepath.Join(t.TempDir(), "data")}
}

func newSite(t *testing.T, docs int) *site {
	s := emptySite(t)
	s.docs = docs
	if docs > 0 {
		s.transcripts()
	}
	s.up()
	if docs > 0 {
		s.live()
		s.failures()
		s.knowledge()
		s.mum(nil, "sync", "--window", "all")
		s.told()
	}
	if docs > 10 {
		r, w := io.Pipe()
		go func() { w.CloseWithError(history(w, docs)) }()
		s.mum(r, "import", "-")
	}
	return s
}

func (s *site) up() {
	s.t.Helper()
	s.mum(nil, "up")
	s.t.Cleanup(func() {
		s.mum(nil, "down")
		if !s.t.Failed() {
			return
		}
		if text, err := os.ReadFile(filepath.Join(s.home, "logs", "mum.jsonl")); err == nil {
			s.t.Logf("the daemon said: %s", text[max(0, len(text)-4000):])
		}
	})
}

// hook sends what a hook of Claude Code sends.
func (s *site) hook(session string, event map[string]any) {
	s.t.Helper()
	event["cwd"], event["session_id"] = "/home/dev/shop", session
	body, err := json.Marshal(event)
	if err != nil {
		s.t.Fatal(err)
	}
	s.mum(strings.NewReader(string(body)), "hook", "claude")
}

func (s *site) prompt(session, text string) {
	s.t.Helper()
	s.hook(session, map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": text})
}

func (s *site) ran(session, tool string, input, output map[string]any) {
	s.t.Helper()
	s.hook(session, map[string]any{"hook_event_name": "PostToolUse", "tool_name": tool, "tool_input": input,
		"tool_response": output})
}

// live sends what an agent's hooks send: a session with a secret, a denied path and an edit,
// and one with a hostile prompt.
func (s *site) live() {
	const one = "demo-session"
	s.hook(one, map[string]any{"hook_event_name": "SessionStart", "source": "startup"})
	s.prompt(one, "Why does the deploy to staging fail? The token is ghp_u8aB3dE5fG7hJ9kL1mN2pQ4rS6tV8wX0yZaB")
	s.prompt("stranger", "<script>document.title='taken'</script> [x](javascript:alert(1)) \u202egnp.exe and a long line "+
		strings.Repeat("x", 200_000))
	for _, command := range []string{"sh deploy.sh staging", "make migrate", "npm test"} {
		s.ran(one, "Bash", map[string]any{"command": command}, map[string]any{"stdout": "ok: " + command})
	}
	s.ran(one, "Read", map[string]any{"file_path": "/home/dev/shop/.env"}, map[string]any{"content": "X=1"})
	s.ran(one, "Edit", map[string]any{"file_path": "/home/dev/shop/src/price.js",
		"old_string": "export function withTax(a, rate) {\n  return a * rate\n}",
		"new_string": "export function withTax(a, rate) {\n  return Math.round(a * rate)\n}"},
		map[string]any{"filePath": "/home/dev/shop/src/price.js"})
	s.hook(one, map[string]any{"hook_event_name": "Stop",
		"last_assistant_message": "Migration 0042 was not applied on staging; it is now, and the deploy went through."})
}

// failures are two sessions that meet the same failure and fix it in the same way.
func (s *site) failures() {
	for _, session := range []string{"till", "cart"} {
		s.hook(session, map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": "Run the tests of the " + session})
		s.fails(session)
		for _, command := range []string{"npm install", "npm test"} {
			s.ran(session, "Bash", map[string]any{"command": command}, map[string]any{"stdout": "done", "stderr": ""})
		}
	}
}

func (s *site) fails(session string) {
	s.hook(session, map[string]any{"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_use_id": session,
		"tool_input": map[string]any{"command": "npm test"},
		"error":      "Exit code 1\nError: Cannot find module 'dayjs'\nRequire stack:\n- /home/dev/shop/" + session + ".js"})
}

// told is a session that is told of the past at its start, and of the failure that it meets.
func (s *site) told() {
	s.hook("later", map[string]any{"hook_event_name": "SessionStart", "source": "startup"})
	s.prompt("later", "Do the refunds go through the provider, and are prices integer cents?")
	s.mum(nil, "gotchas", "--all") // reads the sessions now
	s.fails("later")
	s.prompt("demo-session", "Now the same on production: DB_PASSWORD=hunter2hunter2")
}

// knowledge are memories with a key and a history, with links between them, and as alike as
// someone's doubt.
func (s *site) knowledge() {
	add := func(args ...string) {
		s.mum(nil, append([]string{"memory", "add", "--project", "shop"}, args...)...)
	}
	add("Payments use Stripe", "--key", "payments/provider", "--from", "2026-01-10")
	add("Payments use Adyen", "--key", "payments/provider", "--from", "2026-03-05")
	add("Refunds go through the provider", "--key", "payments/refunds")
	add("Write the receipts in blue, always", "--body",
		"Write the receipts in blue in this shop, always: black is for copies.")
	add("Prices are integer cents, never floats", "--key", "payments/amounts", "--body",
		"Rounding lost money twice: withTax rounds once, and nothing else does arithmetic on prices.")
	for _, to := range []string{"payments-use-adyen", "refunds-go-through-the-provider"} {
		s.mum(nil, "memory", "link", "prices-are-integer-cents-never-floats", "see", to, "--project", "shop")
	}
	s.mum(nil, "memory", "link", "refunds-go-through-the-provider", "depends_on", "payments-use-adyen",
		"--project", "shop")
}

// transcripts are sessions in Claude Code's own files: a rule, and something that may be one.
func (s *site) transcripts() {
	dir := filepath.Join(filepath.Dir(s.home), ".claude", "projects", "-home-dev-shop")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		s.t.Fatal(err)
	}
	for i, said := range []string{
		"From now on always count money in integer cents, because floats lost a cent on every third invoice.",
		"Please never write the receipts in blue.",
	} {
		id := fmt.Sprintf("5e551011-0000-4000-8000-00000000000%d", i+1)
		var text strings.Builder
		for _, line := range []map[string]any{
			{"type": "user", "message": map[string]any{"role": "user", "content": said}},
			{"type": "assistant", "message": map[string]any{"role": "assistant", "id": "m1",
				"content": []map[string]any{{"type": "text", "text": "Understood."}}}},
		} {
			line["sessionId"], line["cwd"], line["timestamp"] = id, "/home/dev/shop", "2026-03-01T10:00:00Z"
			body, err := json.Marshal(line)
			if err != nil {
				s.t.Fatal(err)
			}
			text.Write(append(body, '\n'))
		}
		if err := os.WriteFile(filepath.Join(dir, id+".jsonl"), []byte(text.String()), 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
}

// history is an export of made-up sessions.
func history(w io.Writer, docs int) error {
	words := strings.Fields("deploy staging migration cart price rounding cents token rate limit retry queue worker " +
		"cache index search branch merge release flaky test timeout parser upload invoice currency login session cookie " +
		"header proxy")
	enc := json.NewEncoder(w)
	begin := time.Now().Add(-80 * 24 * time.Hour)
	for i := range docs {
		session := fmt.Sprintf("made-%05d", i/40)
		at := begin.Add(time.Duration(i) * 80 * 24 * time.Hour / time.Duration(docs+1))
		text := ""
		for j := range 12 {
			text += words[(i*7+j*(i%11+3))%len(words)] + " "
		}
		doc := map[string]any{"kind": "observation", "tool": "Bash", "title": "Bash " + text[:20],
			"input": map[string]any{"command": text}, "output": "ok " + text}
		if i%8 == 0 {
			doc = map[string]any{"kind": "prompt", "role": "user", "text": "please " + text}
		}
		doc["agent"], doc["session"], doc["project"], doc["at"] = "claude", session, "shop", at
		if err := enc.Encode(doc); err != nil {
			return err
		}
	}
	return nil
}

// address is one that opens the page once.
func (s *site) address() string {
	var code struct{ URL string }
	if err := json.Unmarshal([]byte(s.mum(nil, "open", "--json")), &code); err != nil {
		s.t.Fatal(err)
	}
	return code.URL
}

// inBrowser is the address that `mum open` hands to the browser which the user named.
func (s *site) inBrowser() string {
	s.t.Helper()
	dir := s.t.TempDir()
	program, opened := filepath.Join(dir, "browser"), filepath.Join(dir, "opened")
	script := "#!/bin/sh\nprintf %s \"$1\" >" + opened + ".part && mv " + opened + ".part " + opened + "\n"
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		s.t.Fatal(err)
	}
	env := s.env
	s.env = append(slices.Clone(env), "BROWSER="+program)
	said := s.mum(nil, "open")
	s.env = env
	var address []byte
	await.True(s.t, "the browser", func() (ok bool) {
		var err error
		address, err = os.ReadFile(opened)
		return err == nil
	})
	if !strings.HasPrefix(said, string(address)+"\n") {
		s.t.Errorf("printed %q, opened %q", said, address)
	}
	return string(address)
}

// path is where a room of this site lies: the numbers of a memory and a session are not known before.
func (s *site) path(room string) string {
	switch room {
	case "memory":
		return s.first("memory/", "memory", "search", "refunds provider", "--all", "--json")
	case "edit":
		return s.first("entry/", "search", "price", "--tool", "Edit", "--all", "--json")
	}
	return room
}

// first is the number of the first thing of a list, behind where it is shown; "" = there is none.
func (s *site) first(before string, args ...string) string {
	s.t.Helper()
	var list struct {
		Memories []struct{ Entry int64 }
		Results  []struct{ ID int64 }
	}
	if err := json.Unmarshal([]byte(s.mum(nil, args...)), &list); err != nil {
		s.t.Fatal(err)
	}
	switch {
	case len(list.Memories) > 0:
		return before + strconv.FormatInt(list.Memories[0].Entry, 10)
	case len(list.Results) > 0:
		return before + strconv.FormatInt(list.Results[0].ID, 10)
	}
	return ""
}

// forwarded hands connections to another port on to a daemon, as ssh -L does.
func forwarded(t *testing.T, address string) string {
	t.Helper()
	to, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to.Host)
			if err != nil {
				_ = near.Close()
				continue
			}
			t.Cleanup(func() { _, _ = near.Close(), far.Close() })
			go func() { _, _ = io.Copy(far, near) }()
			go func() { _, _ = io.Copy(near, far) }()
		}
	}()
	return l.Addr().String()
}
