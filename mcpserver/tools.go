package mcpserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"keepmum/api"
)

// Limits of what is shown at once.
const (
	maxFound = 30
	maxIDs   = 10
)

type searchIn struct {
	Query   string `json:"query" jsonschema:"a few telling words"`
	Project string `json:"project,omitempty" jsonschema:"a name, * for all; default: that of the working directory"`
	Type    string `json:"type,omitempty" jsonschema:"default all; answers are prompts, tool calls observations"`
	AsOf    string `json:"as_of,omitempty" jsonschema:"what was known then, e.g. 2026-03-01"`
	Since   string `json:"since,omitempty" jsonschema:"a day"`
	Limit   *int   `json:"limit,omitempty" jsonschema:"1 to 30, default 10"`
}

func (o Options) search(ctx context.Context, in searchIn) (string, error) {
	limit, err := count("limit", in.Limit, 10, 1, maxFound)
	if err != nil {
		return "", err
	}
	q := url.Values{"q": {in.Query}, "limit": {limit}, "replaced": {"true"}}
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
	IDs  []ref  `json:"ids,omitempty" jsonschema:"up to 10, of memory_search or a mum-context block"`
	File string `json:"file,omitempty" jsonschema:"number (F12) or path"`
}

func (o Options) get(ctx context.Context, in getIn) (string, error) {
	if in.File != "" {
		return o.outline(ctx, in.File)
	}
	switch n := len(in.IDs); {
	case n == 0:
		return "", errors.New("ids is empty: memory_search finds ids")
	case n > maxIDs:
		return "", fmt.Errorf("ids are %d, and at most %d are shown at once: call again with the others", n, maxIDs)
	}
	ids := make([]string, len(in.IDs))
	for i, id := range in.IDs {
		var err error
		if ids[i], err = id.number(); err != nil {
			return "", err
		}
	}
	var found api.Observations
	if err := o.ask(ctx, "/observation/"+strings.Join(ids, ","), nil, &found); err != nil {
		return "", err
	}
	return entriesText(found), nil
}

type timelineIn struct {
	ID     ref  `json:"id"`
	Before *int `json:"before,omitempty" jsonschema:"0 to 30, default 5"`
	After  *int `json:"after,omitempty" jsonschema:"0 to 30, default 5"`
}

func (o Options) timeline(ctx context.Context, in timelineIn) (string, error) {
	id, err1 := in.ID.number()
	before, err2 := count("before", in.Before, 5, 0, maxFound)
	after, err3 := count("after", in.After, 5, 0, maxFound)
	if err := cmp.Or(err1, err2, err3); err != nil {
		return "", err
	}
	var found api.Timeline
	if err := o.ask(ctx, "/timeline/"+id, url.Values{"before": {before}, "after": {after}}, &found); err != nil {
		return "", err
	}
	return timelineText(found), nil
}

type recallIn struct {
	Task    string `json:"task,omitempty" jsonschema:"what you are about to do, in a sentence"`
	Project string `json:"project,omitempty" jsonschema:"a name; default: that of the working directory"`
	AsOf    string `json:"as_of,omitempty" jsonschema:"what was known then, e.g. 2026-03-01"`
}

func (o Options) recall(ctx context.Context, in recallIn) (string, error) {
	if in.Task == "" && in.AsOf == "" {
		return o.overview(ctx, in.Project)
	}
	q := url.Values{"format": {"json"}}
	o.place(q, in.Project)
	set(q, "q", in.Task)
	q.Set("asked", "true") // what is near helps somebody who asks, even if nothing surely matters
	set(q, "as_of", in.AsOf)
	var found api.Context
	if err := o.ask(ctx, "/context", q, &found); err != nil {
		return "", err
	}
	if found.Context == "" {
		return "Nothing like this is remembered. memory_search finds single words.", nil
	}
	return strings.Replace(found.Context, "`mum show ID` prints", "memory_get shows", 1), nil
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
