package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"keepmum/api"
)

type searchIn struct {
	Query   string `json:"query" jsonschema:"a few words to search for"`
	Project string `json:"project,omitempty" jsonschema:"name of a project, * for all; default: the one of the working directory"`
	Type    string `json:"type,omitempty" jsonschema:"all (default), prompt, observation, summary, memory or commit"`
	AsOf    string `json:"as_of,omitempty" jsonschema:"what was known at this day, e.g. 2026-03-01, or time"`
	Since   string `json:"since,omitempty" jsonschema:"only since this day, e.g. 2026-03-01"`
	Limit   int    `json:"limit,omitempty" jsonschema:"maximum number of entries, 1 to 30; default 10"`
}

func (o Options) search(ctx context.Context, in searchIn) (string, error) {
	q := url.Values{"q": {in.Query}, "limit": {strconv.Itoa(between(in.Limit, 10, 30))}}
	o.place(q, in.Project)
	set(q, "type", in.Type)
	set(q, "since", in.Since)
	set(q, "as_of", in.AsOf)
	var found api.SearchResults
	if err := o.ask(ctx, "/search", q, &found); err != nil {
		return "", err
	}
	return searchText(found, cmp.Or(in.Project, "the project of "+o.Dir)), nil
}

type getIn struct {
	IDs  []int64 `json:"ids,omitempty" jsonschema:"ids of up to 10 entries"`
	File string  `json:"file,omitempty" jsonschema:"instead of ids: a file by its number (F12) or path, for its signatures"`
}

func (o Options) get(ctx context.Context, in getIn) (string, error) {
	if in.File != "" {
		return o.outline(ctx, in.File)
	}
	if len(in.IDs) == 0 {
		return "", errors.New("ids is empty: memory_search finds ids")
	}
	ids := make([]string, 0, len(in.IDs))
	for _, id := range in.IDs[:min(len(in.IDs), 10)] {
		ids = append(ids, strconv.FormatInt(id, 10))
	}
	var found api.Observations
	if err := o.ask(ctx, "/observation/"+strings.Join(ids, ","), nil, &found); err != nil {
		return "", err
	}
	return entriesText(found), nil
}

type timelineIn struct {
	ID     int64 `json:"id" jsonschema:"id of the entry in the middle"`
	Before int   `json:"before,omitempty" jsonschema:"entries before it, 1 to 30; default 5"`
	After  int   `json:"after,omitempty" jsonschema:"entries after it, 1 to 30; default 5"`
}

func (o Options) timeline(ctx context.Context, in timelineIn) (string, error) {
	q := url.Values{
		"before": {strconv.Itoa(between(in.Before, 5, 30))},
		"after":  {strconv.Itoa(between(in.After, 5, 30))},
	}
	var found api.Timeline
	if err := o.ask(ctx, "/timeline/"+strconv.FormatInt(in.ID, 10), q, &found); err != nil {
		return "", err
	}
	return timelineText(found, in.ID), nil
}

type recallIn struct {
	Task    string `json:"task,omitempty" jsonschema:"what you are about to do, in a sentence"`
	Project string `json:"project,omitempty" jsonschema:"name of a project; default: the one of the working directory"`
	AsOf    string `json:"as_of,omitempty" jsonschema:"what was known at this day, e.g. 2026-03-01, or time; default: now"`
}

func (o Options) recall(ctx context.Context, in recallIn) (string, error) {
	if in.Task == "" && in.AsOf == "" {
		return o.overview(ctx, in.Project)
	}
	q := url.Values{"format": {"json"}}
	o.place(q, in.Project)
	set(q, "q", in.Task)
	set(q, "as_of", in.AsOf)
	var found api.Context
	if err := o.ask(ctx, "/context", q, &found); err != nil {
		return "", err
	}
	if found.Context == "" {
		return "Nothing in the memory matters for this.", nil
	}
	return found.Context, nil
}

// place selects where to search: the given project, otherwise the project of the directory.
func (o Options) place(q url.Values, project string) {
	if project != "" {
		q.Set("project", project)
		return
	}
	q.Set("directory", o.Dir)
}

func set(q url.Values, name, value string) {
	if value != "" {
		q.Set(name, value)
	}
}

// between returns n limited to 1..most; usual if n is not given.
func between(n, usual, most int) int {
	if n == 0 {
		return usual
	}
	return min(max(n, 1), most)
}
