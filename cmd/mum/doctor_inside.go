package main

import (
	"context"
	"errors"

	"keepmum/api"
	"keepmum/capture"
	"keepmum/config"
	"keepmum/home"
)

// insideChecks runs the checks that a daemon can make about itself: they start no process, and no fix needs exclusive
// access to the database.
func (a *app) insideChecks(ctx context.Context, dir home.Dir, c config.Loaded) []finding {
	settings := finding{
		Check:  "config",
		State:  stateOK,
		Detail: "privacy mode " + c.Privacy.Mode + ", capture " + onOff(c.Capture.Enabled),
	}
	if next, err := config.Load(config.Options{Home: string(dir), Environ: a.environ}); err != nil {
		settings = finding{
			Check:  "config",
			State:  stateProblem,
			Detail: err.Error() + "; the next start fails",
			Fix:    "mum config check",
		}
	} else if err := capture.CheckSettings(next.Config, a.userHome); err != nil {
		settings = finding{Check: "config", State: stateProblem, Detail: err.Error(), Fix: "mum config check"}
	}
	all := append([]finding{settings, a.checkProgram(), checkHome(dir)}, checkForeign(dir)...)
	all = append(all, checkModes(dir), checkToken(dir), checkSpool(dir), checkDisk(dir), checkModel(c, nil))
	_, past := checkDatabase(ctx, dir)
	for _, f := range a.checkAgents(ctx, dir, c, heard(past, nil)) {
		f.repair = nil // agents' settings change only when a user types the command
		all = append(all, f)
	}
	return all
}

func (a *app) examineInside(dir home.Dir, c config.Loaded) func(context.Context) []api.Check {
	return func(ctx context.Context) []api.Check {
		var out []api.Check
		for _, f := range a.insideChecks(ctx, dir, c) {
			out = append(out, api.Check{Check: f.Check, State: f.State, Detail: f.Detail, Fix: f.Fix,
				Fixes: f.repair != nil && f.State != stateOK})
		}
		return out
	}
}

func (a *app) mendInside(dir home.Dir, c config.Loaded) func(context.Context, string) (api.Check, error) {
	return func(ctx context.Context, check string) (api.Check, error) {
		for _, f := range a.insideChecks(ctx, dir, c) {
			if f.Check == check && f.repair != nil && f.State != stateOK {
				f = repaired(f)
				return api.Check{Check: f.Check, State: f.State, Detail: f.Detail, Fix: f.Fix}, nil
			}
		}
		return api.Check{}, errors.New("nothing can be fixed from here")
	}
}
