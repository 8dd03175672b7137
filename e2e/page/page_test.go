//go:build browser

package page

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var rooms = []string{"today", "search?q=deploy", "sessions", "session/1", "entry/1", "memories", "memory", "review", "told", "privacy", "health", "settings", "keys"}

// site is a daemon with so many documents.
type site struct {
	t          *testing.T
	home, base string
	docs       int
}

func (s *site) mum(stdin io.Reader, args ...string) string {
	s.t.Helper()
	cmd := exec.Command(program(s.t), args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(s.home), "MUM_HOME=" + s.home, "MUM_DAEMON__PORT=0", "MUM_COMPRESS__PROVIDER=off", "MUM_CAPTURE__GIT=off"}
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

func newSite(t *testing.T, docs int) *site {
	s := &site{t: t, home: filepath.Join(t.TempDir(), "data"), docs: docs}
	s.mum(nil, "up")
	t.Cleanup(func() { s.mum(nil, "down") })
	if docs > 0 {
		s.live()
	}
	if docs > 10 {
		r, w := io.Pipe()
		go func() { w.CloseWithError(history(w, docs)) }()
		s.mum(r, "import", "-")
	}
	return s
}

// live sends what an agent's hooks send: one session with a secret, a denied path and a failure.
func (s *site) live() {
	hook := func(event map[string]any) {
		if event["cwd"] = "/home/dev/shop"; event["session_id"] == nil {
			event["session_id"] = "demo-session"
		}
		body, _ := json.Marshal(event)
		s.mum(strings.NewReader(string(body)), "hook", "claude")
	}
	hook(map[string]any{"hook_event_name": "SessionStart", "source": "startup"})
	hook(map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": "Why does the deploy to staging fail? The token is ghp_u8aB3dE5fG7hJ9kL1mN2pQ4rS6tV8wX0yZaB"})
	hook(map[string]any{"hook_event_name": "UserPromptSubmit", "session_id": "stranger", "prompt": "<script>document.title='taken'</script> [x](javascript:alert(1)) \u202egnp.exe and a long line " + strings.Repeat("x", 200_000)})
	for _, command := range []string{"sh deploy.sh staging", "make migrate", "npm test"} {
		hook(map[string]any{"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": map[string]any{"command": command}, "tool_response": map[string]any{"stdout": "ok: " + command}})
	}
	hook(map[string]any{"hook_event_name": "PostToolUse", "tool_name": "Read", "tool_input": map[string]any{"file_path": "/home/dev/shop/.env"}, "tool_response": map[string]any{"content": "X=1"}})
	hook(map[string]any{"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": map[string]any{"file_path": "/home/dev/shop/src/price.js", "old_string": "a * rate", "new_string": "Math.round(a * rate)"}, "tool_response": map[string]any{"filePath": "/home/dev/shop/src/price.js"}})
	hook(map[string]any{"hook_event_name": "Stop", "last_assistant_message": "Migration 0042 was not applied on staging; it is now, and the deploy went through."})
	s.mum(nil, "memory", "add", "--project", "shop", "Prices are integer cents, never floats", "--body", "Rounding lost money twice: withTax rounds once, and nothing else does arithmetic on prices.")
}

// history is an export of made-up sessions.
func history(w io.Writer, docs int) error {
	words := strings.Fields("deploy staging migration cart price rounding cents token rate limit retry queue worker cache index search branch merge release flaky test timeout parser upload invoice currency login session cookie header proxy")
	enc := json.NewEncoder(w)
	begin := time.Now().Add(-80 * 24 * time.Hour)
	for i := range docs {
		session := fmt.Sprintf("made-%05d", i/40)
		at := begin.Add(time.Duration(i) * 80 * 24 * time.Hour / time.Duration(docs+1))
		text := ""
		for j := range 12 {
			text += words[(i*7+j*(i%11+3))%len(words)] + " "
		}
		doc := map[string]any{"kind": "observation", "agent": "claude", "session": session, "project": "shop", "at": at, "tool": "Bash", "title": "Bash " + text[:20], "input": map[string]any{"command": text}, "output": "ok " + text}
		if i%8 == 0 {
			doc = map[string]any{"kind": "prompt", "role": "user", "agent": "claude", "session": session, "project": "shop", "at": at, "text": "please " + text}
		}
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

// browser is a tab, and what went wrong in it.
type browser struct {
	context.Context
	mu    sync.Mutex
	wrong []string
	host  string
}

func newBrowser(t *testing.T) *browser {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(2*time.Minute))
	if path, err := exec.LookPath("chromium"); err == nil {
		options = append(options, chromedp.ExecPath(path))
	}
	process, end := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(end)
	tab, closeTab := chromedp.NewContext(process)
	t.Cleanup(closeTab)
	b := &browser{Context: tab}
	chromedp.ListenTarget(tab, func(e any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := e.(type) {
		case *runtime.EventExceptionThrown:
			b.wrong = append(b.wrong, "exception: "+e.ExceptionDetails.Error())
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
				b.wrong = append(b.wrong, fmt.Sprintf("console: %s", e.Args[0].Value))
			}
		case *log.EventEntryAdded:
			if e.Entry.Level == log.LevelError {
				b.wrong = append(b.wrong, "log: "+e.Entry.Text+" "+e.Entry.URL)
			}
		case *network.EventRequestWillBeSent:
			if u := e.Request.URL; b.host != "" && !strings.HasPrefix(u, b.host) && !strings.HasPrefix(u, "data:") {
				b.wrong = append(b.wrong, "asked "+u)
			}
		}
	})
	if err := chromedp.Run(b, network.Enable(), log.Enable(), runtime.Enable()); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *browser) run(t *testing.T, actions ...chromedp.Action) {
	t.Helper()
	ctx, cancel := context.WithTimeout(b, 90*time.Second)
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		t.Fatal(err, b.troubles())
	}
}

// troubles are what went wrong since the last look.
func (b *browser) troubles() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.wrong
	b.wrong = nil
	return out
}

