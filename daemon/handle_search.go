package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/recall"
	"keepmum/store"
)

// onlyParams rejects unknown query parameters: with a misspelt filter, the result would contain what should be filtered
// out.
func onlyParams(q url.Values, known ...string) error {
	for name := range q {
		if !slices.Contains(known, name) {
			return failure(api.Invalid, "there is a query parameter that this endpoint does not know",
				"it knows "+strings.Join(known, ", "))
		}
	}
	return nil
}

func intParam(q url.Values, name string, fallback, low, high int) (int, error) {
	s := q.Get(name)
	if s == "" {
		return fallback, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < low || n > high {
		return 0, failure(api.Invalid, name+" must be "+strconv.Itoa(low)+".."+strconv.Itoa(high), "docs/api.md")
	}
	return n, nil
}

// timeParam parses RFC 3339, or a day in UTC.
func timeParam(q url.Values, name string) (time.Time, error) {
	s := q.Get(name)
	if s == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{},
		failure(api.Invalid, name+" must be a time like 2026-03-01T14:23:05Z or a day like 2026-03-01", "docs/api.md")
}

var searchTypes = []string{"all", "observation", "prompt", "session", "summary", "memory", "commit", "note"}

func (d *Daemon) searchQuery(c echo.Context) (store.Query, error) {
	q := c.QueryParams()
	if err := onlyParams(q, "q", "project", "directory", "type", "branch", "tool", "file", "agent", "since", "until",
		"as_of", "mode", "limit", "offset", "replaced"); err != nil {
		return store.Query{}, err
	}
	limit, err1 := intParam(q, "limit", 20, 1, 100)
	offset, err2 := intParam(q, "offset", 0, 0, 10_000)
	since, err3 := timeParam(q, "since")
	until, err4 := timeParam(q, "until")
	then, err6 := d.asOfParam(q.Get("as_of"))
	kind := q.Get("type")
	if kind == "" {
		kind = "all"
	}
	var err5 error
	if !slices.Contains(searchTypes, kind) {
		err5 = failure(api.Invalid, "type must be one of "+strings.Join(searchTypes, ", "), "docs/api.md")
	}
	if err := firstError(err1, err2, err3, err4, err5, err6); err != nil {
		return store.Query{}, err
	}
	query := store.Query{
		Text: q.Get("q"), Type: store.Kind(kind), Branch: q.Get("branch"), Tool: q.Get("tool"),
		File: q.Get("file"), Agent: q.Get("agent"), Since: since, Until: until, AsOf: then, Limit: limit, Offset: offset,
	}
	switch name, dir := q.Get("project"), q.Get("directory"); {
	case name != "" && name != "*":
		query.ProjectID, err1 = d.db.ProjectNamed(c.Request().Context(), name)
	case name == "" && dir != "":
		query.ProjectID, err1 = d.projectAt(c, dir)
	}
	query.Everywhere = d.everywhere()
	if err1 == nil {
		query.Without, err1 = d.notOnBranch(c.Request().Context(), d.branchOf(q))
	}
	return query, err1
}

// projectAt finds the project of a directory. For an unknown directory it returns an id that no project has, so that a
// search finds nothing rather than everything.
func (d *Daemon) projectAt(c echo.Context, dir string) (int64, error) {
	return d.projectIn(c.Request().Context(), dir)
}

func (d *Daemon) projectIn(ctx context.Context, dir string) (int64, error) {
	found, ok, err := d.db.FindProject(ctx, projectRef(d.intake.Project(dir)))
	if err == nil && !ok {
		return store.NoProject, nil
	}
	return found, err
}

// Modes of a search.
const (
	modeAuto    = "auto"    // words, and embeddings if a model is available
	modeExact   = "exact"   // the literal text
	modeWords   = "words"   // only words
	modeMeaning = "meaning" // only embeddings
)

func searchModes() []string { return []string{modeAuto, modeExact, modeWords, modeMeaning} }

// byMode sets the requested mode of a query. Embeddings exist only for the present state.
func (d *Daemon) byMode(ctx context.Context, q store.Query, mode string) (store.Query, error) {
	switch {
	case mode != "" && !slices.Contains(searchModes(), mode):
		return q, failure(api.Invalid, "mode must be one of "+strings.Join(searchModes(), ", "), "docs/api.md")
	case mode == modeMeaning && !q.AsOf.IsZero():
		return q, failure(api.Invalid, "mode meaning cannot be combined with as_of: vectors exist only for the present",
			"use --mode words")
	case mode == modeExact:
		q.Exact = strings.TrimSpace(q.Text) != ""
	case mode != modeWords && q.AsOf.IsZero():
		q.Meaning, q.Nearest = d.meaning(ctx, q.Text), mode == modeMeaning
	}
	if mode == modeMeaning && q.Text != "" && q.Meaning.Values == nil {
		return q, failure(api.Conflict, "there is no embedding model", "use --mode words")
	}
	return q, nil
}

func (d *Daemon) getSearch(c echo.Context) error {
	query, err := d.searchQuery(c)
	if err != nil {
		return err
	}
	began := time.Now()
	if query, err = d.byMode(c.Request().Context(), query, c.QueryParam("mode")); err != nil {
		return err
	}
	found, err := d.db.Search(c.Request().Context(), query)
	if err != nil {
		return err
	}
	out := api.SearchResults{Results: []api.Result{}, Total: found.Total, Corrections: found.Corrections,
		NoWords: found.NoWords}
	if query.Type == store.KindCommit || query.Type == "all" && found.Total == 0 {
		if out.CommitsUnread, err = d.commitsUnread(c.Request().Context(), query.ProjectID); err != nil {
			return err
		}
	}
	for _, h := range found.Hits {
		out.Results = append(out.Results, api.Result{
			ID: h.ID, Type: string(h.Type), Date: h.Date.UTC(), Tool: h.Tool, Title: h.Title, Snippet: h.Snippet,
			Files: h.Files, Project: h.Project, ProjectID: h.ProjectID, Session: h.Session, Branch: h.Branch,
			Agent: h.Agent, Score: h.Score, Origin: originOf(h.Type, h.Role, h.Who, h.Tool),
		})
	}
	err = d.nameWriters(c.Request().Context(), len(out.Results), func(i int) writer {
		r := &out.Results[i]
		return writer{r.ID, r.Type, &r.Origin, &r.Withheld}
	})
	if err != nil {
		return err
	}
	if c.QueryParam("replaced") == "true" {
		if err := d.markReplaced(c, query, out.Results); err != nil {
			return err
		}
	}
	out.TookMS = ms(time.Since(began))
	return c.JSON(http.StatusOK, out)
}

// markReplaced names, for each result that a later entry changed or took back, that entry.
func (d *Daemon) markReplaced(c echo.Context, q store.Query, results []api.Result) error {
	src := d.pastOn(d.branchOf(c.QueryParams()), q.Without)
	settled, err := recall.Answers(c.Request().Context(), asOf(src, q.AsOf),
		store.Subjects{Text: q.Text, Projects: []int64{q.ProjectID}, All: q.ProjectID == 0})
	for _, s := range settled {
		for i := range results {
			if results[i].ID == s.ID {
				results[i].ReplacedBy = s.Replaced
			}
		}
	}
	return err
}

func (d *Daemon) getObservations(c echo.Context) error {
	ids, err := idList(c.Param("ids"))
	if err != nil {
		return err
	}
	rows, err := d.db.Observations(c.Request().Context(), ids)
	if err != nil {
		return err
	}
	commits, err := d.db.Commits(c.Request().Context(), ids)
	if err != nil {
		return err
	}
	out := api.Observations{Observations: []api.Observation{}}
	for _, r := range rows {
		out.Observations = append(out.Observations, wireObservation(r))
	}
	showCommits(out.Observations, commits)
	if err := d.showMemories(c.Request().Context(), out.Observations); err != nil {
		return err
	}
	for _, id := range ids {
		if !slices.ContainsFunc(rows, func(r store.ObservationRow) bool { return r.ID == id }) {
			out.Missing = append(out.Missing, id)
		}
	}
	if len(rows) == 0 {
		return failure(api.NotFound, api.NoEntry(ids), "mum search finds ids")
	}
	d.noteAsked(c, ids...)
	return c.JSON(http.StatusOK, out)
}

// writer is an entry whose writer is to be named, if it is a memory.
type writer struct {
	id       int64
	kind     string
	origin   *string
	withheld *bool
}

// nameWriters sets the origin of those of n entries that are memories: the user's or an agent's word, or one that came
// with a repository. Of these it says which are not for agents.
func (d *Daemon) nameWriters(ctx context.Context, n int, entry func(i int) writer) error {
	var ids []int64
	for i := range n {
		if e := entry(i); e.kind == string(store.KindMemory) {
			ids = append(ids, e.id)
		}
	}
	rows, err := d.memoriesOf(ctx, ids)
	for i := range n {
		if e := entry(i); rows[e.id] != nil {
			*e.origin, *e.withheld = wordOf(rows[e.id]), notForAgents(rows[e.id])
		}
	}
	return err
}

// notForAgents reports whether someone else wrote a memory, and it reads like an instruction.
func notForAgents(m *store.MemoryRow) bool {
	return m.Cloned && recall.NotForAgents(m.Title+"\n"+m.Text)
}

// memoriesOf returns the memories with these numbers, in whatever state.
func (d *Daemon) memoriesOf(ctx context.Context, ids []int64) (map[int64]*store.MemoryRow, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := d.db.Memories(ctx, store.MemoryFilter{IDs: ids, AnyState: true})
	out := map[int64]*store.MemoryRow{}
	for i := range rows {
		out[rows[i].ID] = &rows[i]
	}
	return out, err
}

// showMemories adds to entries that are memories whose word they are, whether they still hold, and what they were
// learned from. The indexed text also contains the tags.
func (d *Daemon) showMemories(ctx context.Context, entries []api.Observation) error {
	var ids []int64
	for i := range entries {
		if entries[i].Type == string(store.KindMemory) {
			ids = append(ids, entries[i].ID)
		}
	}
	rows, err := d.memoriesOf(ctx, ids)
	for i := range entries {
		e := &entries[i]
		m := rows[e.ID]
		if m == nil || err != nil {
			continue
		}
		e.Text, e.Origin, e.State, e.Confidence, e.Evidence = m.Body(), wordOf(m), string(m.State), d.effective(m), heardIn(m)
		e.Withheld = notForAgents(m)
		if m.SupersededBy == "" {
			continue
		}
		var g *linkGraph
		if g, err = d.graphOf(ctx, m.Project); err == nil {
			if now := g.now(m); now != m {
				e.ReplacedBy = now.ID
			}
		}
	}
	return err
}

// heardIn returns the entries that a memory was learned from.
func heardIn(m *store.MemoryRow) (ids []int64) {
	for _, s := range m.Sources() {
		if _, id := store.Place(s.Ref); id != 0 && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// showCommits adds commit details to entries, and removes the line of file names that the indexed text contains.
func showCommits(entries []api.Observation, commits []store.CommitRow) {
	for _, c := range commits {
		for i := range entries {
			if e := &entries[i]; e.ID == c.ID {
				e.Text, e.Commit, e.Instruction, e.Role = c.Message, c.Hash, c.Instruction, ""
			}
		}
	}
}

const maxIDs = 50

func idList(s string) ([]int64, error) {
	var ids []int64
	for part := range strings.SplitSeq(s, ",") {
		id, err := strconv.ParseInt(strings.TrimSpace(part), 10, 64)
		if err != nil || id < 1 || len(ids) == maxIDs {
			return nil, failure(api.Invalid, "ids must be up to 50 numbers separated by commas", "mum search finds ids")
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func wireObservation(r store.ObservationRow) api.Observation {
	text := r.Text
	if r.Type == store.KindObservation { // its text is only the indexed form of input and output
		text = ""
	}
	return api.Observation{
		Type: string(r.Type), Role: r.Role, Origin: originOf(r.Type, r.Role, r.Who, r.Tool), Text: text, ID: r.ID,
		Date: r.Date.UTC(), Agent: r.Agent, Project: r.Project, ProjectID: r.ProjectID, Session: r.Session, Branch: r.Branch,
		Tool: r.Tool, Title: r.Title,
		Input: rawJSON(r.Input), Output: rawJSON(r.Output), Files: r.Files, Failed: r.Failed, Excluded: r.Excluded,
	}
}

// rawJSON returns stored JSON as it is, and other text as a JSON string.
func rawJSON(s string) json.RawMessage {
	if s == "" {
		return nil
	}
	if json.Valid([]byte(s)) {
		return json.RawMessage(s)
	}
	quoted, _ := json.Marshal(s) // encoding a string cannot fail
	return quoted
}

func (d *Daemon) getTimeline(c echo.Context) error {
	if err := onlyParams(c.QueryParams(), "before", "after"); err != nil {
		return err
	}
	ids, err1 := idList(c.Param("id"))
	before, err2 := intParam(c.QueryParams(), "before", 5, 0, 50)
	after, err3 := intParam(c.QueryParams(), "after", 5, 0, 50)
	if err := firstError(err1, err2, err3); err != nil {
		return err
	}
	memories, err := d.memoriesOf(c.Request().Context(), ids[:1])
	if err != nil {
		return err
	}
	if m := memories[ids[0]]; m != nil { // it belongs to no session, but what it was learned from does
		ids = append(heardIn(m), ids...)
	}
	t, err := d.db.Timeline(c.Request().Context(), ids[0], before, after)
	if errors.Is(err, store.ErrNotFound) && len(ids) > 1 { // that was forgotten
		ids = ids[len(ids)-1:]
		t, err = d.db.Timeline(c.Request().Context(), ids[0], before, after)
	}
	if errors.Is(err, store.ErrNotFound) {
		return failure(api.NotFound, fmt.Sprintf("there is no entry %d", ids[0]), "mum search finds ids")
	}
	if err != nil {
		return err
	}
	out := api.Timeline{ID: ids[0], Session: t.Session, Project: t.Project, Moments: []api.Moment{}}
	for _, m := range t.Moments {
		out.Moments = append(out.Moments,
			api.Moment{ID: m.ID, Type: spoken(m.Type, string(m.Role)), Date: m.Date.UTC(), Tool: m.Tool, Title: m.Title})
	}
	err = d.nameWriters(c.Request().Context(), len(out.Moments), func(i int) writer {
		m := &out.Moments[i]
		return writer{m.ID, m.Type, new(string), &m.Withheld}
	})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}
