package page

import (
	"net/http"
	"net/url"
	"slices"

	"keepmum/api"
)

type teamData struct {
	api.Team
	Asked bool
}

// team shows what is shared, what waits and what is held back; on request, also the other members.
func (v *visit) team() error {
	d := teamData{Asked: v.r.URL.Query().Get("ask") != ""}
	q := url.Values{}
	if d.Asked {
		q.Set("ask", "1")
	}
	if err := v.get("/team", q, &d.Team); err != nil {
		return err
	}
	return v.show(http.StatusOK, "team", "Team", d)
}

// inTeam syncs with the shared place now, or mutes or unmutes a member.
func (v *visit) inTeam() error {
	if v.rest == "sync" {
		var out api.TeamSynced
		if err := v.post("/team/sync", struct{}{}, &out); err != nil {
			return err
		}
		return v.back(plural(out.Pushed, "item", "items") + " sent, " + plural(out.Pulled, "item", "items") +
			" received, " + number(out.Held) + " held back.")
	}
	if !slices.Contains([]string{"mute", "unmute"}, v.rest) {
		return errNoRoom
	}
	in := api.TeamMute{Author: v.form("author"), Unmute: v.rest == "unmute"}
	if err := v.post("/team/mute", in, nil); err != nil {
		return err
	}
	if in.Unmute {
		return v.back("Agents here may be told what " + in.Author + " wrote.")
	}
	return v.back("No agent here is told what " + in.Author + " wrote.")
}
