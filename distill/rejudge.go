package distill

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"keepmum/extract"
	"keepmum/memory"
	"keepmum/safefile"
)

// Standing is what today's bar says about a memory that a run wrote.
type Standing string

// The standings. Only the first is a reason to put a memory away.
const (
	NotToday  Standing = "would_not_be_written"
	Today     Standing = "would_be_written"
	Unknown   Standing = "session_is_gone" // what it comes from cannot be read any more
	ByAModel  Standing = "worded_by_a_model"
	maxReport          = 16 << 20 // of a run: which extractor it was is in it
)

// Rejudge reads the sessions again that some memories come from, and says about each
// whether it would be written today, without a model. It writes nothing.
func Rejudge(ctx context.Context, w World, memories []memory.Memory) ([]Standing, error) {
	r := newRun(w.withDefaults(), SyncOptions{DryRun: true})
	var err error
	if r.survey, err = r.look(ctx); err != nil {
		return nil, err
	}
	for _, b := range r.survey.bases {
		r.list(ctx, r.survey, b)
	}
	known := map[string]*extract.Result{}
	out := make([]Standing, len(memories))
	for i, m := range memories {
		if out[i], err = r.standingOf(ctx, m, known); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// standingOf holds a memory against what its sessions give today.
func (r *run) standingOf(ctx context.Context, m memory.Memory, known map[string]*extract.Result) (Standing, error) {
	if wordedByModel(r.w.Home, m.Source) {
		return ByAModel, nil
	}
	if len(m.Sources) == 0 {
		return Unknown, nil
	}
	for _, from := range m.Sources {
		res, ok := known[from.Session]
		if !ok {
			var err error
			if res, err = r.again(ctx, from.Session); err != nil {
				return "", err
			}
			known[from.Session] = res
		}
		if res == nil {
			return Unknown, nil
		}
		if slices.ContainsFunc(res.Candidates, gives(m)) {
			return Today, nil
		}
	}
	return NotToday, nil
}

// gives says that a candidate comes to a memory: it says the same, or it comes from the
// same place, in better words.
func gives(m memory.Memory) func(memory.Candidate) bool {
	return func(c memory.Candidate) bool {
		now := memory.Memory{Title: c.Title.String(), Body: c.Body.String()}
		if memory.Similarity(m, now) >= memory.Threshold {
			return true
		}
		for _, s := range c.Sources {
			for _, o := range m.Sources {
				if o.Session == s.Session.String() && o.Ref == s.Ref.String() {
					return true
				}
			}
		}
		return false
	}
}

// again is what a session gives today, nil when it cannot be read.
func (r *run) again(ctx context.Context, session string) (*extract.Result, error) {
	agent, native, _ := strings.Cut(session, "/")
	f := r.survey.sessions[r.key(agent, native).String()]
	if f == nil {
		return nil, nil
	}
	out, err := r.read(ctx, f, nil)
	var skip *skipped
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &skip), err != nil: // a file that cannot be read says nothing against a memory
		return nil, nil
	}
	res, err := r.w.Extract(ctx, out.entry.ProjectID, out.session, 0)
	return &res, err
}

// wordedByModel says that the run that wrote a memory asked a model: the bar is not its.
func wordedByModel(home, run string) bool {
	if run == "" || !filepath.IsLocal(run) || strings.ContainsAny(run, `/\`) {
		return false
	}
	data, err := safefile.Read(filepath.Join(RunsDir(home), run, "extract.json"), maxReport)
	var report struct {
		Sessions []struct {
			By string `json:"by"`
		} `json:"sessions"`
	}
	if err != nil || json.Unmarshal(data, &report) != nil {
		return false
	}
	for _, s := range report.Sessions {
		if s.By != "" && s.By != "heuristic" {
			return true
		}
	}
	return false
}
