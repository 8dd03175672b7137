package page

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"keepmum/api"
)

// form returns a field of the submitted form.
func (v *visit) form(name string) string { return strings.TrimSpace(v.r.PostForm.Get(name)) }

func (v *visit) pause() error {
	var out api.Paused
	if err := v.post("/pause", api.Pause{For: v.form("for")}, &out); err != nil {
		return err
	}
	if out.Until.IsZero() {
		return v.back("Nothing is captured until you resume.")
	}
	return v.back("Nothing is captured until " + out.Until.Local().Format("15:04") + ".")
}

func (v *visit) resume() error {
	if err := v.post("/resume", struct{}{}, nil); err != nil {
		return err
	}
	return v.back("Capturing again.")
}

func (v *visit) private() error {
	if err := v.post("/private", api.Private{Session: v.form("session"), Agent: v.form("agent")}, nil); err != nil {
		return err
	}
	return v.back("Nothing more of that session is kept. Earlier entries are still there; you can forget them.")
}

// tell hides an entry from agents, or shows it to them again.
func (v *visit) tell() error {
	act := "mute"
	if v.form("again") != "" {
		act = "unmute"
	}
	id := v.form("entry")
	var out api.Muted
	if err := v.post("/told/"+id+"/"+act, struct{}{}, &out); err != nil {
		return err
	}
	if out.Muted {
		return v.back("No agent is told entry " + id + " again. You still find it.")
	}
	return v.back("Agents may be told entry " + id + " again.")
}

// forgetData is what would be removed, and what the user asked for.
type forgetData struct {
	api.Forgotten
	Ask   api.Forget
	Back  string
	Total int
	Done  bool
	Again bool // it has changed since it was shown
}

// Room returns where the form was sent from.
func (d forgetData) Room() string {
	room, _, _ := strings.Cut(d.Back, "/")
	room, _, _ = strings.Cut(room, "?")
	return room
}

// forget first shows everything that would be removed; it then forgets only what it has shown.
func (v *visit) forget() error {
	ask, err := v.forgetAsk()
	if err != nil {
		return err
	}
	d := forgetData{Ask: ask, Back: v.form("back"), Done: v.form("sure") == "yes"}
	ask.DryRun = !d.Done
	if ask.Text != "" { // it is removed from every text that contains it: there is no list to show
		ask.DryRun = false
		if !d.Done {
			return v.show(http.StatusOK, "forget", "Forget", d)
		}
	}
	ask.Confirm = v.form("confirm")
	if !d.Done {
		ask.Confirm = ""
	}
	err = v.post("/forget", ask, &d.Forgotten)
	if e := (*api.Error)(nil); d.Done && errors.As(err, &e) && e.Code == api.Conflict {
		d.Done, d.Again, ask.DryRun, ask.Confirm = false, true, true, ""
		err = v.post("/forget", ask, &d.Forgotten)
	}
	if err != nil {
		return err
	}
	d.Total = len(d.Documents) + len(d.Derived) + len(d.Memories)
	return v.show(http.StatusOK, "forget", "Forget", d)
}

func (v *visit) forgetAsk() (ask api.Forget, err error) {
	ask = api.Forget{
		Query:   v.form("query"),
		Agent:   v.form("agent"),
		Session: v.form("session"),
		Project: v.form("project"),
		Text:    v.form("secret"),
	}
	for _, id := range strings.Fields(strings.ReplaceAll(v.form("ids"), ",", " ")) {
		n, err := strconv.ParseInt(id, 10, 64)
		if err != nil {
			return ask, &api.Error{Code: api.Invalid, Message: "name entries by their numbers", Hint: "as in 12, 15"}
		}
		ask.IDs = append(ask.IDs, n)
	}
	for name, to := range map[string]**time.Time{"since": &ask.Since, "until": &ask.Until} {
		if v.form(name) == "" {
			continue
		}
		at, err := time.ParseInLocation(time.DateOnly, v.form(name), time.Local)
		if err != nil {
			return ask, &api.Error{Code: api.Invalid, Message: name + " must be a day like 2026-03-01"}
		}
		*to = &at
	}
	if ask.Text == "" && len(ask.IDs) == 0 && ask.Query+ask.Agent+ask.Session+ask.Project == "" && ask.Since == nil &&
		ask.Until == nil {
		return ask, &api.Error{Code: api.Invalid, Message: "no entry was named to forget",
			Hint: "give words, a session, a project, days, or entries"}
	}
	return ask, nil
}

// IDs returns the ids of a plan as a form carries them.
func (d forgetData) IDs() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(d.Ask.IDs), " ", ","), "[]")
}
