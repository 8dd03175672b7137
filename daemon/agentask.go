package daemon

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"keepmum/distill"
	"keepmum/extract"
	"keepmum/llm"
	"keepmum/privacy"
	"keepmum/store"
)

// agentDir is the working directory of an agent that answers our questions; nothing it leaves there is a session of the
// user.
func (d *Daemon) agentDir() string { return filepath.Join(string(d.o.Home), "asked") }

// isOwnQuestion reports whether a session in dir is one of our own questions to an agent.
func (d *Daemon) isOwnQuestion(dir string) bool {
	return dir != "" && filepath.Clean(dir) == d.agentDir()
}

// extractBy returns an extract function that uses the command line of an agent; provider is "agent:claude" or similar.
// Only runs of sync use it, never a hook.
func (d *Daemon) extractBy(provider string) func(context.Context, int64, extract.Session, int) (extract.Result, error) {
	return func(ctx context.Context, project int64, s extract.Session, from int) (extract.Result, error) {
		res, err := d.extractAlone(ctx, project, s, from)
		if err != nil || d.o.Config.Privacy.Mode == string(privacy.ModeNone) {
			return res, err
		}
		agent, err := llm.OpenAgent(llm.AgentOptions{Agent: strings.TrimPrefix(provider, "agent:"), Dir: d.agentDir(),
			Env:     d.o.Env,
			Timeout: time.Duration(d.o.Config.Roles.Extract.Timeout)})
		if err != nil {
			d.log.Debug("no agent is asked to learn from sessions", "reason", d.loggable(err))
			return res, nil
		}
		sender := &llm.Sender{Gate: d.intake.Gate(), Clock: d.o.Now, Ledger: d.recordSending, Limit: d.agentLimit(provider)}
		asked, err := extract.NewModel(extract.Options{Provider: agent, Sender: sender, Gate: d.intake.Gate(),
			Window:  d.o.Config.Sync.MaxWindowTokens,
			Overlap: d.o.Config.Sync.OverlapTokens}).Extract(ctx, distill.NewPart(s, from), background{d.db, project})
		var refused *llm.Refused
		if errors.As(err, &refused) {
			return res, nil
		}
		if from > 0 {
			asked.Summary = res.Summary // the agent saw only the end of the session
		}
		return asked, err
	}
}

// recordSending writes the ledger row before anything leaves.
func (d *Daemon) recordSending(ctx context.Context, s llm.Sending) error {
	f := d.intake.Gate().Event(
		privacy.Raw{Fields: map[string]string{"host": s.Host, "model": s.Model, "purpose": s.Purpose,
			"sha256": s.SHA256}}).Fields
	return d.db.RecordEgress(ctx,
		store.Egress{Host: f["host"], Model: f["model"], Purpose: f["purpose"], Bytes: int64(s.Bytes), SHA256: f["sha256"],
			Job: s.Job})
}

// agentLimit enforces an agent's daily limits. Usage is read from the ledger, so a restart does not reset it.
func (d *Daemon) agentLimit(provider string) func(context.Context) (llm.Spent, error) {
	return func(ctx context.Context) (llm.Spent, error) {
		calls, tokens, err := d.agentSpent(ctx, provider)
		c := d.o.Config.Roles.Extract
		switch {
		case err != nil:
			return nil, err
		case c.DailyCalls >= 0 && calls >= int64(c.DailyCalls):
			return nil, &llm.Limited{Why: "today's calls are used up (roles.extract.daily_calls)"}
		case c.DailyTokens >= 0 && tokens >= int64(c.DailyTokens):
			return nil, &llm.Limited{Why: "today's tokens are used up (roles.extract.daily_tokens)"}
		}
		return func(context.Context, llm.Request, llm.Answer, error) error { return nil }, nil
	}
}

// agentSpent returns the usage of an agent today (UTC).
func (d *Daemon) agentSpent(ctx context.Context, provider string) (calls, tokens int64, err error) {
	calls, bytes, err := d.db.EgressOf(ctx, provider, d.o.Now().UTC().Truncate(24*time.Hour))
	if calls == 0 {
		return 0, 0, err
	}
	return calls, int64(llm.Tokens(int(bytes))), err
}

// agentStatus returns which agent words memories and how much of its daily limit is used, "" if none is used.
func (d *Daemon) agentStatus(ctx context.Context) string {
	c := d.o.Config.Roles.Extract
	if !isAgent(c) {
		return ""
	}
	calls, tokens, err := d.agentSpent(ctx, c.Provider)
	if err != nil {
		return c.Provider
	}
	return fmt.Sprintf("%s, today %d of %d calls, %d of %d tokens", c.Provider, calls, c.DailyCalls, tokens, c.DailyTokens)
}
