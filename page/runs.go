package page

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"keepmum/api"
)

type runsData struct {
	api.RunList
	Kind  string
	Kinds []string
	More  string
	Asked string      // a session
	Why   *api.RunWhy // what became of it
}

// runs lists what sync, maintain, compress and ask did, or shows what became of one session.
func (v *visit) runs() error {
	if v.rest != "" {
		return v.run()
	}
	in := v.r.URL.Query()
	limit := 20
	if in.Get("all") != "" {
		limit = 200
	}
	q := url.Values{"limit": {strconv.Itoa(limit)}}
	d := runsData{Kind: in.Get("kind"), Kinds: []string{"", "sync", "maintain", "compress", "ask"},
		Asked: in.Get("session")}
	if d.Kind != "" {
		q.Set("kind", d.Kind)
	}
	if err := v.get("/runs", q, &d.RunList); err != nil {
		return err
	}
	if d.Total > len(d.Runs) && limit == 20 {
		d.More = with(in, "all", "yes")
	}
	if d.Asked != "" {
		d.Why = &api.RunWhy{}
		if err := v.get("/runs/why", url.Values{"session": {d.Asked}}, d.Why); err != nil {
			return err
		}
	}
	return v.show(http.StatusOK, "runs", "Runs", d)
}

// run shows one run, line by line.
func (v *visit) run() error {
	var d api.RunTrace
	if err := v.get("/runs/"+url.PathEscape(v.rest), nil, &d); err != nil {
		return err
	}
	return v.show(http.StatusOK, "run", "Run "+v.rest, d)
}

// fates returns the results of a run and their counts, in words.
func fates(r api.RunTotals) string {
	var out []string
	if r.Sessions > 0 {
		out = append(out, plural(r.Sessions, "session", "sessions")+" read")
	}
	for _, fate := range slices.Sorted(maps.Keys(r.Fates)) {
		out = append(out, number(r.Fates[fate])+" "+said(fate))
	}
	if r.Calls > 0 {
		out = append(out, fmt.Sprintf("%s to a model in %.1f s (%s in, %s out)", plural(r.Calls, "question", "questions"),
			r.ModelSeconds, plural(r.In, "token", "tokens"), number(r.Out)))
	}
	return strings.Join(out, ", ")
}

// said returns a code of a trace in words; a code that is not listed stays as it is.
func said(code string) string {
	if text, ok := codesInWords()[code]; ok {
		return text
	}
	return strings.ReplaceAll(code, "_", " ")
}

// codesInWords is the table in docs/runs.md.
func codesInWords() map[string]string {
	return map[string]string{
		"add": "added", "update": "extended", "supersede": "replaced another", "instead": "kept on its branch",
		"history": "kept as history", "propose": "waiting for review", "noop": "already known", "reject": "not kept",
		"drop": "not kept", "merge": "merged", "archive": "archived", "cited": "cited", "found": "found",
		"fts": "the words match", "recency": "the latest work", "same_topic": "the session is about it",
		"compacted": "the context was compacted",
		"gotcha":    "it failed before", "vector": "the meaning matches",
		"looked_at": "read", "no_signal": "nothing in it reads like something to remember",
		"new": "nothing similar was known", "similar": "it says more than what was known",
		"same": "it says nothing new", "archived": "you archived the same",
		"contradicts": "another answer to the same question", "other_value": "another value of a key",
		"outdated": "a newer memory is valid", "low_confidence": "not sure enough to be written",
		"below_the_bar": "not sure enough to be written without asking", "agents_word": "the agent said it, not you",
		"short_title": "its title says too little", "short_body": "its text says too little",
		"body_repeats_title": "its text repeats its title", "placeholder": "a secret was removed from it",
		"told_by_code": "the code says it", "session_only": "not useful after the session",
		"no_object":  "it does not say what it is about",
		"taken_back": "withdrawn later in the session", "said_again": "a later one is about the same",
		"too_many": "the session taught enough", "no_folder": "its project is unknown", "forgotten": "you forgot the same",
		"never_like_this": "you chose never for something similar", "your_reviews": "you turned down similar proposals",
		"proposed_before": "it was proposed before",
	}
}

// fateClass returns the colour class for the result of a candidate.
func fateClass(action string) string {
	switch action {
	case "add", "update", "supersede", "instead", "history", "cited", "merge":
		return " good"
	case "propose":
		return " on"
	case "failed":
		return " bad"
	}
	return ""
}
