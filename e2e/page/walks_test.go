//go:build browser

package page

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"keepmum/await"
	"keepmum/freeport"
)

// heading waits for a room, or for one of its parts.
const heading = "h1"

// to opens a room of a site.
func (b *browser) to(t *testing.T, s *site, room string) {
	t.Helper()
	b.run(t, chromedp.Navigate(s.base+room), chromedp.WaitVisible(heading, chromedp.ByQuery))
}

// until waits for what a script says to be true, and no time.
func (b *browser) until(t *testing.T, script string) {
	t.Helper()
	await.True(t, script, func() bool { return b.says(script) })
}

// shows waits until a text is on the page.
func (b *browser) shows(t *testing.T, text string) {
	t.Helper()
	b.until(t, `document.body && document.body.innerText.includes(`+quoted(text)+`)`)
}

// sends clicks the button of a form and waits for the room that answers it.
func (b *browser) sends(t *testing.T, button, said string) {
	t.Helper()
	b.run(t, chromedp.Click(button, chromedp.ByQuery))
	b.shows(t, said)
}

// fine fails where the browser complained.
func (b *browser) fine(t *testing.T) {
	t.Helper()
	if w := b.troubles(); len(w) > 0 {
		t.Errorf("%v", w)
	}
}

// presses types keys until they led to a room: on a busy machine two keys may come too far apart.
func (b *browser) presses(t *testing.T, keys, room string) {
	t.Helper()
	there := `location.pathname.endsWith("/` + room + `") && document.readyState === "complete"`
	looks := 0
	await.True(t, keys+" to "+room, func() bool {
		if b.says(there) {
			return true
		}
		if looks%25 == 0 && b.says(`document.readyState === "complete"`) {
			b.run(t, chromedp.Evaluate("document.activeElement && document.activeElement.blur()", nil),
				chromedp.KeyEvent(keys))
		}
		looks++
		return false
	})
}

// tabs presses Tab until it stands on something.
func (b *browser) tabs(t *testing.T, on string) {
	t.Helper()
	b.until(t, `document.readyState === "complete"`)
	for range 100 {
		if b.says(`document.activeElement.matches("main " + ` + quoted(on) + `)`) {
			return
		}
		b.run(t, chromedp.KeyEvent(kb.Tab))
	}
	t.Fatalf("Tab never comes to %s", on)
}

func TestAWalkWithTheKeyboard(t *testing.T) {
	s, b := newSite(t, 10), newBrowser(t)
	b.open(t, s)
	for keys, room := range map[string]string{"gs": "search", "ge": "sessions", "gm": "memories", "gr": "review",
		"go": "told", "gp": "privacy", "gh": "health", "gc": "settings", "gf": "gotchas", "gn": "runs", "gw": "team",
		"?": "keys", "gt": "today"} {
		b.presses(t, keys, room)
	}
	b.to(t, s, "health")
	b.presses(t, "/", "search")
	b.run(t, chromedp.Focus("#q", chromedp.ByQuery), chromedp.KeyEvent("migration"+kb.Enter),
		chromedp.WaitVisible(".hits mark", chromedp.ByQuery), chromedp.Evaluate("document.activeElement.blur()", nil),
		chromedp.KeyEvent("j"+kb.Enter),
		chromedp.WaitReady(`[aria-label="Text"],[aria-label="Input"]`, chromedp.ByQuery))
	b.tabs(t, `form[action$="/forget"] button`)
	b.run(t, chromedp.KeyEvent(kb.Enter))
	b.shows(t, "Forget this?")
	b.tabs(t, "a.button")
	b.run(t, chromedp.KeyEvent(kb.Enter))
	b.until(t, `location.pathname.includes("/entry/")`)
	b.to(t, s, "review")
	b.run(t, chromedp.KeyEvent("d"))
	b.shows(t, "Dropped.")
	var title string
	b.to(t, s, "today")
	b.run(t, chromedp.Title(&title))
	if title != "Today · keepmum" {
		t.Errorf("stored text ran: %q", title)
	}
	b.sends(t, `form[action$="/pause"] button`, "Nothing is captured until")
	b.sends(t, `form[action$="/resume"] button`, "Capturing again")
	b.fine(t)

	// the sign-in ends while a memory is edited: what was typed is there to copy
	const typed = "Typed <b>just</b> before"
	b.to(t, s, "memories")
	b.run(t, chromedp.Click(`main a[href*="/memory/"]`, chromedp.ByQuery))
	b.shows(t, "Save")
	b.run(t, chromedp.SetValue(`textarea[name="body"]`, typed, chromedp.ByQuery), network.ClearBrowserCookies())
	b.sends(t, `form[action$="/edit"] button`, "This was not saved")
	b.until(t, `[...document.querySelectorAll("textarea")].some(t => t.value === `+quoted(typed)+`)`)
	b.troubles() // the refusal is one
}

