package daemon

import (
	"context"
	"errors"
	"time"

	"keepmum/distill"
	"keepmum/extract"
	"keepmum/llm"
	"keepmum/store"
)

// extract proposes what a session taught: by heuristic, and with a model if one is configured and may be used.
func (d *Daemon) extract(ctx context.Context, project int64, s extract.Session, from int) (extract.Result, error) {
	res, err := d.extractAlone(ctx, project, s, from)
	model := d.openModel(ctx, roleExtract)
	if model == nil || err != nil {
		return res, err
	}
	cfg := d.o.Config.Sync
	asked, err := extract.NewModel(extract.Options{Provider: model, Sender: d.asker(roleExtract, time.Minute),
		Gate: d.intake.Gate(), Window: cfg.MaxWindowTokens,
		Overlap: cfg.OverlapTokens}).Extract(ctx, distill.NewPart(s, from), background{d.db, project})
	var refused *llm.Refused
	if errors.As(err, &refused) { // the model turned out not to be local; keep the heuristic's result
		d.log.Warn("the model cannot be asked to learn from sessions", "reason", refused.Error())
		return res, nil
	}
	if from > 0 {
		asked.Summary = res.Summary // the model saw only the end of the session
	}
	return asked, err
}

// extractAlone is extract without a model. A dry run uses it, because sending a question would write to the ledger.
func (d *Daemon) extractAlone(ctx context.Context, project int64, s extract.Session, _ int) (extract.Result, error) {
	return extract.New().Extract(ctx, s, background{d.db, project}), ctx.Err()
}

// openModel returns the model of a role, or nil if none may be used; the run then continues without one.
func (d *Daemon) openModel(ctx context.Context, role string) llm.Provider {
	open := d.opener(role)
	if d.worker == nil || open == nil {
		return nil
	}
	model, err := open(ctx, "")
	if err != nil {
		d.log.Debug("no model is asked", "role", role, "reason", d.loggable(err))
		return nil
	}
	return model
}

// background returns the word counts of a project.
type background struct {
	db      *store.DB
	project int64
}

func (b background) DocumentFrequencies(ctx context.Context, words []string) (map[string]int, int, error) {
	return b.db.DocumentFrequencies(ctx, b.project, words)
}
