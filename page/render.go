package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"keepmum/api"
	"keepmum/legible"
)

//go:embed assets
var assets embed.FS

// style and script are inlined in each page: one request loads all of it, and the policy names them by their hashes.
var style, script = asset("page.css"), asset("page.js")

func asset(name string) string {
	data, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // it is embedded: the build would be broken
	}
	return string(data)
}

var policy = sync.OnceValue(func() string {
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; style-src " + hash(style) + "; script-src " + hash(script) +
		"; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
})

func parse() *template.Template {
	return template.Must(template.New("page").Funcs(funcs()).ParseFS(assets, "assets/*.html"))
}

// frame is what surrounds the content of every page.
type frame struct {
	Base, Room, Title, Token string
	Said                     note // about the last change
	Version                  string
	Paused                   bool
	Until                    time.Time
	Now                      time.Time
	Style                    template.CSS
	Script                   template.JS
	Icon                     template.URL
	Data                     any
	Here                     string // path and query of this page, to return to
}

// menu returns the menu entry for a page.
func menu(room string) string {
	if in, ok := map[string]string{"review": "memories", "gotchas": "memories", "memory": "memories", "change": "memories",
		"decide": "memories", "session": "sessions", "entry": "search", "runs": "health", "team": "health",
		"setting": "settings", "restart": "settings", "try": "privacy", "verdict": "privacy"}[room]; ok {
		return in
	}
	return room
}

// icon is the favicon: a closed mouth.
const icon = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E" +
	"%3Ccircle cx='8' cy='8' r='8' fill='%23225ea8'/%3E%3Cpath d='M4 9h8' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E"

// show sends a page.
func (v *visit) show(status int, name, title string, data any) error {
	f := frame{
		Base:    v.base,
		Room:    v.room,
		Title:   title,
		Token:   v.formToken(),
		Version: v.o.Version,
		Now:     v.o.Now(),
		Data:    data,
		Style:   template.CSS(style),
		Script:  template.JS(script),
		Icon:    icon,
		Here:    v.here(),
	}
	f.Said = v.notes.take(v.r.URL.Query().Get("said"))
	var p api.Paused
	if err := v.get("/pause", nil, &p); err == nil { // the page is shown even without this
		f.Paused, f.Until = p.Paused, p.Until
	}
	text, err := v.fill(name, f)
	if err != nil {
		return err
	}
	return write(v.w, status, []byte(text))
}

// fill returns a template with its data. All text is legible, wherever it came from; fields of forms stay exact.
func (p *Page) fill(name string, data any) (string, error) {
	var buf strings.Builder
	if err := p.templates().ExecuteTemplate(&buf, name, data); err != nil {
		return "", fmt.Errorf("show %s: %w", name, err)
	}
	if legible.Text(buf.String()) == buf.String() {
		return buf.String(), nil
	}
	var out strings.Builder
	exact := false
	for part := range strings.SplitAfterSeq(buf.String(), ">") { // a text or value has no angle brackets of its own
		text, _, _ := strings.Cut(part, "<")
		tag := part[len(text):]
		if !exact {
			text = legible.Text(text)
		}
		if !strings.Contains(tag, ` value="`) {
			tag = legible.Text(tag)
		}
		exact = strings.HasPrefix(tag, "<textarea")
		out.WriteString(text + tag)
	}
	return out.String(), nil
}

// here returns this page as a path below the base, without its one-time message. A form post cannot be opened again:
// for it, here is the page that sent it.
func (v *visit) here() string {
	if v.r.Method == http.MethodPost {
		if to, err := url.Parse(v.r.PostForm.Get("back")); err == nil && below(to) {
			return to.String()
		}
		return "today"
	}
	q := v.r.URL.Query()
	q.Del("said")
	path := strings.TrimPrefix(v.r.URL.Path, v.base)
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	return path
}

// back answers a change with a redirect to the page it came from, which shows the result.
func (v *visit) back(said string) error { return v.backTo(note{Text: said}) }

func (v *visit) backTo(said note) error {
	to, err := url.Parse(v.r.PostForm.Get("back"))
	if err != nil || !below(to) {
		to = &url.URL{Path: "today"}
	}
	q := to.Query()
	q.Set("said", v.notes.leave(said))
	http.Redirect(v.w, v.r, v.base+to.Path+"?"+q.Encode(), http.StatusSeeOther)
	return nil
}

// below reports whether an address is on this page.
func below(u *url.URL) bool {
	return !u.IsAbs() && u.Host == "" && u.Path != "" && !strings.HasPrefix(u.Path, "/") && !strings.Contains(u.Path, "..")
}

// closed is shown to anyone without access: why, what they typed into a form, how to open the page, and nothing else.
func (p *Page) closed(w http.ResponseWriter, status int, why string, form url.Values) {
	text, err := p.fill("closed", frame{Title: "keepmum", Style: template.CSS(style), Icon: icon, Here: why,
		Data: form})
	if err != nil {
		p.o.Log.Error("the page failed", "error", err)
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	_ = write(w, status, []byte(text)) // the client is gone
}

func write(w http.ResponseWriter, status int, text []byte) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, err := w.Write(text)
	return err
}
