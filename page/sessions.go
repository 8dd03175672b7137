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

type sessionsData struct {
	Sessions []api.SessionInfo
	Periods  []period
	Older    string
	Project  string
	Projects []api.Project
}

// sessions shows a bar for each session: length by time, thickness by events, colour by outcome.
func (v *visit) sessions() error {
	in := v.r.URL.Query()
	q := url.Values{"limit": {"40"}}
	for _, name := range []string{"before", "project"} {
		if value := in.Get(name); value != "" {
			q.Set(name, value)
		}
	}
	var list api.SessionList
	var known api.ProjectList
	if err := v.get("/sessions", q, &list); err != nil {
		return err
	}
	if err := v.get("/projects", nil, &known); err != nil {
		return err
	}
	d := sessionsData{Sessions: list.Sessions, Project: in.Get("project"), Projects: known.Projects}
	for _, s := range list.Sessions {
		title := fmt.Sprintf("%s in %s: %s, %s", s.Agent, s.Project, plural(s.Events, "event", "events"), outcome(s))
		d.Periods = append(d.Periods, period{Title: title, From: s.Started, To: s.Last, Events: s.Events,
			Class: map[string]string{"failures": "bad", "ended": "good", "open": "fill"}[outcome(s)]})
	}
	if n := len(list.Sessions); list.More {
		d.Older = with(in, "before", list.Sessions[n-1].Last.UTC().Format(time.RFC3339Nano))
	}
	return v.show(http.StatusOK, "sessions", "Sessions", d)
}

// outcome returns how a session went: a tenth of its events failed, it ended, or it continues.
func outcome(s api.SessionInfo) string {
	switch {
	case s.Failed*10 > s.Events:
		return "failures"
	case s.Ended != nil:
		return "ended"
	}
	return "open"
}

// step is a prompt, what the agent did for it, and the answer.
type step struct {
	Prompt  *api.Event
	Done    []api.Event
	Answers []api.Event
	Digest  *api.Event
}

type sessionData struct {
	api.SessionInfo
	Steps   []step
	Next    int64
	Private bool
	Told    []api.Receipt
	Tokens  int
}

// session shows one session as a story: prompt, actions, answer.
func (v *visit) session() error {
	var d sessionData
	if err := v.get("/sessions/"+v.rest, nil, &d.SessionInfo); err != nil {
		return err
	}
	after := v.r.URL.Query().Get("after")
	q := url.Values{"session": {v.rest}, "oldest": {"true"}, "limit": {"200"}}
	if after != "" {
		q.Set("after", after)
	}
	var feed api.Feed
	if err := v.get("/feed", q, &feed); err != nil {
		return err
	}
	d.Steps, d.Private = story(feed.Events), hasHooks(d.Agent)
	if feed.More {
		d.Next = feed.Events[len(feed.Events)-1].ID
	}
	var told api.ToldList
	if err := v.get("/told", url.Values{"session": {v.rest}, "limit": {"50"}}, &told); err != nil {
		return err
	}
	d.Told = told.Receipts
	for _, r := range told.Receipts {
		d.Tokens += r.Tokens
	}
	return v.show(http.StatusOK, "session", cmp.Or(d.Title, "Session of "+d.Agent), d)
}

// story groups events, oldest first, under the prompts that they answer.
func story(events []api.Event) (out []step) {
	for i := range events {
		e := &events[i]
		if e.Type == "prompt" || len(out) == 0 {
			out = append(out, step{})
		}
		last := &out[len(out)-1]
		switch e.Type {
		case "prompt":
			last.Prompt = e
		case "answer":
			last.Answers = append(last.Answers, *e)
		case "summary":
			last.Digest = e
		default:
			last.Done = append(last.Done, *e)
		}
	}
	return out
}

type toldData struct {
	api.ToldList
	Columns []column
	Tokens  int64
	Times   int64
	Older   string
	Silent  []api.Observation // muted entries
}

// told shows what agents were told, and the cost this week.
func (v *visit) told() error {
	if v.rest != "" {
		return v.receipt()
	}
	in, q := v.r.URL.Query(), url.Values{"limit": {"30"}}
	if b := in.Get("before"); b != "" {
		q.Set("before", b)
	}
	var d toldData
	if err := v.get("/told", q, &d.ToldList); err != nil {
		return err
	}
	for i := len(d.Week) - 1; i >= 0; i-- { // oldest first
		s := d.Week[i]
		d.Tokens, d.Times = d.Tokens+s.Tokens, d.Times+s.Times
		d.Columns = append(d.Columns, column{Value: s.Tokens,
			Title: fmt.Sprintf("%s in %s: %s in %s", s.Agent, s.Project, plural(s.Tokens, "token", "tokens"),
				plural(s.Times, "time", "times"))})
	}
	if n := len(d.Receipts); d.More {
		d.Older = with(in, "before", strconv.FormatInt(d.Receipts[n-1].ID, 10))
	}
	if n := min(len(d.Muted), 50); n > 0 {
		var ids []string
		for _, id := range d.Muted[:n] {
			ids = append(ids, strconv.FormatInt(id, 10))
		}
		var out api.Observations
		if err := v.get("/observation/"+strings.Join(ids, ","), nil, &out); err != nil {
			return err
		}
		d.Silent = out.Observations
	}
	return v.show(http.StatusOK, "told", "Told", d)
}

type receiptData struct {
	api.Injection
	Muted map[int64]bool
}

// receipt shows the lines of one injection, with their scores.
func (v *visit) receipt() error {
	d := receiptData{Muted: map[int64]bool{}}
	if err := v.get("/injection/"+v.rest, nil, &d.Injection); err != nil {
		return err
	}
	var list api.ToldList
	if err := v.get("/told", url.Values{"limit": {"1"}}, &list); err != nil {
		return err
	}
	for _, id := range list.Muted {
		d.Muted[id] = true
	}
	return v.show(http.StatusOK, "receipt", "Told "+v.rest, d)
}
