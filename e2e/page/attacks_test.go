//go:build browser

package page

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// neighbour is another server of this machine, with a page that attacks: it frames a room, loads
// one as a script, a picture and by fetch, and sends a form. Cookies ignore ports, and for a browser
// it is the same site.
type neighbour struct {
	*httptest.Server
	mu      sync.Mutex
	cookies []string
}

const attack = `<!doctype html><title>a game</title><body>
<iframe id="framed" src="%[1]stoday"></iframe><iframe name="sink"></iframe>
<form id="pause" method="post" action="%[1]spause" target="sink"><input name="for" value="30m"></form>
<form id="forget" method="post" action="%[1]sforget" target="sink"><input name="ids" value="1"><input name="sure" value="yes"></form>
<script>
const got = window.got = [], note = w => got.push(w);
const gone = p => p.then(() => note("read"), () => note("refused"));
const load = tag => new Promise(d => { const e = document.createElement(tag); e.onload = e.onerror = d; e.src = "%[1]stoday"; document.body.append(e); });
const send = id => new Promise(d => { document.querySelector("[name=sink]").onload = d; document.getElementById(id).submit(); });
(async () => {
  await gone(fetch("%[1]stoday", {credentials: "include"}).then(r => r.text()));
  await fetch("%[1]spause", {method: "POST", mode: "no-cors", credentials: "include", body: new URLSearchParams({for: "30m"})}).catch(() => 0);
  await load("img"); await load("script");
  await send("pause"); await send("forget");
  let seen = "";
  try { seen = document.getElementById("framed").contentDocument.body.innerText } catch { }
  if (seen) note("framed " + seen);
  note("done");
})();
</script>`

func newNeighbour(t *testing.T, base string) *neighbour {
	t.Helper()
	n := &neighbour{}
	n.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.mu.Lock()
		n.cookies = append(n.cookies, r.Header.Get("Cookie"))
		n.mu.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, attack, html.EscapeString(base))
	}))
	t.Cleanup(n.Close)
	return n
}

func TestAnotherServerOfThisMachineGetsNothing(t *testing.T) {
	s, b := emptySite(t), newBrowser(t)
	s.up()
	s.prompt("one", "the plan for next week")
	b.open(t, s)
	b.shows(t, "the plan for next week")
	n := newNeighbour(t, s.base)
	b.host = ""
	b.run(t, chromedp.Navigate(n.URL+"/page/"))
	b.until(t, `window.got && window.got.includes("done")`)
	var got []string
	b.run(t, chromedp.Evaluate(`window.got`, &got))
	if strings.Join(got, ", ") != "refused, done" {
		t.Errorf("the page of another server: %v", got)
	}
	if said := strings.Join(b.troubles(), "\n"); !strings.Contains(said, "frame") {
		t.Errorf("nothing refused to be framed: %s", said)
	}
	n.mu.Lock()
	for _, c := range n.cookies {
		if c != "" {
			t.Errorf("the other server was sent %q", c)
		}
	}
	n.mu.Unlock()
	b.to(t, s, "today")
	b.shows(t, "the plan for next week")
	b.until(t, `!!document.querySelector('form[action$="/pause"]')`) // it is not paused
}

// A name that leads to this machine, as a rebound one does, is not one of the daemon's: no room
// and no code is answered there.
func TestANameThatWasReboundOpensNothing(t *testing.T) {
	s := emptySite(t)
	b := newBrowser(t, chromedp.Flag("host-resolver-rules", "MAP evil.example 127.0.0.1"))
	s.up()
	s.prompt("one", "the plan for next week")
	b.open(t, s)
	code := s.address()
	evil := func(address string) string { return strings.Replace(address, "127.0.0.1", "evil.example", 1) }
	b.host = ""
	for _, address := range []string{evil(s.base) + "today", evil(code), evil(s.base[:strings.Index(s.base, "/page/")+1])} {
		b.run(t, chromedp.Navigate(address))
		b.until(t, `document.readyState === "complete" && location.hostname === "evil.example"`)
		if b.says(`document.documentElement.innerText.includes("the plan") || !!document.querySelector("nav")`) {
			t.Errorf("%s shows a room", address)
		}
	}
	b.run(t, chromedp.Navigate(code)) // it was not used up
	b.shows(t, "the plan for next week")
}

// A code that someone else used first opens nothing, and the page says what to do.
func TestACodeThatWasStolen(t *testing.T) {
	s, b := emptySite(t), newBrowser(t)
	s.up()
	address := s.address()
	thief, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	_ = thief.Body.Close()
	b.run(t, chromedp.Navigate(address), chromedp.WaitVisible(heading, chromedp.ByQuery))
	b.shows(t, "This address was already used")
	b.shows(t, "mum open")
	if b.says(`!!document.querySelector("nav,form")`) {
		t.Error("a room is shown")
	}
}

// All rooms are read, and something is changed, by a browser that runs no script.
func TestReadingNeedsNoScript(t *testing.T) {
	s, b := newSite(t, 10), newBrowser(t)
	b.open(t, s)
	b.run(t, emulation.SetScriptExecutionDisabled(true))
	for _, room := range rooms {
		b.to(t, s, s.path(room))
		b.until(t, `document.readyState === "complete" && document.querySelector("main").innerText.length > 100`)
		if b.says(`document.querySelector("#state") && document.querySelector("#state").textContent === "live"`) {
			t.Fatal("a script runs")
		}
	}
	b.to(t, s, "today")
	b.shows(t, "Why does the deploy to staging fail")
	b.sends(t, `form[action$="/pause"] button`, "Nothing is captured until")
	b.sends(t, `form[action$="/resume"] button`, "Capturing again")
	b.to(t, s, "search?q=migration")
	b.run(t, chromedp.Click(".hits h2 a", chromedp.ByQuery))
	b.shows(t, "About this event")
	b.sends(t, `form[action$="/forget"] button`, "Forget this?")
	b.fine(t)
}