func TestWhatArrivesIsShownAndTheDaemonMayGo(t *testing.T) {
	s, b := emptySite(t), newBrowser(t)
	s.port = strconv.Itoa(freeport.For(t))
	s.up()
	b.open(t, s)
	const live = `document.querySelector("#state") && document.querySelector("#state").textContent === "live"`
	b.until(t, live)
	s.prompt("new", "something quite new came")
	b.until(t, `document.querySelector("#live").textContent.includes("something quite new came")`)
	b.fine(t)
	s.mum(nil, "down")
	b.until(t, `!document.querySelector("#gone").hidden`)
	s.mum(nil, "up")
	b.until(t, live) // on its own, and the cookie of before opens it
	b.until(t, `document.querySelector("#gone").hidden`)
	s.prompt("new", "and this came after it was back")
	b.until(t, `document.querySelector("#live").textContent.includes("and this came after it was back")`)
	b.troubles() // while the daemon was away, requests failed

	s.mum(nil, "down")
	other := strconv.Itoa(freeport.For(t))
	s.port = other
	s.mum(nil, "up")
	b.open(t, s) // another port is another address
	if !strings.Contains(s.base, ":"+other+"/") {
		t.Errorf("it is at %s", s.base)
	}
	b.shows(t, "and this came after it was back")
	b.fine(t)
}

