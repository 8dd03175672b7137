package compress

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"keepmum/llm"
	"keepmum/privacy"
	"keepmum/store"
)

// unit is a job with its documents.
type unit struct {
	job    store.Job
	rows   []store.ObservationRow
	turn   turn
	pieces []string
}

// unit reads the documents of a job.
func (w *Worker) unit(ctx context.Context, job store.Job) (unit, error) {
	rows, err := w.o.DB.Unit(ctx, job)
	if err != nil {
		return unit{}, fmt.Errorf("read unit of job %d: %w", job.ID, err)
	}
	u := unit{job: job, rows: rows}
	if job.Kind == store.JobSession {
		u.pieces = sessionPieces(rows)
		return u, nil
	}
	u.turn = readTurn(rows)
	u.pieces = pieces(u.turn)
	return u, nil
}

// isWorthwhile reports whether there is anything to summarise.
func (u unit) isWorthwhile() bool {
	if u.job.Kind == store.JobSession {
		return len(u.pieces) > 0
	}
	return u.turn.isWorthwhile()
}

// scope is the session whose secrets the gate remembers.
func (u unit) scope() string {
	if len(u.rows) == 0 {
		return ""
	}
	return u.rows[0].Agent + "/" + u.rows[0].Session
}

// drafts writes a summary without a model for each unit that changed.
func (w *Worker) drafts(ctx context.Context) error {
	const few = 50
	for {
		jobs, err := w.o.DB.UndraftedJobs(ctx, few)
		if err != nil {
			return err
		}
		for _, job := range jobs {
			if w.busy(ctx) {
				return nil
			}
			if err := w.draft(ctx, job); err != nil {
				return err
			}
		}
		if len(jobs) < few {
			return nil
		}
	}
}

// draft writes the summary of one job. Without a model it is the final one.
func (w *Worker) draft(ctx context.Context, job store.Job) error {
	u, err := w.unit(ctx, job)
	if err != nil {
		return err
	}
	final := w.o.Model == nil
	if !u.isWorthwhile() {
		return w.o.DB.PutDraft(ctx, job, nil, final)
	}
	d, err := w.heuristic(ctx, u)
	if err != nil {
		return err
	}
	sum := w.clean(u, d, provenance{Provider: "heuristic", Prompt: promptVersion})
	if err := w.o.DB.PutDraft(ctx, job, &sum, final); err != nil {
		return err
	}
	w.update(func(s *Status) { s.Drafts++ })
	return nil
}

// heuristic words the summary of a unit without a model.
func (w *Worker) heuristic(ctx context.Context, u unit) (draft, error) {
	if u.job.Kind == store.JobSession {
		return heuristicSession(u.rows), nil
	}
	d := heuristic(u.turn)
	var err error
	d.Concepts, err = concepts(ctx, w.o.DB, u.job.Project, u.turn)
	return d, err
}

// provenance says where a summary comes from, before the gate.
type provenance struct {
	Provider, Model, Digest, Prompt string
	Seconds                         float64
	Tokens                          int
}

// clean passes a summary through the gate as one event: even the heuristic's was read from the database, and a model's
// is not trusted at all.
func (w *Worker) clean(u unit, d draft, p provenance) store.Summary {
	fields := map[string]string{"title": d.Title, "text": d.Text, "type": d.Type, "provider": p.Provider, "model": p.Model,
		"digest": p.Digest, "prompt": p.Prompt, "input": u.hash()}
	for i, f := range d.Files {
		fields[fmt.Sprint("file ", i)] = f
	}
	for i, c := range d.Concepts {
		fields[fmt.Sprint("concept ", i)] = c
	}
	c := w.o.Gate.Event(privacy.Raw{Session: u.scope(), Fields: fields})
	f := c.Fields
	return store.Summary{
		Title: f["title"], Text: f["text"], Type: f["type"],
		Files: listOf(f, "file ", len(d.Files)), Concepts: listOf(f, "concept ", len(d.Concepts)),
		Findings: c.Findings,
		Provenance: store.Provenance{Provider: f["provider"], Model: f["model"], Digest: f["digest"],
			PromptVersion: f["prompt"], InputHash: f["input"], Seconds: p.Seconds, Tokens: p.Tokens},
	}
}

// listOf returns the cleaned values of numbered fields, without those that the gate removed.
func listOf(fields map[string]privacy.Clean, prefix string, n int) []privacy.Clean {
	out := make([]privacy.Clean, 0, n)
	for i := range n {
		if c := fields[fmt.Sprint(prefix, i)]; !c.IsZero() {
			out = append(out, c)
		}
	}
	return out
}

// hash identifies the input of a summary.
func (u unit) hash() string {
	sum := sha256.Sum256([]byte(strings.Join(u.pieces, "\n")))
	return hex.EncodeToString(sum[:])
}

// question asks about pieces of a unit.
func (w *Worker) question(u unit, parts []string) llm.Question {
	q := llm.Question{System: privacy.Const(instructions), Schema: answerSchema(), Session: u.scope(),
		Try: max(u.job.Attempts-1, 0)}
	if u.job.Kind == store.JobSession {
		q.System = privacy.Const(sessionInstructions)
	}
	done := w.o.Gate.Event(privacy.Raw{Session: u.scope(), Fields: map[string]string{"body": strings.Join(parts, "\n\n")}})
	q.Body = done.Fields["body"]
	return q
}
