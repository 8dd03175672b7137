//go:build browser

package page

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

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
