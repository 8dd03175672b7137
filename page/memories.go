package page

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepmum/api"
	"keepmum/sorting"
)

const memoriesPerPage = 50

// memoryRoom is the memories of one project.
type memoryRoom struct {
	Project  string
	Memories []api.Memory
}

type memoriesData struct {
	Projects []memoryRoom
	Rooms    []facet // of keys
	Keys     []facet
	Total    int
	Open     int // proposals
	Q        url.Values
	AsOf     string
	Days     []facet // near AsOf
	Later    string
	First    string
	Decay    []column
	States   []string
}

// memories lists what was learned, by project: today, or as of a day.
func (v *visit) memories() error {
	in := v.r.URL.Query()
	d := memoriesData{Q: in, AsOf: in.Get("asof"), States: []string{"active", "archived", "superseded", "all"}}
	var list api.MemoryList
	path, q := memoryQuery(in)
	if err := v.get(path, q, &list); err != nil {
		return err
	}
	var rooms api.Rooms
	if err := v.get("/memories/rooms", nil, &rooms); err != nil {
		return err
	}
	var open api.Proposals
	if err := v.get("/review", url.Values{"limit": {"0"}}, &open); err != nil {
		return err
	}
	all := list.Memories
	d.Open = open.Open
	d.Rooms, d.Keys = roomFacets(in, rooms.Rooms)
	d.Total, d.Decay, d.Days = list.Total, trustColumns(all), daysNear(in, v.o.Now().Local())
	from := firstOf(in, len(all))
	if from > 0 {
		d.First = with(in, "from", "")
	}
	if len(all) > from+memoriesPerPage {
		d.Later = with(in, "from", strconv.Itoa(from+memoriesPerPage))
	}
	d.Projects = byProject(all[from:min(len(all), from+memoriesPerPage)])
	return v.show(http.StatusOK, "memories", "Memories", d)
}

// memoryQuery returns the API query: a day ends at midnight in the reader's time zone.
func memoryQuery(in url.Values) (path string, q url.Values) {
	path, q = "/memories", url.Values{"limit": {"1000"}}
	for _, name := range []string{"state", "room", "key"} {
		if value := strings.TrimSpace(in.Get(name)); value != "" {
			q.Set(name, value)
		}
	}
	if day, err := time.ParseInLocation(time.DateOnly, in.Get("asof"), time.Local); err == nil {
		q.Set("as_of", day.AddDate(0, 0, 1).Add(-time.Second).Format(time.RFC3339))
		q.Del("state")
	}
	if words := strings.TrimSpace(in.Get("q")); words != "" {
		path = "/memories/search"
		q.Set("q", words)
		q.Set("limit", "100")
		q.Del("room") // searches have no rooms
		q.Del("key")
	}
	return path, q
}

// roomFacets returns the rooms of all keys, and the keys of the selected room.
func roomFacets(in url.Values, all []api.Room) (rooms, keys []facet) {
	base := without(in, "from", "q", "key")
	for _, r := range all {
		f := facet{Value: r.Name, Count: r.Memories, Link: with(base, "room", r.Name), On: in.Get("room") == r.Name}
		if f.On {
			f.Link = with(base, "room", "")
			for _, key := range r.Keys {
				keys = append(keys, facet{Value: key, Link: with(base, "key", key), On: in.Get("key") == key})
			}
		}
		rooms = append(rooms, f)
	}
	return rooms, keys
}

// daysNear returns links to days around the selected one, or before today.
func daysNear(in url.Values, now time.Time) (out []facet) {
	at, err := time.ParseInLocation(time.DateOnly, in.Get("asof"), time.Local)
	past := err == nil
	if !past {
		at = now
	}
	add := func(name string, day time.Time) {
		if day.Before(now) {
			out = append(out, facet{Value: name, Link: with(without(in, "from"), "asof", day.Format(time.DateOnly))})
		}
	}
	add("a month earlier", at.AddDate(0, -1, 0))
	add("a week earlier", at.AddDate(0, 0, -7))
	if past {
		add("a day earlier", at.AddDate(0, 0, -1))
		add("a day later", at.AddDate(0, 0, 1))
		add("a week later", at.AddDate(0, 0, 7))
		out = append(out, facet{Value: "today", Link: with(without(in, "from"), "asof", "")})
	}
	return out
}

// byProject groups memories by project, in the order in which the projects occur.
func byProject(all []api.Memory) (out []memoryRoom) {
	at := map[string]int{}
	for _, m := range all {
		i, ok := at[m.Project]
		if !ok {
			i = len(out)
			at[m.Project] = i
			out = append(out, memoryRoom{Project: m.Project})
		}
		out[i].Memories = append(out[i].Memories, m)
	}
	return out
}

// trustColumns counts memories by their confidence after decay.
func trustColumns(all []api.Memory) []column {
	out := make([]column, 10)
	for _, m := range all {
		out[min(max(int(m.Effective*10), 0), 9)].Value++
	}
	for i := range out {
		out[i].Name = fmt.Sprintf("%d–%d", i*10, i*10+10)
		out[i].Title = fmt.Sprintf("%s trusted by %s %%", plural(out[i].Value, "memory has", "memories have"), out[i].Name)
	}
	return out
}

