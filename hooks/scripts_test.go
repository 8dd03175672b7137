package hooks

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"keepmum/await"

	"keepmum/budget"
)

// listener stands where the daemon stands and notes what arrives.
type listener struct {
	mu     sync.Mutex
	bodies []string
	reply  func(body string) string
}

func (l *listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Header.Get("Authorization") != "Bearer t0ken" || r.Host != "localhost" {
		http.Error(w, "no", http.StatusUnauthorized)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bodies = append(l.bodies, r.URL.Path+" "+string(body))
	if l.reply != nil {
		_, _ = io.WriteString(w, l.reply(string(body)))
	}
}

func (l *listener) took() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bodies
}

// installation is a data directory with the scripts in it and a stand-in for
// the mum binary that notes its arguments and its stdin.
func installation(t *testing.T) Place {
	t.Helper()
	home, err := os.MkdirTemp("", "it's mum") // a quote and a space; short, for the socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	p := Place{Home: home, Bin: filepath.Join(home, "mum")}
	write(t, p.Bin, "#!/bin/sh\nprintf '%s|%s|%s\\n' \"$MUM_HOME\" \"$*\" \"$(cat)\" >>\"$MUM_HOME/log\"\n"+
		"echo spooled\necho noise >&2\n", 0o755)
	write(t, filepath.Join(home, "token"), "t0ken\n", 0o600)
	write(t, filepath.Join(home, "curl.header"), "Authorization: Bearer t0ken\n", 0o600)
	write(t, filepath.Join(home, "mum-hook.sh"), unhurried(t, string(p.HookScript())), 0o755)
	write(t, filepath.Join(home, "plugin.mjs"), string(p.OpenCodePlugin()), 0o644)
	return p
}

// unhurried gives the script's curl the time that a busy machine needs.
func unhurried(t *testing.T, script string) string {
	t.Helper()
	const second = "--max-time 1 "
	if strings.Count(script, second) != 1 {
		t.Fatalf("the script holds %q other than once", second)
	}
	return strings.Replace(script, second, "--max-time 60 ", 1)
}

func write(t *testing.T, file, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func listen(t *testing.T, p Place, l *listener) *httptest.Server {
	t.Helper()
	socket, err := net.Listen("unix", filepath.Join(p.Home, "mum.sock"))
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(l)
	_ = s.Listener.Close()
	s.Listener = socket
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// run runs a command without the environment of the test, and fails it on
// anything but exit status 0 and a silent stderr.
func run(t *testing.T, stdin string, env []string, name string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), budget.Env + "=30"}, env...)
	var out, talk bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &talk
	if err := cmd.Run(); err != nil || talk.Len() > 0 {
		t.Fatalf("%s: %v: %s", name, err, &talk)
	}
	return out.String()
}

func TestTheScriptStreamsToTheDaemonAndPrintsItsAnswer(t *testing.T) {
	p := installation(t)
	l := &listener{reply: func(string) string { return `{"ok":true}` }}
	listen(t, p, l)
	payload := `{"prompt":"` + strings.Repeat("long ", 50_000) + `"}`
	proxy := "http_proxy=http://127.0.0.1:9"
	if got := run(t, payload, []string{proxy}, "sh", filepath.Join(p.Home, "mum-hook.sh"), Claude); got != `{"ok":true}` {
		t.Errorf("printed %q", got)
	}
	if diff := cmp.Diff([]string{"/hooks/claude " + payload}, l.took()); diff != "" {
		t.Error(diff)
	}
}

// A program that cannot even begin (no memory, no more processes) must not fail the agent's hook: Claude Code blocks a
// prompt whose hook ends with status 2.
func TestTheScriptIsSilentIfTheBinaryCannotRun(t *testing.T) {
	for _, end := range []string{"exit 2", "kill -ABRT $$"} {
		p := installation(t)
		write(t, p.Bin, "#!/bin/sh\necho 'fatal error: out of memory' >&2\n"+end+"\n", 0o755)
		if got := run(t, "{}", nil, "sh", filepath.Join(p.Home, "mum-hook.sh"), Claude); got != "" {
			t.Errorf("%s: printed %q", end, got)
		}
	}
}

func TestWithoutADaemonTheWholePayloadGoesToTheBinary(t *testing.T) {
	payload := `{"prompt":"` + strings.Repeat("long ", 50_000) + `"}`
	for _, state := range []string{"no socket", "stale socket", "no curl", "no header"} {
		t.Run(state, func(t *testing.T) {
			p := installation(t)
			env := []string{}
			switch state {
			case "stale socket":
				s := listen(t, p, &listener{})
				s.Listener.(*net.UnixListener).SetUnlinkOnClose(false)
				s.Close()
			case "no curl":
				listen(t, p, &listener{})
				env = append(env, "PATH=/nowhere:"+pathWithout(t, "cat", "sh"))
			case "no header":
				listen(t, p, &listener{})
				_ = os.Remove(filepath.Join(p.Home, "curl.header"))
			}
			if got := run(t, payload, env, "sh", filepath.Join(p.Home, "mum-hook.sh"), Codex); got != "spooled\n" {
				t.Errorf("printed %q", got)
			}
			log, _ := os.ReadFile(filepath.Join(p.Home, "log"))
			if want := p.Home + "|hook codex|" + payload + "\n"; string(log) != want {
				t.Errorf("the binary got %.120q", log)
			}
		})
	}
}

