package page

import (
	"errors"
	"net/http"
	"strings"

	"keepmum/api"
)

// section are settings that belong together.
type section struct {
	Name     string
	Settings []api.Setting
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
			d.Sections = append(d.Sections, section{Name: name})
		}
		last := &d.Sections[len(d.Sections)-1]
		last.Settings = append(last.Settings, s)
	}
	return v.show(status, "settings", "Settings", d)
}

// setting changes one setting, by the same check as `mum config set`.
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

// mend does what the doctor says is safe.
func (v *visit) mend() error {
	var out api.Check
	if err := v.post("/doctor/"+v.form("check"), struct{}{}, &out); err != nil {
		return err
	}
	return v.back(out.Check + ": " + out.Detail)
}
