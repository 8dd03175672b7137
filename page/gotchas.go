package page

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"keepmum/api"
)

type gotchasData struct {
	api.Gotchas
	Dropped []api.Gotcha
}

// gotchas lists failures that were fixed in the same way more than once.
func (v *visit) gotchas() error {
	var d gotchasData
	if err := v.get("/gotchas", url.Values{"soon": {"true"}}, &d.Gotchas); err != nil {
		return err
	}
	d.Gotchas.Gotchas = slices.DeleteFunc(d.Gotchas.Gotchas, func(g api.Gotcha) bool {
		if g.State == "dropped" {
			d.Dropped = append(d.Dropped, g)
		}
		return g.State == "dropped"
	})
	return v.show(http.StatusOK, "gotchas", "Gotchas", d)
}

// gotcha keeps or drops one, or undoes that.
func (v *visit) gotcha() error {
	id, act, _ := strings.Cut(v.rest, "/")
	in := api.GotchaAct{Everywhere: act == "everywhere"}
	if in.Everywhere {
		act = "keep"
	}
	if !slices.Contains([]string{"keep", "drop", "undo"}, act) {
		return errNoRoom
	}
	var out api.Gotcha
	if err := v.post("/gotchas/"+url.PathEscape(id)+"/"+act, in, &out); err != nil {
		return err
	}
	return v.back(map[string]string{
		"kept":       "Kept: agents are told about it, however often it worked.",
		"everywhere": "Kept for all projects.",
		"dropped":    "Dropped: no agent is told about it.",
		"learned":    "Undone: agents are told about it if enough sessions agree.",
	}[out.State])
}
