package page

import (
	"cmp"
	"html"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"keepmum/api"
	"keepmum/lazyregexp"
	"keepmum/sorting"
)

// hits is the number of results per page.
const hits = 25

// facet is a value that narrows a search.
type facet struct {
	Value string
	Count int
	Link  string
	On    bool
}

// found is a result, and why it matches.
type found struct {
	api.Result
	Words []string // of the question, as they occur there
}

type searchData struct {
	Q           url.Values
	Types       []string
	Found       []found
	Total       int
	Counted     int // entries that the facets count; 0 = all
	TookMS      float64
	Corrections map[string]string
	NoWords     bool
	Facets      map[string][]facet
	FacetNames  []string
	Asked       bool
	Earlier     string
	Later       string
	From        int

	CommitsUnread bool
}

var filters = []string{"type", "project", "agent", "tool", "file", "branch", "since", "until"}

// search runs the same search as everywhere else.
func (v *visit) search() error {
	in := v.r.URL.Query()
	ask := url.Values{"q": {in.Get("q")}, "limit": {strconv.Itoa(2 * hits)}}
	for _, name := range filters {
		if value := strings.TrimSpace(in.Get(name)); value != "" {
			ask.Set(name, value)
		}
	}
	from := firstOf(in, 10_000)
	ask.Set("offset", strconv.Itoa(from))
	d := searchData{Q: in, Asked: len(in) > 0, From: from,
		Types: []string{"all", "prompt", "observation", "summary", "memory", "commit", "note"}}
	var out api.SearchResults
	if err := v.get("/search", ask, &out); err != nil {
		return err
	}
	d.Total, d.TookMS, d.Corrections, d.CommitsUnread = out.Total, out.TookMS, out.Corrections, out.CommitsUnread
	d.NoWords = out.NoWords
	if len(out.Results) < out.Total {
		d.Counted = len(out.Results)
	}
	d.Facets, d.FacetNames = facets(in, out.Results), []string{"type", "project", "agent", "tool"}
	for _, r := range out.Results[:min(len(out.Results), hits)] {
		d.Found = append(d.Found, found{r, matched(r.Snippet)})
	}
	if from > 0 {
		d.Earlier = with(in, "from", strconv.Itoa(max(0, from-hits)))
	}
	if len(out.Results) > hits {
		d.Later = with(in, "from", strconv.Itoa(from+hits))
	}
	return v.show(http.StatusOK, "search", "Search", d)
}

// with returns a query with one value changed; "" removes it.
func with(in url.Values, name, value string) string {
	q := maps.Clone(in)
	q.Del("said")
	if q.Del(name); value != "" && value != "0" {
		q[name] = []string{value}
	}
	return "?" + q.Encode()
}

// numbered returns what names a project in a query: its number, because several may have one name. What came from
// elsewhere has only a name.
func numbered(id int64, name string) string {
	if id > 0 {
		return strconv.FormatInt(id, 10)
	}
	return name
}

// labelled is a value of a query, and what it is called.
type labelled struct{ value, label string }

// facets counts the results by what can narrow the search, with a link that does.
func facets(in url.Values, all []api.Result) map[string][]facet {
	counts := map[string]map[labelled]int{"type": {}, "project": {}, "agent": {}, "tool": {}}
	for _, r := range all {
		for name, l := range map[string]labelled{"type": {r.Type, r.Type}, "agent": {r.Agent, r.Agent},
			"project": {numbered(r.ProjectID, r.Project), r.Project}, "tool": {r.Tool, r.Tool}} {
			if l.label != "" {
				counts[name][l]++
			}
		}
	}
	out := map[string][]facet{}
	for name, values := range counts {
		names := map[string]int{}
		for l := range values {
			names[l.label]++
		}
		for l, n := range values {
			f := facet{Value: l.label, Count: n, Link: with(without(in, "from"), name, l.value),
				On: in.Get(name) == l.value || in.Get(name) == l.label}
			if names[l.label] > 1 {
				f.Value = l.label + " (project " + l.value + ")"
			}
			if f.On {
				f.Link = with(without(in, "from"), name, "")
			}
			out[name] = append(out[name], f)
		}
		sorting.Stable(out[name], func(a, b facet) int {
			return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value))
		})
		out[name] = out[name][:min(len(out[name]), 8)]
	}
	return out
}

// without returns a query without some values.
func without(in url.Values, names ...string) url.Values {
	q := maps.Clone(in)
	for _, name := range names {
		q.Del(name)
	}
	return q
}

// firstOf returns the number of the first result that a page shows, at most most. Anything but a number is the first
// page.
func firstOf(in url.Values, most int) int {
	from, _ := strconv.Atoi(in.Get("from"))
	return min(max(from, 0), most)
}

var marked = lazyregexp.New(`<mark>([^<]*)</mark>`)

// matched returns the words of a snippet that match.
func matched(snippet string) (words []string) {
	for _, m := range marked.FindAllStringSubmatch(snippet, -1) {
		if w := strings.ToLower(html.UnescapeString(m[1])); !slices.Contains(words, w) && len(words) < 8 {
			words = append(words, w)
		}
	}
	return words
}

type entryData struct {
	api.Observation
	Event   *api.Event // time and result of the hook event; nil = not from a hook
	Around  []api.Moment
	Muted   bool
	Input   string
	Output  string
	Private bool
	Changed []change // what an edit changed in a file
	Taken   []api.Redaction
}

// entry shows one entry with its neighbours, and the time and result of its hook event.
func (v *visit) entry() error {
	id, err := strconv.ParseInt(v.rest, 10, 64)
	if err != nil {
		return errNoRoom
	}
	var out api.Observations
	if err := v.get("/observation/"+v.rest, nil, &out); err != nil {
		return err
	}
	d := entryData{Observation: out.Observations[0]}
	d.Input, d.Output = readable(d.Observation.Input), readable(d.Observation.Output)
	d.Changed = edited(d.Observation.Input)
	var feed api.Feed
	q := url.Values{"after": {strconv.FormatInt(id-1, 10)}, "before": {strconv.FormatInt(id+1, 10)}}
	if err := v.get("/feed", q, &feed); err != nil {
		return err
	}
	if len(feed.Events) == 1 {
		d.Event, d.Private = &feed.Events[0], hasHooks(d.Agent)
	}
	if d.Taken, err = v.taken(v.rest); err != nil {
		return err
	}
	var line api.Timeline
	if err := v.get("/timeline/"+v.rest, nil, &line); err == nil { // a memory has none
		d.Around = line.Moments
	}
	if d.Muted, err = v.muted(id); err != nil {
		return err
	}
	return v.show(http.StatusOK, "entry", "Entry "+v.rest, d)
}

// muted reports whether no agent is told an entry.
func (v *visit) muted(id int64) (bool, error) {
	var told api.ToldList
	err := v.get("/told", url.Values{"limit": {"1"}}, &told)
	return slices.Contains(told.Muted, id), err
}
