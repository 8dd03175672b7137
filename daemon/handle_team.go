package daemon

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/team"
)

// getTeam answers of what is known here; ask=1 asks the shared place, too.
func (d *Daemon) getTeam(c echo.Context) error {
	if err := onlyParams(c.QueryParams(), "ask"); err != nil {
		return err
	}
	ctx := c.Request().Context()
	out, err := d.teamHere(ctx)
	if err != nil {
		return err
	}
	if out.Joined && c.QueryParam("ask") != "" {
		unhurried(c)
		over, err := d.team.Overview(ctx)
		if err != nil {
			return err
		}
		for _, m := range over.Members {
			out.Members = append(out.Members, api.TeamMember(m))
		}
		for _, p := range over.Pending {
			out.Pending = append(out.Pending, api.TeamPending(p))
		}
	}
	return c.JSON(http.StatusOK, out)
}

func (d *Daemon) teamHere(ctx context.Context) (api.Team, error) {
	out := api.Team{Projects: []api.TeamProject{}, Items: map[string]int{}, Held: []api.TeamHeld{}, Muted: []string{}}
	t, joined, err := d.db.Team(ctx)
	if err != nil || !joined {
		return out, err
	}
	out.Joined, out.Team, out.Member, out.Machine, out.Host = true, t.Name, t.Member, t.Machine, t.Host
	projects, err := d.db.TeamProjects(ctx)
	if err != nil {
		return out, err
	}
	for _, p := range projects {
		wire := api.TeamProject{Key: p.Key, Project: p.Project}
		if p.Pulled > 0 {
			wire.Pulled = time.UnixMilli(p.Pulled).UTC()
		}
		out.Projects = append(out.Projects, wire)
	}
	counts, err := d.db.TeamCounts(ctx)
	if err != nil {
		return out, err
	}
	for state, n := range counts {
		out.Items[string(state)] = n
	}
	if muted, err := d.db.MutedAuthors(ctx); err != nil {
		return out, err
	} else if len(muted) > 0 {
		out.Muted = muted
	}
	held, err := d.team.Held(ctx)
	if err != nil {
		return out, err
	}
	out.Held = append(out.Held, wireHeld(held)...)
	synced, failed := d.teamwork.last()
	if !synced.IsZero() {
		out.Synced = synced.UTC()
	}
	if failed != nil {
		out.Problem = d.loggable(failed)
	}
	return out, nil
}

func wireHeld(list []team.Held) []api.TeamHeld {
	out := make([]api.TeamHeld, len(list))
	for i, h := range list {
		out[i] = api.TeamHeld{Project: h.Project, Title: h.Title.String(), Rules: h.Rules}
	}
	return out
}