func (b *browser) open(t *testing.T, s *site) {
	t.Helper()
	address := s.address()
	b.host = address[:strings.Index(address, "/in?")]
	var at string
	b.run(t, chromedp.Navigate(address), chromedp.WaitVisible("h1", chromedp.ByQuery), chromedp.Location(&at))
	s.base = strings.TrimSuffix(at, "today")
	if s.base == at {
		t.Fatalf("the address led to %s", at)
	}
}

// path is where a room of this site lies: the numbers of a memory and a session are not known before.
func (s *site) path(room string) string {
	if room != "memory" {
		return room
	}
	var list struct{ Memories []struct{ Entry int64 } }
	if err := json.Unmarshal([]byte(s.mum(nil, "memory", "list", "--all", "--json")), &list); err != nil || len(list.Memories) == 0 {
		return ""
	}
	return "memory/" + strconv.FormatInt(list.Memories[0].Entry, 10)
}

func TestEveryRoom(t *testing.T) {
	axe, err := os.ReadFile(os.Getenv("AXE"))
	if err != nil {
		t.Skip("make test-page fetches axe-core: ", err)
	}
	for size := range strings.SplitSeq(os.Getenv("SIZES"), ",") {
		docs, err := strconv.Atoi(size)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(size, func(t *testing.T) { everyRoom(t, docs, string(axe)) })
	}
}

func everyRoom(t *testing.T, docs int, axe string) {
	s, b := newSite(t, docs), newBrowser(t)
	b.open(t, s)
	for _, room := range rooms {
		path := s.path(room)
		if docs == 0 && strings.Contains(path, "/") || path == "" {
			continue
		}
		for _, width := range []int64{320, 1280, 3840} {
			var wide bool
			b.run(t, emulation.SetDeviceMetricsOverride(width, 900, 1, false), chromedp.Navigate(s.base+path), chromedp.WaitVisible("h1", chromedp.ByQuery),
				chromedp.Evaluate("document.documentElement.scrollWidth > innerWidth + 1", &wide))
			if wide {
				t.Errorf("%s scrolls sideways at %d px", room, width)
			}
		}
		for _, scheme := range []string{"light", "dark"} {
			for _, f := range b.findings(t, s.base+path, scheme, axe) {
				t.Errorf("%s, %s: %s", room, scheme, f)
			}
		}
		if docs == 10 {
			b.picture(t, s.base+path, room)
		}
		for _, w := range b.troubles() {
			t.Errorf("%s: %s", room, w)
		}
	}
	if docs > 10 {
		s.times(t)
	}
}

