package page

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"keepmum/api"
)

// perPage is how many events a page shows at once.
const perPage = 60

// group is the events of one session on one day.
type group struct {
	Row                     int64
	ID                      string // of the element
	Agent, Session, Project string
	Branch                  string
	Digest                  string // of the session, if one of the events has it
	Events                  []api.Event
	Private                 bool // the agent has hooks, so the session can be made private
}

// todayData is what the first page shows.
type todayData struct {
	Groups []group
	Newest int64
	Older  int64 // where the next page starts; 0 = there is none
	First  bool  // these are the newest
	Empty  bool
}

// today shows new events, by session.
func (v *visit) today() error {
	q := url.Values{"limit": {strconv.Itoa(perPage)}}
	before := v.r.URL.Query().Get("before")
	if before != "" {
		q.Set("before", before)
	}
	var feed api.Feed
	if err := v.get("/feed", q, &feed); err != nil {
		return err
	}
	d := todayData{Groups: grouped(feed.Events), First: before == "", Empty: len(feed.Events) == 0 && before == ""}
	if n := len(feed.Events); n > 0 {
		d.Newest = feed.Events[0].ID
		if feed.More {
			d.Older = feed.Events[n-1].ID
		}
	}
	return v.show(http.StatusOK, "today", "Today", d)
}

// grouped groups events by session and day, most recently active first.
func grouped(events []api.Event) []group {
	var out []group
	at := map[string]int{}
	for _, e := range events {
		id := strconv.FormatInt(e.Row, 10) + "-" + e.Date.Local().Format(time.DateOnly)
		i, ok := at[id]
		if !ok {
			i = len(out)
			at[id] = i
			out = append(out, group{Row: e.Row, ID: id, Agent: e.Agent, Session: e.Session, Project: e.Project,
				Branch: e.Branch, Private: hasHooks(e.Agent)})
		}
		if e.Type == "summary" && out[i].Digest == "" {
			out[i].Digest = cmp.Or(e.Title, e.Text)
		}
		out[i].Events = append(out[i].Events, e)
	}
	return out
}

// hasHooks reports whether a session of an agent can be marked private.
func hasHooks(agent string) bool {
	switch agent {
	case "claude", "codex", "cursor", "opencode":
		return true
	}
	return false
}

// How often a stream checks for new events, how many it sends at once, and how often it sends a sign of life. A second
// feels live; at 50 events a second it is one query.
const (
	liveEvery = time.Second
	liveBatch = 100
	liveAlive = 15 * time.Second
)

// stream sends new events until the reader or the daemon stops.
func (v *visit) stream() error {
	after, err := v.streamStart()
	if err != nil {
		return err
	}
	select {
	case v.Page.live <- struct{}{}:
		defer func() { <-v.Page.live }()
	default:
		return &api.Error{Code: api.Busy, Message: "too many windows of this page are open", Hint: "close one of them"}
	}
	control := http.NewResponseController(v.w)
	_ = control.SetWriteDeadline(time.Time{}) // the stream has no time limit
	v.w.Header().Set("Content-Type", "text/event-stream")
	if _, err := fmt.Fprint(v.w, "retry: 2000\n\n"); err != nil {
		return nil
	}
	_ = control.Flush()
	tick := time.NewTicker(liveEvery)
	defer tick.Stop()
	for quiet := time.Duration(0); ; {
		select {
		case <-v.r.Context().Done():
			return nil
		case <-v.o.Stopping:
			return nil
		case <-tick.C:
		}
		text, newest, err := v.news(after)
		if quiet += liveEvery; err != nil || text == "" && quiet < liveAlive {
			continue
		}
		if text == "" {
			text = ": still here\n\n"
		}
		quiet, after = 0, newest
		if _, err := fmt.Fprint(v.w, text); err != nil || control.Flush() != nil {
			return nil
		}
	}
}

// streamStart returns the entry after which a stream starts, or continues.
func (v *visit) streamStart() (int64, error) {
	after, err := strconv.ParseInt(v.r.URL.Query().Get("after"), 10, 64)
	if last := v.r.Header.Get("Last-Event-ID"); last != "" { // the connection was lost
		after, err = strconv.ParseInt(last, 10, 64)
	}
	if err != nil || after < 0 {
		return 0, &api.Error{Code: api.Invalid, Message: "after must be the number of an entry"}
	}
	return after, nil
}

// news returns the events after one, as a message of a stream; "" = there are none.
func (v *visit) news(after int64) (text string, newest int64, err error) {
	q := url.Values{"after": {strconv.FormatInt(after, 10)}, "limit": {strconv.Itoa(liveBatch)}}
	var feed api.Feed
	if err := v.get("/feed", q, &feed); err != nil || len(feed.Events) == 0 {
		return "", after, err
	}
	newest = feed.Events[0].ID
	f := frame{Base: v.base, Token: v.formToken(), Here: "today", Data: todayData{Groups: grouped(feed.Events)}}
	text, err = v.fill("groups", f)
	if err != nil {
		return "", after, err
	}
	if feed.More { // more arrived than a screen shows: the older ones are on the next page
		text += `<p class="note">More came than is shown here: reload the page.</p>`
	}
	return fmt.Sprintf("id: %d\ndata: %s\n\n", newest, strings.ReplaceAll(text, "\n", "\ndata: ")), newest, nil
}
