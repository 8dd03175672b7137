package distill

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"keepmum/extract"
	"keepmum/memory"
	"keepmum/safefile"
	"keepmum/store"
)

// Standing says whether a memory that a run wrote passes today's threshold.
type Standing string

// The standings. Only the first is a reason to archive a memory.
const (
	NotToday Standing = "would_not_be_written"
	Today    Standing = "would_be_written"
	Unknown  Standing = "session_is_gone" // its source can no longer be read
	ByAModel Standing = "worded_by_a_model"
)

// maxReport is the maximum size of a run's report, which names the extractor.
const maxReport = 16 << 20

// rejudging is a run that only says what would be written.
type rejudging struct {
	*run
	rows  map[string]store.CatalogueRow
	known map[string]*extract.Result // of sessions that were read
}

// Rejudge reads the sessions that some memories come from again, and says about each memory whether it would be written
// today without a model. It writes nothing.
func Rejudge(ctx context.Context, w World, memories []memory.Memory) ([]Standing, error) {
	r := newRun(w.withDefaults(), SyncOptions{DryRun: true})
	var err error
	if r.survey, err = r.look(ctx); err != nil {
		return nil, err
	}
	for _, b := range r.survey.bases {
		r.list(ctx, r.survey, b)
	}
	j := rejudging{run: r, known: map[string]*extract.Result{}}
	if j.rows, err = w.DB.Catalogue(ctx); err != nil {
		return nil, err
	}
	out := make([]Standing, len(memories))
	for i, m := range memories {
		if out[i], err = j.standingOf(ctx, m); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// standingOf compares a memory with what its sessions yield today.
func (j *rejudging) standingOf(ctx context.Context, m memory.Memory) (Standing, error) {
	if wordedByModel(j.w.Home, m.Source) {
		return ByAModel, nil
	}
	if len(m.Sources) == 0 {
		return Unknown, nil
	}
	for _, from := range m.Sources {
		res, ok := j.known[from.Session]
		if !ok {
			var err error
			if res, err = j.yieldOf(ctx, from.Session); err != nil {
				return "", err
			}
			j.known[from.Session] = res
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

// gives returns a function that reports whether a candidate amounts to a memory: it says the same, or it comes from the
// same place in better words.
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

// yieldOf returns what a session yields today, or nil if it cannot be read.
func (j *rejudging) yieldOf(ctx context.Context, session string) (*extract.Result, error) {
	agent, native, _ := strings.Cut(session, "/")
	key := j.key(agent, native).String()
	f := j.survey.sessions[key]
	if f == nil {
		return nil, nil
	}
	out, err := j.read(ctx, f, nil)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil: // a session that is skipped or cannot be read is no evidence against a memory
		return nil, nil
	}
	res, err := j.w.Extract(ctx, out.entry.ProjectID, out.session, 0)
	if err != nil {
		return nil, err
	}
	again, err := j.often(ctx, j.rows[key], out.session)
	res.Candidates = append(res.Candidates, again...)
	return &res, err
}

// wordedByModel reports whether a model was asked in the run that wrote a memory: then the threshold does not apply.
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
