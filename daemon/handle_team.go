package daemon

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/lazyregexp"
	"keepmum/privacy"
	"keepmum/store"
	"keepmum/team"
)

// getTeam returns what is known on this machine; with ask=1 it also asks the shared database.
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
			out.Pending = append(out.Pending, api.TeamReceipt(p))
		}
	}
	return c.JSON(http.StatusOK, out)
}

func (d *Daemon) teamHere(ctx context.Context) (api.Team, error) {
	out := api.Team{Projects: []api.TeamProject{}, Items: map[string]int{}, Held: []api.TeamHeld{}, Muted: []string{}}
	t, joined, err := d.db.Team(ctx)
	if err != nil {
		return out, err
	}
	if !joined {
		if errors.Is(d.teamwork.last(), error(team.ErrRemoved)) {
			out.Problem, out.Fix = team.ErrRemoved.What, team.ErrRemoved.Hint
		}
		return out, nil
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
	out.Synced, out.Problem, out.Fix = d.teamStands(t)
	out.Listens = d.teamwork.listens.Load()
	if p := d.team.Progress(); p != nil {
		wire := api.TeamProgress(*p)
		out.Progress = &wire
	}
	return out, nil
}

// teamStands returns when the last sync succeeded, why the latest attempt failed, and the command that fixes it.
func (d *Daemon) teamStands(t store.TeamRow) (synced time.Time, problem, fix string) {
	if t.Synced > 0 {
		synced = time.UnixMilli(t.Synced).UTC()
	}
	failed := d.teamwork.last()
	if failed == nil {
		return synced, "", ""
	}
	e := d.wireError(failed)
	if e.Message == unknownFailure {
		return synced, d.loggable(failed), "mum team sync"
	}
	return synced, e.Message, e.Hint
}

// teamGlance returns the team's part of GET /status; nil outside a team.
func (d *Daemon) teamGlance(ctx context.Context) (*api.TeamGlance, error) {
	t, joined, err := d.db.Team(ctx)
	if err != nil || !joined {
		return nil, err
	}
	projects, err := d.db.TeamProjects(ctx)
	if err != nil {
		return nil, err
	}
	n, err := d.db.TeamCounts(ctx)
	if err != nil {
		return nil, err
	}
	out := &api.TeamGlance{Team: t.Name, Member: t.Member, Machine: t.Machine, Host: t.Host, Projects: len(projects),
		Shared: n[store.TeamSame], Waiting: n[store.TeamOut] + n[store.TeamForget], Held: n[store.TeamHeld]}
	out.Synced, out.Problem, out.Fix = d.teamStands(t)
	return out, nil
}

// getTeamReceipts returns, for forgotten items, which machines have proved that their copy is gone.
func (d *Daemon) getTeamReceipts(c echo.Context) error {
	q := c.QueryParams()
	if err := onlyParams(q, "project"); err != nil {
		return err
	}
	unhurried(c)
	list, err := d.team.Receipts(c.Request().Context(), q.Get("project"))
	if err != nil {
		return err
	}
	out := api.TeamReceipts{Receipts: []api.TeamReceipt{}}
	for _, r := range list {
		out.Receipts = append(out.Receipts, api.TeamReceipt(r))
	}
	return c.JSON(http.StatusOK, out)
}

// getTeamSearch searches the shared database, including projects that this machine does not have. The results are text
// from others and pass the gate.
func (d *Daemon) getTeamSearch(c echo.Context) error {
	q := c.QueryParams()
	if err := onlyParams(q, "q", "project", "limit"); err != nil {
		return err
	}
	limit, err := intParam(q, "limit", 10, 1, 100)
	if err != nil {
		return err
	}
	unhurried(c)
	began := time.Now()
	found, err := d.team.Search(c.Request().Context(), q.Get("q"), q.Get("project"))
	if err != nil {
		return err
	}
	out := d.rankTeam(q.Get("q"), found, limit)
	out.TookMS = ms(time.Since(began))
	return c.JSON(http.StatusOK, out)
}

// rankTeam selects the best results and passes only those through the gate, because hundreds are found and ten are
// shown. A result that no longer contains a word of the query after cleaning is dropped.
func (d *Daemon) rankTeam(query string, found []team.Match, limit int) api.TeamFound {
	texts := make([]store.RankText, len(found))
	for i, m := range found {
		texts[i] = store.RankText{Title: m.Content.Title, Body: m.Content.Body}
	}
	ranked := store.Rank(query, texts)
	out := api.TeamFound{Results: []api.TeamMatch{}, Total: len(ranked)}
	place := newTeamPlace(d)
	for _, r := range ranked[:min(len(ranked), limit)] {
		m := found[r.At]
		c, _ := place.clean(m.Content)
		clean := store.Rank(query, []store.RankText{{Title: c.Title.String(), Body: c.Body.String()}})
		if len(store.Rank(query, []store.RankText{{Title: untagged(c.Title), Body: untagged(c.Body)}})) == 0 {
			out.Total--
			continue
		}
		out.Results = append(out.Results, api.TeamMatch{Project: place.word(m.Project).String(), Item: m.ID, Kind: m.Kind,
			Author: m.Author, Machine: place.word(m.Machine).String(), Date: m.At, Title: c.Title.String(),
			Snippet: clean[0].Snippet, Score: r.Score})
	}
	return out
}

// secretTag is the end of a placeholder: four digits of a keyed hash, which contain a part of a query by chance.
var secretTag = lazyregexp.New(`#[0-9a-f]{4}\]`)

func untagged(c privacy.Clean) string { return secretTag.Get().ReplaceAllString(c.String(), "]") }

func wireHeld(list []team.Held) []api.TeamHeld {
	out := make([]api.TeamHeld, len(list))
	for i, h := range list {
		out[i] = api.TeamHeld{Project: h.Project, Title: h.Title.String(), Rules: h.Rules}
	}
	return out
}