// findings are what axe-core calls serious or critical.
func (b *browser) findings(t *testing.T, address, scheme, axe string) (out []string) {
	t.Helper()
	const ask = `axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}).then(r => r.violations.map(v => v.impact + " " + v.id + ": " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + " " + n.any.map(a => a.message).join(" ").slice(0, 160)).join(" | ")))`
	var all []string
	b.run(t, emulation.SetDeviceMetricsOverride(1280, 900, 1, false),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
		chromedp.Navigate(address), chromedp.WaitVisible("h1", chromedp.ByQuery), chromedp.Evaluate(axe+";0", nil),
		chromedp.Evaluate(ask, &all, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	for _, f := range all {
		if strings.HasPrefix(f, "serious") || strings.HasPrefix(f, "critical") {
			out = append(out, f)
		}
	}
	return out
}

// picture writes a screenshot of a room, where PICTURES names a directory.
func (b *browser) picture(t *testing.T, address, room string) {
	t.Helper()
	dir := os.Getenv("PICTURES")
	if dir == "" {
		return
	}
	name, _, _ := strings.Cut(strings.ReplaceAll(room, "/", "-"), "?")
	scheme := "light"
	if slices.Contains([]string{"session-1", "health"}, name) {
		scheme = "dark"
	}
	var png []byte
	b.run(t, emulation.SetDeviceMetricsOverride(1100, 780, 1, false),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
		chromedp.Navigate(address), chromedp.WaitVisible("h1", chromedp.ByQuery), chromedp.CaptureScreenshot(&png))
	if err := os.WriteFile(filepath.Join(dir, "page-"+name+".png"), png, 0o644); err != nil {
		t.Fatal(err)
	}
}

// times compares each room with a search over the API, of the same run.
func (s *site) times(t *testing.T) {
	jar, _ := cookiejar.New(nil)
	client := &http.Client{Jar: jar}
	if resp, err := client.Get(s.address()); err != nil {
		t.Fatal(err)
	} else {
		_ = resp.Body.Close()
	}
	header, err := os.ReadFile(filepath.Join(s.home, "token"))
	if err != nil {
		t.Fatal(err)
	}
	measure := func(address string) (first, whole time.Duration) {
		var firsts, wholes []time.Duration
		for range 15 {
			req, err := http.NewRequest("GET", address, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(address, s.base) {
				req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(header)))
			}
			began := time.Now()
			resp, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			firsts = append(firsts, time.Since(began))
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
			wholes = append(wholes, time.Since(began))
			if resp.StatusCode != http.StatusOK {
				t.Fatalf("%s: %d", address, resp.StatusCode)
			}
		}
		slices.Sort(firsts)
		slices.Sort(wholes)
		return firsts[7], wholes[7]
	}
	host := s.base[:strings.Index(s.base, "/page/")]
	_, search := measure(host + "/search?q=deploy+staging+fail")
	t.Logf("GET /search: %s", search)
	for _, room := range rooms {
		path := s.path(room)
		if path == "" {
			continue
		}
		first, whole := measure(s.base + path)
		t.Logf("%-16s first byte %5.2f, whole %5.2f times a search", room, float64(first)/float64(search), float64(whole)/float64(search))
		if first > 5*search || whole > 20*search {
			t.Errorf("%s takes %s and %s, a search %s", room, first, whole, search)
		}
	}
}

func TestAWalkWithTheKeyboard(t *testing.T) {
	s, b := newSite(t, 10), newBrowser(t)
	b.open(t, s)
	at := func(room string) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
			var where string
			if chromedp.Run(b, chromedp.Location(&where)) == nil && strings.HasSuffix(where, "/"+room) {
				b.run(t, chromedp.WaitReady("footer", chromedp.ByQuery))
				return
			}
		}
		t.Fatalf("the keys did not lead to %s", room)
	}
	for keys, room := range map[string]string{"gs": "search", "ge": "sessions", "gm": "memories", "gr": "review", "go": "told", "gp": "privacy", "gh": "health", "gc": "settings", "gt": "today"} {
		b.run(t, chromedp.Evaluate("document.activeElement.blur()", nil), chromedp.KeyEvent(keys))
		at(room)
	}
	b.run(t, chromedp.Navigate(s.base+"health"), chromedp.WaitVisible("h1", chromedp.ByQuery), chromedp.KeyEvent("/"))
	at("search")
	b.run(t, chromedp.Focus("#q", chromedp.ByQuery), chromedp.KeyEvent("migration"+kb.Enter), chromedp.WaitVisible(".hits mark", chromedp.ByQuery), chromedp.Evaluate("document.activeElement.blur()", nil), chromedp.KeyEvent("j"+kb.Enter))
	b.run(t, chromedp.WaitReady(`[aria-label="Text"],[aria-label="What went in"]`, chromedp.ByQuery))
	b.run(t, chromedp.KeyEvent("?"))
	at("keys")
	var title string
	b.run(t, chromedp.Navigate(s.base+"today"), chromedp.WaitVisible("h1", chromedp.ByQuery), chromedp.Title(&title))
	if title != "Today · keepmum" {
		t.Errorf("stored text ran: %q", title)
	}
	b.run(t, chromedp.Submit(`form[action$="/pause"]`, chromedp.ByQuery), chromedp.WaitVisible(".said", chromedp.ByQuery), chromedp.Submit(`form[action$="/resume"]`, chromedp.ByQuery), chromedp.WaitVisible(".said", chromedp.ByQuery))
	if w := b.troubles(); len(w) > 0 {
		t.Errorf("%v", w)
	}
}

func TestWhatArrivesIsShownAndTheDaemonMayGo(t *testing.T) {
	s, b := newSite(t, 10), newBrowser(t)
	b.open(t, s)
	b.run(t, chromedp.Poll(`document.querySelector("#state").textContent === "live"`, nil))
	s.mum(strings.NewReader(`{"hook_event_name":"UserPromptSubmit","session_id":"new","prompt":"something quite new came","cwd":"/home/dev/shop"}`), "hook", "claude")
	b.run(t, chromedp.Poll(`document.querySelector("#live").textContent.includes("something quite new came")`, nil))
	if w := b.troubles(); len(w) > 0 {
		t.Errorf("%v", w)
	}
	s.mum(nil, "down")
	b.run(t, chromedp.Poll(`!document.querySelector("#gone").hidden`, nil))
	s.mum(nil, "up") // on another port, as this test's daemons take a free one
	b.open(t, s)
	b.run(t, chromedp.Poll(`document.querySelector("#state").textContent === "live"`, nil))
}
