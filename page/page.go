package page

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"keepmum/api"
)

// Paths of the page. Everything is below a random path of this installation: cookies ignore ports, so another server on
// this machine would otherwise receive ours.
const (
	Root  = "/"
	In    = "/in"    // exchanges a code for a cookie
	Rooms = "/page/" // the pages themselves; each of them is a room
)

// Options configure a [Page]. API and Key are required.
type Options struct {
	API      *api.Client
	Key      string          // secret of this installation: cookies and forms depend on it
	Stopping <-chan struct{} // closed when the daemon is about to stop
	Version  string
	Now      func() time.Time // nil = time.Now
	Log      *slog.Logger     // nil = discard
}

// Page serves everything below [Root], [In] and [Rooms].
type Page struct {
	o     Options
	base  string // base path: /page/3f…/
	codes codes
	notes notes
	live  chan struct{}      // open streams
	tmpl  *template.Template // parsed at first use
	once  sync.Once
}

// maxLive limits open streams: each window has one, and a daemon has one user.
const maxLive = 16

// New returns the page of a daemon.
func New(o Options) *Page {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	p := &Page{o: o, live: make(chan struct{}, maxLive)}
	p.base = Rooms + strings.ToLower(p.word("path")[:16]) + "/"
	p.codes.now, p.notes.now = o.Now, o.Now
	return p
}

// word returns a secret of this installation for one purpose.
func (p *Page) word(purpose string) string {
	mac := hmac.New(sha256.New, []byte(p.o.Key))
	_, _ = mac.Write([]byte("page " + purpose)) // never fails
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(mac.Sum(nil))
}

// templates parses the templates on first use: a daemon whose page nobody opens pays nothing.
func (p *Page) templates() *template.Template {
	p.once.Do(func() { p.tmpl = parse() })
	return p.tmpl
}

// ServeHTTP answers one request.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	guardHeaders(w.Header())
	if why := foreign(r); why != "" {
		p.closed(w, http.StatusForbidden, why, nil)
		return
	}
	if r.URL.Path == In {
		p.enter(w, r)
		return
	}
	room, ok := strings.CutPrefix(r.URL.Path, p.base)
	if !ok {
		p.closed(w, http.StatusUnauthorized, "", nil)
		return
	}
	cookie, why := p.cookie(r)
	if why != "" {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		_ = r.ParseForm() // what cannot be read is not shown
		p.closed(w, http.StatusUnauthorized, why, r.PostForm)
		return
	}
	v := &visit{Page: p, w: w, r: r, cookie: cookie}
	v.room, v.rest, _ = strings.Cut(room, "/")
	if err := v.answer(); err != nil {
		v.fail(err)
	}
}

// visit is one request of an authorized user.
type visit struct {
	*Page
	w      http.ResponseWriter
	r      *http.Request
	cookie string
	room   string // the first part of the path: which page, or which change
	rest   string // the rest of the path
}

func (v *visit) answer() error {
	if v.r.Method == http.MethodPost {
		act := acts()[v.room]
		if act == nil {
			return errNoRoom
		}
		if err := v.formIsOurs(); err != nil {
			return err
		}
		return act(v)
	}
	if v.room == "" {
		http.Redirect(v.w, v.r, v.base+"today", http.StatusSeeOther)
		return nil
	}
	show := rooms()[v.room]
	if show == nil {
		return errNoRoom
	}
	return show(v)
}

var (
	errNoRoom = &api.Error{Code: api.NotFound, Message: "there is no such page", Hint: "the menu lists all of them"}
	errForm   = &api.Error{
		Code:    api.Forbidden,
		Message: "this form is unknown or too old: nothing was changed",
		Hint:    "reload the page and send it again",
	}
)

// rooms are the pages that can be viewed.
func rooms() map[string]func(*visit) error {
	return map[string]func(*visit) error{
		"today": (*visit).today, "live": (*visit).stream, "entry": (*visit).entry, "search": (*visit).search,
		"health": (*visit).health, "keys": (*visit).keys, "sessions": (*visit).sessions, "session": (*visit).session,
		"memories": (*visit).memories, "memory": (*visit).memory, "review": (*visit).reviewRoom, "told": (*visit).told,
		"privacy": (*visit).privacy, "settings": (*visit).settings, "runs": (*visit).runs, "team": (*visit).team,
		"gotchas": (*visit).gotchas,
	}
}

// acts are the changes that can be made.
func acts() map[string]func(*visit) error {
	return map[string]func(*visit) error{
		"pause": (*visit).pause, "resume": (*visit).resume, "private": (*visit).private, "tell": (*visit).tell,
		"forget": (*visit).forget, "backup": (*visit).backup, "change": (*visit).change, "remember": (*visit).remember,
		"decide": (*visit).decide, "try": (*visit).try, "quarantine": (*visit).quarantine, "setting": (*visit).setting,
		"repair": (*visit).repair, "gotcha": (*visit).gotcha, "inteam": (*visit).inTeam, "restart": (*visit).restart,
		"verdict": (*visit).verdict,
	}
}

// get asks the API.
func (v *visit) get(path string, query url.Values, out any) error {
	return v.o.API.Get(v.r.Context(), path, query, out)
}

// post changes something through the API.
func (v *visit) post(path string, in, out any) error {
	return v.o.API.Post(v.r.Context(), path, in, out)
}

// worded returns an error in the words of the API, and whether the API expected it.
func worded(err error) (*api.Error, bool) {
	var e *api.Error
	switch {
	case errors.As(err, &e):
		return e, true
	case errors.Is(err, api.ErrSilent):
		return &api.Error{Code: api.Unavailable, Message: "this took too long: the daemon or the machine is busy",
			Hint: "reload the page"}, true
	}
	return &api.Error{Code: api.Internal, Message: "something went wrong inside the daemon", Hint: "mum logs"}, false
}

// fail shows an error in the words of the API.
func (v *visit) fail(err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	e, known := worded(err)
	if !known {
		v.o.Log.Error("the page failed", "room", v.room, "error", err)
	}
	if err := v.show(e.Code.Status(), "failure", "That did not work", e); err != nil {
		v.o.Log.Error("the page failed", "room", v.room, "error", err)
	}
}