type memoryData struct {
	api.Memory
	Why      api.MemoryWhy
	Chain    []api.Memory // what it replaced and what replaced it, oldest first
	Held     []api.HeldSpan
	Periods  []period // of Held
	Links    api.MemoryLinks
	Decay    []point
	Days     int
	Conflict bool // the file changed after the form was shown
	Mine     string
	Muted    bool
}

// memory shows one with its history, and a form to edit it.
func (v *visit) memory() error {
	var d memoryData
	if err := v.get("/memories/"+url.PathEscape(v.rest), nil, &d.Memory); err != nil {
		return err
	}
	return v.showMemory(d, http.StatusOK)
}

func (v *visit) showMemory(d memoryData, status int) error {
	id := strconv.FormatInt(d.Entry, 10)
	if err := v.get("/memories/"+id+"/why", nil, &d.Why); err != nil {
		return err
	}
	if err := v.get("/memories/"+id+"/links", nil, &d.Links); err != nil {
		return err
	}
	if err := v.past(&d); err != nil {
		return err
	}
	var err error
	if d.Muted, err = v.muted(d.Entry); err != nil {
		return err
	}
	d.Decay, d.Days = decayOf(&d.Memory, v.o.Now())
	return v.show(status, "memory", d.Title, d)
}

// past reads which values its key had when, or else what it replaced and what replaced it.
func (v *visit) past(d *memoryData) error {
	q := url.Values{}
	if d.Project != "" {
		q.Set("project", strconv.FormatInt(d.ProjectID, 10))
	}
	if d.Key != "" {
		q.Set("key", d.Key)
		var h api.History
		if err := v.get("/memories/history", q, &h); err != nil {
			return err
		}
		if len(h.Spans) > 1 {
			d.Held, d.Periods = h.Spans, periodsOf(h.Spans, v.o.Now())
		}
		return nil
	}
	q.Set("state", "all")
	q.Set("limit", "1000")
	var list api.MemoryList
	if err := v.get("/memories", q, &list); err != nil {
		return err
	}
	d.Chain = chain(list.Memories, d.ID)
	return nil
}

// chain returns the memories that replaced one another, before and after one of them.
func chain(all []api.Memory, id string) (out []api.Memory) {
	linked := map[string]bool{id: true}
	const longest = 50 // steps in each direction; a longer history is cut to its middle
	for range longest {
		grown := false
		for _, m := range all {
			if m.SupersededBy == "" || linked[m.ID] == linked[m.SupersededBy] {
				continue
			}
			linked[m.ID], linked[m.SupersededBy], grown = true, true, true
		}
		if !grown {
			break
		}
	}
	for _, m := range all {
		if linked[m.ID] {
			out = append(out, m)
		}
	}
	sorting.Stable(out, func(a, b api.Memory) int { return a.Created.Compare(b.Created) })
	if len(out) == 1 {
		return nil
	}
	return out
}

// decayOf returns past and present confidence of a memory: the two known values, at its last use and today.
func decayOf(m *api.Memory, now time.Time) ([]point, int) {
	from := m.Updated
	if m.Accessed != nil {
		from = later(from, *m.Accessed)
	}
	days := int(now.Sub(from).Hours() / 24)
	if days < 1 || m.Pinned || math.Abs(m.Effective-m.Confidence) < 0.001 {
		return nil, days
	}
	return []point{{0, m.Confidence}, {1, m.Effective}}, days
}

// change edits, pins, archives or restores a memory.
func (v *visit) change() error {
	id, act, _ := strings.Cut(v.rest, "/")
	path := "/memories/" + url.PathEscape(id) + "/"
	if act != "edit" {
		if !slices.Contains([]string{"pin", "unpin", "archive", "restore"}, act) {
			return errNoRoom
		}
		var out api.MemoryWritten
		if err := v.post(path+act, struct{}{}, &out); err != nil {
			return err
		}
		return v.back(map[string]string{"pin": "It no longer fades.", "unpin": "It fades again if it is not used.",
			"archive": "Archived: no agent is told about it. You can bring it back.", "restore": "It is active again."}[act])
	}
	title, body := v.form("title"), strings.ReplaceAll(v.form("body"), "\r\n", "\n")
	based, err := time.Parse(time.RFC3339Nano, v.form("updated"))
	if err != nil {
		return errForm
	}
	var out api.MemoryWritten
	err = v.post(path+"edit", api.MemoryEdit{Title: &title, Body: &body, Updated: based}, &out)
	var e *api.Error
	if errors.As(err, &e) && e.Code == api.Conflict {
		d := memoryData{Conflict: true, Mine: body}
		if err := v.get("/memories/"+url.PathEscape(id), nil, &d.Memory); err != nil {
			return err
		}
		return v.showMemory(d, http.StatusConflict)
	}
	if err != nil {
		return err
	}
	said := "Written to its file."
	if out.Findings > 0 {
		said += " " + plural(out.Findings, "secret was", "secrets were") + " removed from it."
	}
	return v.back(said)
}

// remember writes a new memory.
func (v *visit) remember() error {
	in := api.MemoryAdd{
		Title:     v.form("title"),
		Body:      v.form("body"),
		Primitive: v.form("primitive"),
		Project:   v.form("project"),
		Global:    v.form("project") == "",
	}
	var out api.MemoryWritten
	if err := v.post("/memories", in, &out); err != nil {
		return err
	}
	return v.back("Written: " + out.Action + ".")
}
