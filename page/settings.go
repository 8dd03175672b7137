package page

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"keepmum/api"
)

// section is a group of related settings.
type section struct {
	Name     string
	About    string
	Settings []api.Setting
	Changed  int  // not the default
	Refused  bool // the rejected change is in this section
}

// aboutSection returns what the settings of a section are about.
func aboutSection(name string) string {
	return map[string]string{"capture": "what is kept of your agents' work", "compress": "summaries, and who makes them",
		"context": "what agents are told", "daemon": "the process and its address", "egress": "where text may be sent",
		"maintain": "when memories are tidied", "memory": "how memories fade",
		"privacy": "what is removed before anything is stored", "remember": "what agents may save themselves",
		"roles": "models for each task, and their budgets", "runs": "traces of what the daemon did",
		"store": "how long text is kept, and backups", "sync": "which sessions are read, and how often",
	}[name]
}

type settingsData struct {
	Sections []section
	File     string
	Restart  bool
	Refused  string
	Key      string
	Value    string
}

func (v *visit) settings() error { return v.showSettings(http.StatusOK, settingsData{}) }

func (v *visit) showSettings(status int, d settingsData) error {
	var all api.Settings
	if err := v.get("/settings", nil, &all); err != nil {
		return err
	}
	d.File, d.Restart = all.File, all.Restart
	for _, s := range all.Settings {
		name, _, _ := strings.Cut(s.Key, ".")
		if n := len(d.Sections); n == 0 || d.Sections[n-1].Name != name {
			d.Sections = append(d.Sections, section{Name: name, About: aboutSection(name)})
		}
		if len(s.Choices) == 0 {
			s.Choices = eitherOr(s)
		}
		last := &d.Sections[len(d.Sections)-1]
		last.Settings = append(last.Settings, s)
		if s.Origin != "default" {
			last.Changed++
		}
		last.Refused = last.Refused || d.Refused != "" && s.Key == d.Key
	}
	return v.show(status, "settings", "Settings", d)
}

// eitherOr returns the two values of a switch; nil = not a switch.
func eitherOr(s api.Setting) []string {
	for _, two := range [][]string{{"on", "off"}, {"true", "false"}} {
		if slices.Contains(two, s.Text) && slices.Contains(two, s.Default) {
			return two
		}
	}
	return nil
}

// setting changes one setting, with the same check as `mum config set`.
func (v *visit) setting() error {
	in := api.SettingChange{Key: v.form("key"), Value: v.form("value"), Unset: v.form("unset") != ""}
	var out api.SettingChanged
	if err := v.post("/settings", in, &out); err != nil {
		var e *api.Error
		if errors.As(err, &e) && e.Code == api.Invalid {
			return v.showSettings(http.StatusBadRequest, settingsData{Refused: e.Message, Key: in.Key, Value: in.Value})
		}
		return err
	}
	return v.back(out.Key + " is " + out.Value + ". " + out.Effect)
}

// restart restarts the daemon; the page that says so retries until it is back.
func (v *visit) restart() error {
	if err := v.post("/restart", struct{}{}, nil); err != nil {
		return err
	}
	return v.show(http.StatusOK, "restarting", "Restarting", nil)
}

// repair repairs what the doctor considers safe to repair.
func (v *visit) repair() error {
	var out api.Check
	if err := v.post("/doctor/"+v.form("check"), struct{}{}, &out); err != nil {
		return err
	}
	return v.back(out.Check + ": " + out.Detail)
}
