package daemon

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"keepmum/config"
	"keepmum/llm"
	"keepmum/privacy"
	"keepmum/store"
)

// The roles of a model.
const (
	roleExtract     = "extract"
	roleSummarise   = "summarise"
	roleAsk         = "ask"
	roleConsolidate = "consolidate"
)

// purposes returns the ledger's names for the requests of a role.
func purposes(role string) []string {
	if role == roleSummarise {
		return []string{string(store.JobTurn), string(store.JobSession)}
	}
	return []string{role}
}

// roleOf returns the role for a purpose in the ledger.
func roleOf(purpose string) string {
	for _, role := range []string{roleExtract, roleAsk, roleConsolidate} {
		if purpose == role {
			return role
		}
	}
	return roleSummarise
}

// opener returns a function that opens the model of a role; nil = none is used.
func (d *Daemon) opener(role string) func(context.Context, string) (llm.Provider, error) {
	r := d.o.Config.Roles.All()[role]
	usual := d.modelOpener()
	switch {
	case r.Provider == "off" || d.o.Config.Privacy.Mode == string(privacy.ModeNone):
		return nil
	case r.Provider == "" && usual == nil:
		return nil
	case r.Provider == "" && r.Model+r.URL == "" && (r.Timeout == 0 || role == roleExtract):
		return usual
	}
	return func(ctx context.Context, name string) (llm.Provider, error) {
		model, err := llm.Open(ctx, d.roleModel(r, name))
		if err != nil && r.Fallback == "compress" && usual != nil {
			d.log.Debug("a role uses its fallback", "role", role, "reason", d.loggable(err))
			return usual(ctx, name)
		}
		return model, err
	}
}

// roleModel returns the options for the model of a role, or for the named one.
func (d *Daemon) roleModel(r config.Role, name string) llm.Options {
	o := d.model(cmp.Or(name, r.Model))
	if r.Provider != "" && !strings.HasPrefix(r.Provider, "agent:") {
		o.Provider = r.Provider
	}
	o.URL = cmp.Or(r.URL, o.URL)
	o.Timeout = cmp.Or(time.Duration(r.Timeout), o.Timeout)
	return o
}

// asker returns the sender for the requests of a role, within the limits of the worker and the daily limits of the
// role.
func (d *Daemon) asker(role string, patience time.Duration) *llm.Sender {
	s := d.worker.Asker(patience)
	usual := s.Limit
	s.Limit = func(ctx context.Context) (llm.Spent, error) {
		if err := d.roleLimit(ctx, role); err != nil {
			return nil, err
		}
		return usual(ctx)
	}
	return s
}

// roleLimit returns an error if a role has reached its daily limit (UTC). Usage is read from the ledger, so a restart
// does not reset it. The limits of extract apply to an agent unless another provider is configured.
func (d *Daemon) roleLimit(ctx context.Context, role string) error {
	r := d.o.Config.Roles.All()[role]
	if r.DailyCalls < 0 && r.DailyTokens < 0 || role == roleExtract && r.Provider == "" {
		return nil
	}
	calls, bytes, err := d.db.EgressFor(ctx, d.o.Now().UTC().Truncate(24*time.Hour), purposes(role)...)
	switch {
	case err != nil:
		return err
	case r.DailyCalls >= 0 && calls >= int64(r.DailyCalls):
		return &llm.Limited{Why: "today's calls are used up (roles." + role + ".daily_calls)"}
	case r.DailyTokens >= 0 && int64(llm.Tokens(int(bytes))) > int64(r.DailyTokens):
		return &llm.Limited{Why: "today's tokens are used up (roles." + role + ".daily_tokens)"}
	}
	return nil
}

// price returns the cost of some tokens, if a price is configured.
func (d *Daemon) price(purpose string, in, out int) float64 {
	const million = 1e6
	r := d.o.Config.Roles.All()[roleOf(purpose)]
	return (float64(in)*r.PriceIn + float64(out)*r.PriceOut) / million
}

// summariseLimit is roleLimit with the signature that the worker needs.
func (d *Daemon) summariseLimit(ctx context.Context) (llm.Spent, error) {
	spent := func(context.Context, llm.Request, llm.Answer, error) error { return nil }
	return spent, d.roleLimit(ctx, roleSummarise)
}

// isAgent reports whether a role uses the command line of an agent.
func isAgent(r config.Role) bool {
	return slices.Contains([]string{"agent:claude", "agent:codex", "agent:opencode"}, r.Provider)
}
