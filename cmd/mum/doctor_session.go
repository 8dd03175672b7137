package main

import (
	"context"
	"errors"
	"net/url"
	"slices"

	"keepmum/api"
)

// runDoctorSession follows a session from the agent's hook to what the next session is told at its start. It skips the
// steps after the one that failed.
func (a *app) runDoctorSession(ctx context.Context, name string, asJSON, fix bool) error {
	dir, err := a.home()
	if err != nil {
		return err
	}
	steps := slices.DeleteFunc(a.examine(ctx, dir), func(f finding) bool { return f.Check != "daemon" })
	if steps = mendAll(steps, fix); !stops(steps) {
		traced, agent, err := a.traceSession(ctx, name)
		if err != nil {
			return err
		}
		hook := slices.DeleteFunc(a.examine(ctx, dir), func(f finding) bool { return f.Check != agent })
		steps = slices.Concat(mendAll(hook, fix), steps, traced)
	}
	if at := slices.IndexFunc(steps, func(f finding) bool { return f.State == stateProblem }); at >= 0 {
		steps = steps[:at+1]
	}
	for i := range steps {
		steps[i].Detail, steps[i].Fix = a.clean(steps[i].Detail), a.clean(steps[i].Fix)
	}
	if asJSON {
		err = a.printJSON(steps)
	} else {
		a.printFindings(steps)
	}
	if err == nil && stops(steps) {
		last := steps[len(steps)-1]
		return &exitError{exitFailure, errors.New("it stops at: " + last.Check), last.Fix}
	}
	return err
}

func mendAll(list []finding, fix bool) []finding {
	for i, f := range list {
		if fix && f.State != stateOK && f.repair != nil {
			list[i] = repaired(f)
		}
	}
	return list
}

func stops(list []finding) bool {
	return slices.ContainsFunc(list, func(f finding) bool { return f.State == stateProblem })
}

// traceSession asks the daemon for the steps that it knows about.
func (a *app) traceSession(ctx context.Context, name string) (steps []finding, agent string, err error) {
	var t api.SessionTrace
	if err := a.lookUp(ctx, placeFlags{all: true}, "/sessions/trace", url.Values{"session": {name}}, &t); err != nil {
		return nil, "", err
	}
	for _, s := range t.Steps {
		steps = append(steps, finding{Check: s.Check, State: s.State, Detail: s.Detail, Fix: s.Fix})
	}
	return steps, t.Agent, nil
}
