//go:build browser

package page

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

var rooms = []string{
	"today", "search?q=deploy", "sessions", "session/1", "entry/1", "edit", "memories", "memories?room=payments", "memory",
	"review", "gotchas", "told", "privacy", "health", "runs", "runs/last", "team", "settings", "keys",
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
			b.run(t, emulation.SetDeviceMetricsOverride(width, 900, 1, false), chromedp.Navigate(s.base+path),
				chromedp.WaitVisible("h1", chromedp.ByQuery),
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
		b.look(t, s, path, room)
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
	const ask = `axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}).then(r =>
		r.violations.map(v => v.impact + " " + v.id + ": " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + " " +
		n.any.map(a => a.message).join(" ").slice(0, 160)).join(" | ")))`
	var all []string
	b.run(t, emulation.SetDeviceMetricsOverride(1280, 900, 1, false),
		likes(scheme),
		chromedp.Navigate(address), chromedp.WaitVisible("h1", chromedp.ByQuery), chromedp.Evaluate(axe+";0", nil),
		chromedp.Evaluate(ask, &all, awaited))
	for _, f := range all {
		if strings.HasPrefix(f, "serious") || strings.HasPrefix(f, "critical") {
			out = append(out, f)
		}
	}
	return out
}

func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

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
		t.Logf("%-24s first byte %5.2f, whole %5.2f times a search", room, float64(first)/float64(search),
			float64(whole)/float64(search))
		if first > 5*search || whole > 20*search {
			t.Errorf("%s takes %s and %s, a search %s", room, first, whole, search)
		}
	}
}