// Someone who has just installed it, with an empty home, finds out what to do, what was taken
// out, and how to say no, by what the page says alone.
func TestANewUser(t *testing.T) {
	s, b := emptySite(t), newBrowser(t)
	s.port = strconv.Itoa(freeport.For(t)) // a daemon that starts again is at the same
	s.transcripts()
	s.up()
	b.enter(t, s, s.inBrowser())
	b.shows(t, "Nothing was kept yet")
	b.shows(t, "mum connect auto")
	b.step(t, "1-opened")
	for _, room := range []string{"search", "sessions", "memories", "review", "gotchas", "told", "privacy", "runs",
		"team"} {
		b.to(t, s, room)
		b.until(t, `document.querySelector("main").innerText.length > 60`)
	}
	b.to(t, s, "today")
	s.live() // the first session of a connected agent
	b.until(t, `document.querySelector("#live").innerText.includes("Why does the deploy to staging fail")`)
	b.until(t, `!document.body.innerText.includes("Nothing was kept yet")`)
	b.step(t, "2-session")

	// what was removed, and by which rule
	b.run(t, chromedp.Click(`nav a[href$="/privacy"]`, chromedp.ByQuery))
	b.shows(t, "github-token")
	b.run(t, chromedp.SetValue("#try-text", "PASSWORD=hunter2hunter2", chromedp.ByQuery))
	b.sends(t, `#try-form button.main`, "What is removed, and why")
	b.step(t, "3-tried")
	b.sends(t, `button[name="public"]`, "not a secret: it is kept from now on")
	b.until(t, `!document.documentElement.outerHTML.includes("hunter2")`)
	b.shows(t, "not a secret")
	b.step(t, "4-verdict")
	b.sends(t, `form[action$="/remove"] button`, "Undone")

	// forget one thing: it is shown first, then gone
	b.to(t, s, "search?q=migrate")
	b.run(t, chromedp.Click(".hits h2 a", chromedp.ByQuery))
	b.shows(t, "About this event")
	b.step(t, "5-entry")
	b.sends(t, `form[action$="/forget"] button`, "Forget this?")
	b.step(t, "6-forget")
	b.sends(t, `main form[action$="/forget"] button`, "gone")
	b.to(t, s, "search?q=migrate")
	b.until(t, `!document.querySelector("main").innerText.includes("make migrate")`)

	// review one proposal: the memories room says that it waits
	s.mum(nil, "sync", "--window", "all")
	b.run(t, chromedp.Click(`nav a[href$="/memories"]`, chromedp.ByQuery))
	b.shows(t, "Review 1 proposal")
	b.step(t, "7-memories")
	b.run(t, chromedp.Click(`.lead a.button`, chromedp.ByQuery))
	b.sends(t, `[data-key="k"]`, "Kept: it is a memory now.")
	b.sends(t, `button[form="undo"]`, "It is open again.")
	b.sends(t, `[data-key="k"]`, "Kept: it is a memory now.")
	b.to(t, s, "memories")
	b.shows(t, "Never write the receipts in blue")
	b.run(t, chromedp.Click(`//a[contains(., "Never write the receipts in blue")]`, chromedp.BySearch))
	b.shows(t, "Save")
	b.run(t, chromedp.SetValue(`textarea[name="body"]`, "Black, since the copies come out grey in any other colour.",
		chromedp.ByQuery))
	b.sends(t, `form[action$="/edit"] button`, "Written to its file")

	// change one setting, and restart so that it takes effect
	b.run(t, chromedp.Click(`nav a[href$="/settings"]`, chromedp.ByQuery))
	b.run(t, chromedp.Click(`//summary[starts-with(., "context")]`, chromedp.BySearch))
	b.run(t, chromedp.SetValue(`[aria-describedby="about-context.budget_tokens"]`, "700", chromedp.ByQuery))
	b.sends(t, `[aria-label="Change context.budget_tokens"]`, "Restart now")
	b.step(t, "8-setting")
	b.fine(t)
	b.run(t, chromedp.Click(`.warn form[action$="/restart"] button`, chromedp.ByQuery))
	b.until(t, `location.pathname.endsWith("/settings") && !document.body.innerText.includes("Restart now")`)
	b.until(t, `document.querySelector('[aria-describedby="about-context.budget_tokens"]').value === "700"`)
	b.troubles() // while the daemon was away, requests failed: that is what they are for
}

// Two daemons of two data directories are open in one browser, and each shows its own.
func TestTwoDaemonsInOneBrowser(t *testing.T) {
	one, two, b := emptySite(t), emptySite(t), newBrowser(t)
	one.up()
	two.up()
	one.prompt("a", "this is of the first one")
	two.prompt("b", "this is of the second one")
	b.open(t, one)
	b.open(t, two)
	b.host = "" // two of them
	for range 2 {
		b.to(t, one, "today")
		b.shows(t, "this is of the first one")
		b.until(t, `!document.body.innerText.includes("second one")`)
		b.to(t, two, "today")
		b.shows(t, "this is of the second one")
	}
	b.to(t, one, "health")
	b.shows(t, one.home)
	rooms := one.base[strings.Index(one.base, "/page/"):]
	b.run(t, chromedp.Navigate(two.base[:strings.Index(two.base, "/page/")]+rooms+"today"))
	b.shows(t, "mum open") // the rooms of one are not those of the other
	b.troubles()
}

// Over ssh the browser talks to another port: addresses, forms and what is live work all the same.
func TestOverAForwardedPort(t *testing.T) {
	s, b := emptySite(t), newBrowser(t)
	s.up()
	address := s.address()
	b.host = "http://" + forwarded(t, address)
	b.run(t, chromedp.Navigate(b.host+address[strings.Index(address, "/in?"):]),
		chromedp.WaitVisible(heading, chromedp.ByQuery))
	b.shows(t, "Nothing was kept yet")
	s.prompt("far", "asked on the other machine")
	b.until(t, `document.querySelector("#live").innerText.includes("asked on the other machine")`)
	b.sends(t, `form[action$="/pause"] button`, "Nothing is captured until")
	b.sends(t, `form[action$="/resume"] button`, "Capturing again")
	b.fine(t)
}
