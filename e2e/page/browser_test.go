//go:build browser

package page

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser is a tab, and what went wrong in it.
type browser struct {
	context.Context
	mu    sync.Mutex
	wrong []string
	host  string
}

func newBrowser(t *testing.T, flags ...chromedp.ExecAllocatorOption) *browser {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox,
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(patience))
	options = append(options, flags...)
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

// patience is how long a test waits for a condition before it gives up: on a machine with much
// else to do all takes twenty times as long.
const patience = 4 * time.Minute

// says evaluates a condition; between two rooms there is nothing that could be asked.
func (b *browser) says(script string) (ok bool) {
	ctx, cancel := context.WithTimeout(b, patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate("!!("+script+")", &ok)) == nil && ok
}

func quoted(s string) string { return strconv.Quote(s) }

func (b *browser) run(t *testing.T, actions ...chromedp.Action) {
	t.Helper()
	ctx, cancel := context.WithTimeout(b, patience)
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
	b.enter(t, s, s.address())
}

// enter opens the page by an address of its own.
func (b *browser) enter(t *testing.T, s *site, address string) {
	t.Helper()
	b.host = address[:strings.Index(address, "/in?")]
	var at string
	b.run(t, chromedp.Navigate(address), chromedp.WaitVisible("h1", chromedp.ByQuery), chromedp.Location(&at))
	s.base = strings.TrimSuffix(at, "today")
	if s.base == at {
		t.Fatalf("the address led to %s", at)
	}
}
