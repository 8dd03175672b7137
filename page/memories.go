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
)

const memoriesPerPage = 50

// memoryRoom are the memories of one project.
type memoryRoom struct {
	Project  string
	Memories []api.Memory
}

type memoriesData struct {
	Rooms  []memoryRoom
	Total  int
	Open   int // proposals
	Q      url.Values
	AsOf   string
	Later  string
	First  string
	Decay  []column
	States []string
}

// memories lists what was learned, by project: today, or as it was on a day.
func (v *visit) memories() error {
	in := v.r.URL.Query()
	d := memoriesData{Q: in, AsOf: in.Get("asof"), States: []string{"active", "archived", "superseded", "all"}}
	q := url.Values{"limit": {"1000"}}
	path := "/memories"
	if words := in.Get("q"); words != "" {
		path = "/memories/search"
		q.Set("q", words)
		q.Set("limit", "100")
	}
	if state := in.Get("state"); state != "" {
		q.Set("state", state)
	}
	if d.AsOf != "" {
		q.Set("state", "all")
	}
	var list api.MemoryList
	if err := v.get(path, q, &list); err != nil {
		return err
	}
	var open api.Proposals
	if err := v.get("/review", url.Values{"limit": {"1"}}, &open); err != nil {
		return err
	}
	all := list.Memories
	if day, err := time.ParseInLocation(time.DateOnly, d.AsOf, time.Local); err == nil {
		all = slices.DeleteFunc(all, func(m api.Memory) bool { return !held(&m, day.AddDate(0, 0, 1)) })
	}
	d.Open, d.Total, d.Decay = open.Open, len(all), trust(all)
	from, _ := strconv.Atoi(in.Get("from")) // what is no number is the first page
	from = min(max(from, 0), len(all))
	if from > 0 {
		d.First = with(in, "from", "")
	}
	if len(all) > from+memoriesPerPage {
		d.Later = with(in, "from", strconv.Itoa(from+memoriesPerPage))
	}
	d.Rooms = byProject(all[from:min(len(all), from+memoriesPerPage)])
	return v.show(http.StatusOK, "memories", "Memories", d)
}

// held reports whether a memory held before a moment: it was there, and had not given way.
func held(m *api.Memory, at time.Time) bool {
	return m.Created.Before(at) && (m.State == "active" || m.Updated.After(at))
}

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

// trust counts memories by what decay left of their confidence.
func trust(all []api.Memory) []column {
	out := make([]column, 10)
	for _, m := range all {
		out[min(max(int(m.Effective*10), 0), 9)].Value++
	}
	for i := range out {
		out[i].Name = fmt.Sprintf("%d–%d", i*10, i*10+10)
		out[i].Title = fmt.Sprintf("%s trusted by %s %%", plural(out[i].Value, "memory is", "memories are"), out[i].Name)
	}
	return out
}

type memoryData struct {
	api.Memory
	Why      api.MemoryWhy
	Chain    []api.Memory // what it replaced and what replaced it, the oldest first
	Decay    []point
	Days     int
	Conflict bool // the file was changed since the form was shown
	Mine     string
	Untold   bool
}

// memory shows one with its history, and a form to change it in place.
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
	q := url.Values{"state": {"all"}, "limit": {"1000"}}
	if d.Project != "" {
		q.Set("project", strconv.FormatInt(d.ProjectID, 10))
	}
	var list api.MemoryList
	if err := v.get("/memories", q, &list); err != nil {
		return err
	}
	d.Chain = chain(list.Memories, d.ID)
	d.Decay, d.Days = decayOf(&d.Memory, v.o.Now())
	return v.show(status, "memory", d.Title, d)
}

// chain are the memories that gave way to one another, around one of them.
func chain(all []api.Memory, id string) (out []api.Memory) {
	linked := map[string]bool{id: true}
	for range 50 { // a longer history shows its middle
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
	slices.SortFunc(out, func(a, b api.Memory) int { return a.Created.Compare(b.Created) })
	if len(out) == 1 {
		return nil
	}
	return out
}

// decayOf draws what was and is left of a memory's confidence: the two values that are
// known, when it was last of use and today.
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

// change edits, pins, archives or brings back a memory.
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
		return v.back(
			map[string]string{"pin": "It stays, whatever time does.", "unpin": "It fades again when nobody needs it.",
				"archive": "It is archived: no agent is told, and you can bring it back.", "restore": "It is in force again."}[act],
		)
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
		said += " " + plural(out.Findings, "secret was", "secrets were") + " taken out of it."
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

// reviewRoom lists proposals with the sentence that they come from.
func (v *visit) reviewRoom() error {
	var d api.Proposals
	q := url.Values{"limit": {"20"}}
	if v.r.URL.Query().Get("hidden") != "" {
		q.Set("hidden", "true")
	}
	if err := v.get("/review", q, &d); err != nil {
		return err
	}
	return v.show(http.StatusOK, "review", "Review", d)
}

// decide keeps, words anew, drops or opens a proposal.
func (v *visit) decide() error {
	id, act, _ := strings.Cut(v.rest, "/")
	var in api.ReviewAct
	if act == "edit" {
		title, body := v.form("title"), strings.ReplaceAll(v.form("body"), "\r\n", "\n")
		in, act = api.ReviewAct{Title: &title, Body: &body}, "keep"
	}
	if !slices.Contains([]string{"keep", "drop", "never", "undo"}, act) {
		return errNoRoom
	}
	var out api.Reviewed
	if err := v.post("/review/"+url.PathEscape(id)+"/"+act, in, &out); err != nil {
		return err
	}
	said := map[string]string{"keep": "Kept: it is a memory now.", "edit": "Kept in your words.", "drop": "Dropped.",
		"never": "Dropped, and nothing like it is proposed again.", "undo": "It is open again."}[out.Action]
	return v.back(said)
}
