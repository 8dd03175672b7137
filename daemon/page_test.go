package daemon

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/config"
	"keepmum/freeport"
	"keepmum/page"
)

// looker is a browser without script.
type looker struct {
	t    *testing.T
	http *http.Client
	base string // http://127.0.0.1:…/page/…/
	host string
}

// openPage lets a browser in with a code.
func openPage(t *testing.T, r *rig) *looker {
	t.Helper()
	code := into[api.PageCode](t, r.ask(t, "POST", "/page/code", "{}"))
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	l := &looker{t: t, http: &http.Client{Jar: jar, Timeout: 20 * time.Second}}
	t.Cleanup(l.http.CloseIdleConnections)
	u, err := url.Parse(code.URL)
	if err != nil {
		t.Fatal(err)
	}
	l.host = u.Host
	resp, err := l.http.Get(code.URL)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if l.base = strings.TrimSuffix(resp.Request.URL.String(), "today"); resp.StatusCode != http.StatusOK ||
		!strings.Contains(l.base, page.Rooms) {
		t.Fatalf("%d at %s", resp.StatusCode, resp.Request.URL)
	}
	return l
}

func (l *looker) do(method, path, body string, change ...func(*http.Request)) reply {
	l.t.Helper()
	if !strings.HasPrefix(path, "http") {
		path = l.base + path
	}
	req, err := http.NewRequest(method, path, strings.NewReader(body))
	if err != nil {
		l.t.Fatal(err)
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, f := range change {
		f(req)
	}
	resp, err := l.http.Do(req)
	if err != nil {
		l.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		l.t.Fatal(err)
	}
	return reply{resp.StatusCode, resp.Header, string(text)}
}

func (l *looker) get(path string) reply { l.t.Helper(); return l.do("GET", path, "") }

var tokenForm = regexp.MustCompile(`name="token" value="([^"]+)"`)

// send posts a form of the page.
func (l *looker) send(path string, fields url.Values) reply {
	l.t.Helper()
	m := tokenForm.FindStringSubmatch(l.get("keys").body)
	if m == nil {
		l.t.Fatal("there is no form")
	}
	fields.Set("token", m[1])
	return l.do("POST", path, fields.Encode())
}

func (l *looker) sees(path string, wants ...string) string {
	l.t.Helper()
	got := l.get(path)
	if got.status != http.StatusOK {
		l.t.Fatalf("%s: %d: %s", path, got.status, mainOf(got.body))
	}
	for _, want := range wants {
		if !strings.Contains(got.body, want) {
			l.t.Errorf("%s does not say %q: %s", path, want, mainOf(got.body))
		}
	}
	return got.body
}

func mainOf(body string) string {
	_, text, _ := strings.Cut(body, "<main")
	text, _, _ = strings.Cut(text, "</main")
	return text[:min(len(text), 600)]
}

const closedDoor = "mum open"

func isClosed(r reply) bool {
	return r.status >= 400 && strings.Contains(r.body, closedDoor) && !strings.Contains(r.body, "Sessions") &&
		!strings.Contains(r.body, "token")
}

func TestACodeOpensThePageOnceWithinAMinute(t *testing.T) {
	began := time.Now()
	var passed atomic.Int64
	clock := func() time.Time { return began.Add(time.Duration(passed.Load())) }
	r := startAt(t, t.TempDir(), clock)
	stranger := &http.Client{}
	open := func(address string) reply {
		l := &looker{t: t, http: stranger}
		return l.do("GET", address, "")
	}
	code := into[api.PageCode](t, r.ask(t, "POST", "/page/code", "{}")).URL
	jarless := *stranger
	jarless.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	first := (&looker{t: t, http: &jarless}).do("GET", code, "")
	cookie := first.header.Get("Set-Cookie")
	for _, want := range []string{"HttpOnly", "SameSite=Strict", "Max-Age=43200", "Path=" + page.Rooms} {
		if first.status != http.StatusSeeOther || !strings.Contains(cookie, want) {
			t.Errorf("%d, cookie %q: no %s", first.status, cookie, want)
		}
	}
	if got := open(code); !isClosed(got) {
		t.Errorf("a code opened the page twice: %d", got.status)
	}
	late := into[api.PageCode](t, r.ask(t, "POST", "/page/code", "{}")).URL
	passed.Add(int64(time.Minute))
	if got := open(late); !isClosed(got) {
		t.Errorf("a code of a minute ago opened the page: %d", got.status)
	}
	for _, wrong := range []string{"", "?code=", "?code=x", "?code=" + strings.Repeat("A", 1<<12)} {
		if got := open(strings.SplitN(late, "?", 2)[0] + wrong); !isClosed(got) {
			t.Errorf("%.20q: %d", wrong, got.status)
		}
	}
	l := openPage(t, r)
	l.sees("today")
	passed.Add(int64(12*time.Hour + time.Second))
	jar := l.http.Jar.Cookies(mustURL(t, l.base))
	l.http.Jar = nil // which would leave it out by now
	got := l.do("GET", "today", "", func(q *http.Request) {
		for _, c := range jar {
			q.AddCookie(c)
		}
	})
	if !isClosed(got) || !strings.Contains(got.body, "twelve hours") {
		t.Errorf("an old cookie: %d", got.status)
	}
}

func mustURL(t *testing.T, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestThePageIsClosedToWhoeverWasNotLetIn(t *testing.T) {
	r, other := startRig(t, t.TempDir()), startRig(t, t.TempDir())
	l, there := openPage(t, r), openPage(t, other)
	cookies := l.http.Jar.Cookies(mustURL(t, l.base))
	with := func(q *http.Request) {
		for _, c := range cookies {
			q.AddCookie(c)
		}
	}
	set := func(name, value string) func(*http.Request) {
		return func(q *http.Request) { with(q); q.Header.Set(name, value) }
	}
	host := func(name string) func(*http.Request) { return func(q *http.Request) { with(q); q.Host = name } }
	bare := &looker{t: t, http: &http.Client{}, base: l.base, host: l.host}
	for name, c := range map[string]struct {
		path   string
		change func(*http.Request)
	}{
		"no cookie":                  {"today", func(*http.Request) {}},
		"the root":                   {"http://" + l.host + "/", with},
		"another path":               {"http://" + l.host + page.Rooms + "aaaaaaaaaaaaaaaa/today", with},
		"a cookie of another daemon": {there.base + "today", with},
		"a cookie that was changed": {"today", func(q *http.Request) {
			q.Header.Set("Cookie", "mum_page="+strings.Replace(cookies[0].Value, ".", "9.", 1))
		}},
		"no signature": {"today", func(q *http.Request) {
			q.Header.Set("Cookie",
				"mum_page=99999999999.x.")
		}},
		"another origin":                    {"today", set("Origin", "http://evil.example")},
		"another port of this machine":      {"today", set("Origin", "http://127.0.0.1:1")},
		"a page of another port, by script": {"today", set("Sec-Fetch-Site", "same-site")},
		"another site, by script":           {"today", set("Sec-Fetch-Site", "cross-site")},
		"an origin that is hidden":          {"today", set("Origin", "null")},
		"the API's own token": {"today", func(q *http.Request) {
			q.Header.Set("Authorization",
				"Bearer "+r.d.token)
		}},
	} {
		if got := bare.do("GET", c.path, "", c.change); !isClosed(got) {
			t.Errorf("%s: %d: %.300s", name, got.status, mainOf(got.body))
		}
	}
	for _, name := range []string{"evil.example", "127.0.0.1.evil.example"} { // rebinding
		if got := bare.do("GET", "today", "", host(name)); got.status != http.StatusForbidden ||
			strings.Contains(got.body, "Sessions") {
			t.Errorf("host %s: %d", name, got.status)
		}
	}
	if got := bare.do("GET", "today", "", with); got.status != http.StatusOK {
		t.Errorf("with the cookie: %d", got.status)
	}
	for _, path := range []string{"/status", "/search?q=x", "/feed"} { // the cookie opens the page only
		if got := bare.do("GET", "http://"+l.host+path, "", with); got.status != http.StatusUnauthorized {
			t.Errorf("the cookie opened %s: %d", path, got.status)
		}
	}
}

func TestNothingChangesWithoutAFormOfThePage(t *testing.T) {
	r := startRig(t, t.TempDir())
	l, second := openPage(t, r), openPage(t, r)
	foreign := tokenForm.FindStringSubmatch(second.get("keys").body)[1]
	own := tokenForm.FindStringSubmatch(l.get("keys").body)[1]
	for name, got := range map[string]reply{
		"no token":                 l.do("POST", "pause", "for=30m"),
		"a token of another":       l.do("POST", "pause", "for=30m&token="+foreign),
		"the token in the address": l.do("POST", "pause?token="+own, "for=30m"),
		"JSON":                     l.do("POST", "pause", `{"token":"`+own+`"}`, func(q *http.Request) { q.Header.Set("Content-Type", "application/json") }),
		"text": l.do("POST", "pause", "for=30m&token="+own,
			func(q *http.Request) { q.Header.Set("Content-Type", "text/plain") }),
		"another origin": l.do("POST", "pause", "for=30m&token="+own,
			func(q *http.Request) { q.Header.Set("Origin", "http://127.0.0.1:1") }),
		"a hidden origin": l.do("POST", "pause", "for=30m&token="+own,
			func(q *http.Request) { q.Header.Set("Origin", "null") }),
		"another site": l.do("POST", "pause", "for=30m&token="+own, func(q *http.Request) {
			q.Header.Set("Sec-Fetch-Site", "same-site")
			q.Header.Set("Sec-Fetch-Mode", "navigate")
		}),
	} {
		if got.status != http.StatusForbidden {
			t.Errorf("%s: %d", name, got.status)
		}
	}
	if got := l.get("pause"); got.status != http.StatusNotFound {
		t.Errorf("a change by GET: %d", got.status)
	}
	if _, paused := r.d.intake.Paused(); paused {
		t.Fatal("it is paused")
	}
	got := l.do("POST", "pause", "for=30m&back=//evil.example/x&token="+own, func(q *http.Request) {
		q.Header.Set("Origin", "null") // as a browser sends it that tells no referrer
		q.Header.Set("Sec-Fetch-Site", "same-origin")
	})
	if _, paused := r.d.intake.Paused(); !paused || got.status != http.StatusOK || !strings.Contains(got.body,
		"Nothing is captured until") {
		t.Errorf("%d, paused %v: %s", got.status, paused, mainOf(got.body))
	}
}

func TestEveryAnswerForbidsFramesAndForeignContent(t *testing.T) {
	r := startRig(t, t.TempDir())
	l := openPage(t, r)
	bare := &looker{t: t, http: &http.Client{}, base: l.base}
	for name, got := range map[string]reply{
		"a room": l.get("today"), "no room": l.get("nothing"), "closed": bare.get("today"), "the root": bare.do("GET",
			"http://"+l.host+"/", ""),
	} {
		csp := got.header.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'",
			"form-action 'self'"} {
			if !strings.Contains(csp, want) || strings.Contains(csp, "unsafe") {
				t.Errorf("%s: %s", name, csp)
			}
		}
		for header, want := range map[string]string{"X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
			"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"} {
			if got.header.Get(header) != want {
				t.Errorf("%s: %s is %q", name, header, got.header.Get(header))
			}
		}
		if regexp.MustCompile(`(?i)\son[a-z]+=|style="|javascript:`).MatchString(got.body) {
			t.Errorf("%s: an inline handler, style or script address", name)
		}
	}
}

func TestTheCookieHoldsAfterARestart(t *testing.T) {
	dir := t.TempDir()
	port := freeport.For(t)
	fixed := func(c *config.Config) { c.Daemon.Port = port }
	r := startRig(t, dir, fixed)
	l := openPage(t, r)
	r.end(t)
	again := startRig(t, dir, fixed)
	l.sees("today", "Nothing was kept yet")
	again.end(t)
}