// pathWithout returns a directory that holds nothing but the named programs.
func pathWithout(t *testing.T, programs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range programs {
		from, err := exec.LookPath(name)
		if err != nil {
			t.Skip(err)
		}
		if err := os.Symlink(from, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTheScriptIsSilentWhateverIsMissing(t *testing.T) {
	p := installation(t)
	script := filepath.Join(p.Home, "mum-hook.sh")
	if got := run(t, "{}", []string{"MUM_HOOK=off"}, "sh", script, Claude); got != "" {
		t.Errorf("off: printed %q", got)
	}
	if err := os.Remove(p.Bin); err != nil {
		t.Fatal(err)
	}
	if got := run(t, "{}", []string{"PATH=" + pathWithout(t)}, "sh", script, Claude); got != "" {
		t.Errorf("no binary: printed %q", got)
	}
	if _, err := os.Stat(filepath.Join(p.Home, "log")); err == nil {
		t.Error("the binary ran")
	}
}

func TestARefusalOfTheDaemonIsSilent(t *testing.T) {
	p := installation(t)
	listen(t, p, &listener{})
	write(t, filepath.Join(p.Home, "curl.header"), "Authorization: Bearer old\n", 0o600)
	if got := run(t, "{}", nil, "sh", filepath.Join(p.Home, "mum-hook.sh"), Claude); got != "" {
		t.Errorf("printed %q", got)
	}
}

// session drives the plugin as OpenCode does: a session with a tool call, a
// failure, a subagent and a compaction. It prints what the model would see.
const session = `
import { Mum } from %q
const h = await Mum({ directory: "/home/dev/inn" })
const event = (type, properties) => h.event({ event: { id: "e", type, properties } })
const created = (id, more) =>
  event("session.created", { sessionID: id, info: { id, directory: "/home/dev/inn", ...more } })
const say = (s, m, text) => h["experimental.text.complete"]({ sessionID: s, messageID: m, partID: "p" }, { text })
const tool = (s, id) => h["tool.execute.after"]({ tool: "bash", sessionID: s, callID: id, args: { command: "ls" } },
  { title: "ls", output: "mail.go\n", metadata: { output: "mail.go\n", exit: 0 } })
await created("ses_1", {})
const parts = [{ id: "prt_1", type: "text", text: "Fix the mail" }]
await h["chat.message"]({ sessionID: "ses_1" }, { message: { id: "msg_1", role: "user" }, parts })
const title = ["You are a title generator."], system = ["You are a coder."]
await h["experimental.chat.system.transform"]({ sessionID: "ses_1" }, { system: title })
await h["experimental.chat.system.transform"]({ sessionID: "ses_1" }, { system })
await tool("ses_1", "call_1")
await event("message.part.updated", { part: { type: "tool", tool: "edit", callID: "call_2", sessionID: "ses_1",
  state: { status: "error", input: { filePath: "a" }, error: "no", time: { start: 1, end: 5 } } } })
await created("ses_2", { parentID: "ses_1", agent: "general" })
await h["chat.message"]({ sessionID: "ses_2" },
  { message: { id: "msg_2" }, parts: [{ id: "prt_2", type: "text", text: "Count" }] })
await tool("ses_2", "call_3")
await say("ses_2", "msg_3", "One.")
await event("session.idle", { sessionID: "ses_2" })
await say("ses_1", "msg_4", "Looking.")
await say("ses_1", "msg_5", "Done.")
await event("session.idle", { sessionID: "ses_1" })
await event("session.idle", { sessionID: "ses_1" })
await event("message.updated", { info: { id: "msg_6", role: "assistant", summary: true } })
await say("ses_1", "msg_6", "Mail fixed.")
await event("session.compacted", { sessionID: "ses_1" })
await h["chat.message"]({ sessionID: "ses_9" },
  { message: { id: "msg_7" }, parts: [{ id: "prt_7", type: "text", text: "Go on" }] })
for (const hook of Object.values(h)) await hook(undefined, undefined) // must not throw
console.log(JSON.stringify({ parts, title, system }))
`

const sessionEvents = `session_start ses_1
prompt ses_1 msg_1 Fix the mail
observation ses_1 call_1
observation ses_1 call_2 failed
subagent ses_1/ses_2 ses_2/start
ignored
observation ses_1/ses_2 call_3
subagent ses_1/ses_2 msg_3 One.
answer ses_1 msg_5 Done.
compaction ses_1 msg_6 Mail fixed.
session_start ses_9
prompt ses_9 msg_7 Go on
`

func TestThePluginTellsOneSessionAndShowsTheContext(t *testing.T) {
	p := installation(t)
	l := &listener{reply: func(body string) string {
		events, err := Decode(OpenCode, []byte(body))
		if err != nil {
			return ""
		}
		return string(Reply(OpenCode, events[0], "context of "+string(events[0].Kind)))
	}}
	listen(t, p, l)
	driver := filepath.Join(p.Home, "driver.mjs")
	write(t, driver, fmt.Sprintf(session, filepath.Join(p.Home, "plugin.mjs")), 0o600)
	got := run(t, "", []string{"HTTP_PROXY=http://127.0.0.1:9"}, "node", driver)
	want := `{"parts":[{"id":"prt_1","type":"text","text":"Fix the mail"},` +
		`{"id":"prt_1m","type":"text","text":"context of prompt","synthetic":true}],` +
		`"title":["You are a title generator."],"system":["You are a coder.","context of session_start"]}` + "\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(sessionEvents, describe(t, l.took())); diff != "" {
		t.Error(diff)
	}
}

// What comes after the plugin stopped waiting is told with the next message: the daemon has recorded that it was told.
func TestThePluginTellsLaterWhatCameTooLate(t *testing.T) {
	p := installation(t)
	release := filepath.Join(p.Home, "release")
	l := &listener{reply: func(body string) string {
		events, err := Decode(OpenCode, []byte(body))
		if err != nil || events[0].Kind != SessionStart {
			return ""
		}
		if events[0].Until.IsZero() {
			t.Error("the daemon does not learn how long the plugin waits")
		}
		await.True(t, "the model's first request", func() bool { _, err := os.Stat(release); return err == nil })
		return string(Reply(OpenCode, events[0], "context of the start"))
	}}
	listen(t, p, l)
	driver := filepath.Join(p.Home, "driver.mjs")
	write(t, driver, fmt.Sprintf(`
import fs from "node:fs"
import { Mum } from %q
const h = await Mum({ directory: "/home/dev/inn" })
const properties = { sessionID: "ses_1", info: { id: "ses_1" } }
await h.event({ event: { id: "e", type: "session.created", properties } })
const system = []
await h["experimental.chat.system.transform"]({ sessionID: "ses_1" }, { system })
fs.writeFileSync(%q, "")
const told = []
for (let i = 0; i < 100 && told.length < 1; i++) {
  const parts = [{ id: "prt_" + i, type: "text", text: "Fix the mail" }]
  await h["chat.message"]({ sessionID: "ses_1" }, { message: { id: "msg_" + i }, parts })
  told.push(...parts.slice(1).map((p) => p.text))
}
console.log(JSON.stringify({ system, told }))
`, filepath.Join(p.Home, "plugin.mjs"), release), 0o600)
	if got := run(t, "", nil, "node", driver); got != `{"system":[],"told":["context of the start"]}`+"\n" {
		t.Error(got)
	}
}

func TestThePluginLosesNothingWithoutADaemon(t *testing.T) {
	p := installation(t)
	driver := filepath.Join(p.Home, "driver.mjs")
	// The session ends at once: what is still waiting is handed over at exit.
	write(t, driver, fmt.Sprintf(session+"process.exit(0)\n", filepath.Join(p.Home, "plugin.mjs")), 0o600)
	run(t, "", nil, "node", driver)
	log, err := os.ReadFile(filepath.Join(p.Home, "log"))
	if err != nil {
		t.Fatal(err)
	}
	var bodies []string
	for line := range strings.Lines(string(log)) {
		body, _ := strings.CutPrefix(strings.TrimSpace(line), p.Home+"|hook opencode|")
		bodies = append(bodies, "/hooks/opencode "+body)
	}
	got := describe(t, bodies)
	for line := range strings.Lines(sessionEvents) {
		if !strings.Contains(got, line) {
			t.Errorf("lost: %s", line)
		}
	}
}

// The port that a crashed daemon left in its file can be anyone's.
func TestThePluginSendsNothingToThePort(t *testing.T) {
	p := installation(t)
	l := &listener{reply: func(string) string { return "" }}
	stranger := httptest.NewServer(l)
	defer stranger.Close()
	_, port, err := net.SplitHostPort(stranger.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(p.Home, "port"), port+"\n", 0o600)
	driver := filepath.Join(p.Home, "driver.mjs")
	write(t, driver, fmt.Sprintf(session, filepath.Join(p.Home, "plugin.mjs")), 0o600)
	run(t, "", nil, "node", driver)
	if got := l.took(); len(got) > 0 {
		t.Errorf("the stranger received %q", got)
	}
}

func describe(t *testing.T, bodies []string) string {
	t.Helper()
	var b strings.Builder
	for _, body := range bodies {
		events, err := Decode(OpenCode, []byte(strings.TrimPrefix(body, "/hooks/opencode ")))
		if err != nil {
			t.Fatalf("%v in %s", err, body)
		}
		for _, e := range events {
			words := []string{string(e.Kind), e.Session}
			if e.Kind == Ignored {
				words = words[:1]
			} else if e.Subagent != "" {
				words[1] += "/" + e.Subagent
			}
			if e.Kind != Ignored {
				words = append(words, e.CallID, e.Text)
			}
			if e.Failed {
				words = append(words, "failed")
			}
			fmt.Fprintln(&b, strings.Join(strings.Fields(strings.Join(words, " ")), " "))
		}
	}
	return b.String()
}
