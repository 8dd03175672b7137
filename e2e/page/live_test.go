//go:build browser

package page

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// perSecond is how many events a crowd of agents sends.
const perSecond = 50

// Today is open while many events arrive, for MINUTES (a figure of docs/page.md; once, by hand). What
// it holds after the first minute is what it holds at the end: its list does not grow.
func TestTodayDoesNotGrow(t *testing.T) {
	minutes, err := strconv.Atoi(os.Getenv("MINUTES"))
	if err != nil || minutes < 2 {
		t.Skip("MINUTES=5 make test-page runs this")
	}
	s, b := emptySite(t), newBrowser(t)
	s.up()
	b.open(t, s)
	send := s.sender(t)
	var first, last holding
	for minute := range minutes {
		began := time.Now()
		crowd(60*perSecond, func(i int) { send(minute*60*perSecond + i) })
		t.Logf("%d events in %.0f s", 60*perSecond, time.Since(began).Seconds())
		b.shows(t, fmt.Sprintf("make step-%d", (minute+1)*60*perSecond-1))
		last = b.holding(t)
		if minute == 0 {
			first = last
		}
		t.Logf("after %d minutes: %d KiB of script's memory, %d rows", minute+1, last.bytes>>10, last.rows)
	}
	if last.rows > 2*first.rows || last.bytes > first.bytes+first.bytes/2 {
		t.Errorf("it grew from %+v to %+v", first, last)
	}
	b.fine(t)
}

// crowd does something n times, perSecond times a second, as several agents at once would.
func crowd(n int, do func(int)) {
	const agents = 8
	tick, turns := time.NewTicker(time.Second/perSecond), make(chan int)
	defer tick.Stop()
	var all sync.WaitGroup
	for range agents {
		all.Go(func() {
			for i := range turns {
				do(i)
			}
		})
	}
	for i := range n {
		<-tick.C
		turns <- i
	}
	close(turns)
	all.Wait()
}

type holding struct {
	bytes int64
	rows  int
}

// holding is what a room holds once what nobody needs is gone.
func (b *browser) holding(t *testing.T) (h holding) {
	t.Helper()
	b.run(t, heapprofiler.Enable(), heapprofiler.CollectGarbage(), heapprofiler.Disable(),
		chromedp.Evaluate(`document.querySelectorAll("#live li").length`, &h.rows))
	b.run(t, chromedp.ActionFunc(func(ctx context.Context) error {
		used, _, _, _, err := runtime.GetHeapUsage().Do(ctx)
		h.bytes = int64(used)
		return err
	}))
	return h
}

// sender sends events of ten sessions over HTTP: a process for each would be what is measured.
func (s *site) sender(t *testing.T) func(int) {
	t.Helper()
	token, err := os.ReadFile(filepath.Join(s.home, "token"))
	if err != nil {
		t.Fatal(err)
	}
	address := s.base[:strings.Index(s.base, "/page/")] + "/hooks/claude"
	return func(i int) {
		body := fmt.Sprintf(`{"hook_event_name":"PostToolUse","session_id":"crowd-%d","cwd":"/home/dev/shop",`+
			`"tool_name":"Bash","tool_input":{"command":"make step-%d"},"tool_response":{"stdout":"ok"}}`, i%10, i)
		req, err := http.NewRequest(http.MethodPost, address, strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return
		}
		req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Errorf("event %d: %d", i, resp.StatusCode)
		}
	}
}
