package page

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	codeLife   = time.Minute    // of a printed code: long enough to click the link
	maxCodes   = 32             // waiting at once; the oldest is dropped
	cookieLife = 12 * time.Hour // a day of work
	cookieName = "mum_page"
	maxForm    = 1 << 20 // bytes of a form
)

// codes open the page: each once, within a minute.
type codes struct {
	now  func() time.Time
	mu   sync.Mutex
	wait []code // oldest first
}

type code struct {
	hash  [sha256.Size]byte
	until time.Time
}

// Code returns a new code that opens the page once.
func (p *Page) Code() (text string, until time.Time) { return p.codes.make() }

func (c *codes) make() (text string, until time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	text, until = rand.Text(), c.now().Add(codeLife)
	c.wait = append(c.wait, code{sha256.Sum256([]byte(text)), until})
	c.wait = c.wait[max(0, len(c.wait)-maxCodes):]
	return text, until
}

// take reports whether a code opens the page, and uses it up.
func (c *codes) take(text string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	hash := sha256.Sum256([]byte(text))
	for i, w := range c.wait {
		if subtle.ConstantTimeCompare(w.hash[:], hash[:]) == 1 {
			c.wait = append(c.wait[:i:i], c.wait[i+1:]...)
			return c.now().Before(w.until)
		}
	}
	return false
}

// enter exchanges a code for a cookie.
func (p *Page) enter(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet || !p.codes.take(r.URL.Query().Get("code")) {
		p.closed(w, http.StatusForbidden, "This address was already used, or it is older than a minute.", nil)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: p.newCookie(), Path: p.base, HttpOnly: true,
		SameSite: http.SameSiteStrictMode, MaxAge: int(cookieLife.Seconds())})
	http.Redirect(w, r, p.base+"today", http.StatusSeeOther)
}

// newCookie returns a cookie with its end of validity, signed by this installation.
func (p *Page) newCookie() string {
	said := strconv.FormatInt(p.o.Now().Add(cookieLife).Unix(), 10) + "." + rand.Text()
	return said + "." + p.sign("cookie", said)
}

func (p *Page) sign(purpose, text string) string {
	mac := hmac.New(sha256.New, []byte(p.word(purpose)))
	_, _ = mac.Write([]byte(text)) // never fails
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// cookie returns the cookie of a request, or why it opens nothing. There may be several cookies of that name: whoever
// set the others cannot sign them.
func (p *Page) cookie(r *http.Request) (value, why string) {
	for _, c := range r.CookiesNamed(cookieName) {
		i := strings.LastIndexByte(c.Value, '.')
		if i < 0 || !same(c.Value[i+1:], p.sign("cookie", c.Value[:i])) {
			why = "This address belongs to another daemon or another data directory."
			continue
		}
		until, _, _ := strings.Cut(c.Value, ".")
		if at, err := strconv.ParseInt(until, 10, 64); err != nil || p.o.Now().Unix() >= at {
			why = "You signed in more than twelve hours ago."
			continue
		}
		return c.Value, ""
	}
	if why == "" {
		why = "This browser is not signed in yet."
	}
	return "", why
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// formToken returns the token in this visitor's forms.
func (v *visit) formToken() string { return v.sign("form", v.cookie) }

// formIsOurs refuses a change that does not come from one of our forms.
func (v *visit) formIsOurs() error {
	kind, _, _ := strings.Cut(v.r.Header.Get("Content-Type"), ";")
	if strings.TrimSpace(kind) != "application/x-www-form-urlencoded" {
		return errForm
	}
	v.r.Body = http.MaxBytesReader(v.w, v.r.Body, maxForm)
	if err := v.r.ParseForm(); err != nil || !same(v.r.PostForm.Get("token"), v.formToken()) {
		return errForm
	}
	return nil
}

// foreign returns why a request does not come from this page; "" = it does. A form without a referrer has the origin
// null: then the browser itself must say that the request is same-origin.
func foreign(r *http.Request) string {
	const said = "This request came from another page."
	origin, site := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
	opened := r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" // someone followed a link
	switch {
	case origin != "" && origin != "null" && origin != "http://"+r.Host:
		return said
	case origin == "null" && site != "same-origin":
		return said
	case site == "" || site == "none" || site == "same-origin" || opened:
		return ""
	}
	return said
}

// guardHeaders keep a browser from loading anything else, embedding the page in another, or revealing its address.
func guardHeaders(h http.Header) {
	h.Set("Content-Security-Policy", policy())
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Frame-Options", "DENY")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), clipboard-read=()")
}

// note is a message about a change; Undo is the path of the form that undoes it, "" = it cannot be.
type note struct{ Text, Undo string }

// notes are messages about the last change for the next page: each is shown once.
type notes struct {
	now  func() time.Time
	mu   sync.Mutex
	said map[string]note
	kept []string // keys, oldest first
}

// leave keeps a message for the next page, which takes it.
func (n *notes) leave(said note) (key string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.said == nil {
		n.said = map[string]note{}
	}
	key = rand.Text()[:12]
	n.said[key], n.kept = said, append(n.kept, key)
	if len(n.kept) > maxCodes {
		delete(n.said, n.kept[0])
		n.kept = n.kept[1:]
	}
	return key
}

func (n *notes) take(key string) note {
	n.mu.Lock()
	defer n.mu.Unlock()
	said := n.said[key]
	delete(n.said, key)
	return said
}
