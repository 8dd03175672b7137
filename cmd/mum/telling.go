package main

import (
	"net/url"
	"sync"

	"keepmum/capture"
	"keepmum/config"
	"keepmum/privacy"
)

// telling is the gate for the program's own output, built when it is needed.
type telling struct {
	once sync.Once
	gate *privacy.Gate
}

// clean removes secrets from what is printed of arguments and settings: an agent may have run this, and people paste it
// into reports.
func (a *app) clean(text string) string {
	a.telling.once.Do(func() {
		gate, err := a.gateHere("", "")
		// the output may be about these settings
		if err != nil || gate.Mode() == privacy.ModeNone || capture.RedactsPlainWords(gate) {
			if gate, err = privacy.New(privacy.Options{Home: a.userHome}); err != nil {
				return
			}
		}
		a.telling.gate = gate
	})
	if a.telling.gate == nil {
		return "(not told: there is no gate)"
	}
	c, _ := a.telling.gate.Text(text)
	return c.String()
}

// shown returns a setting for display, without secrets.
func (a *app) shown(v any) any {
	switch v := v.(type) {
	case string:
		return a.clean(withoutCredentials(v))
	case []string:
		out := make([]string, len(v))
		for i, s := range v {
			out[i] = a.clean(withoutCredentials(s))
		}
		return out
	case []config.Pattern:
		out := make([]config.Pattern, len(v))
		for i, p := range v {
			keywords, _ := a.shown(p.Keywords).([]string)
			out[i] = config.Pattern{Name: a.clean(p.Name), Regex: a.clean(p.Regex), Keywords: keywords}
		}
		return out
	}
	return v
}

// withoutCredentials hides the parts of a URL that may be a key: the user, and the values of its query.
func withoutCredentials(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return text
	}
	if u.User != nil {
		u.User = url.User("hidden")
	}
	if query := u.Query(); len(query) > 0 {
		for name := range query {
			query.Set(name, "hidden")
		}
		u.RawQuery = query.Encode()
	}
	if u.Fragment != "" {
		u.Fragment = "hidden"
	}
	return u.String()
}
