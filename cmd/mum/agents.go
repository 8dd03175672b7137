package main

import (
	"keepmum/hooks"
	"keepmum/hooks/connect"
)

func (a *app) listAgents(o connect.Options, asJSON bool) error {
	var all []connect.State
	for _, agent := range hooks.Agents() {
		s, err := o.State(agent)
		if err != nil {
			return err
		}
		all = append(all, s)
	}
	if asJSON {
		return a.printJSON(all)
	}
	for _, s := range all {
		a.printf("%-9s %-13s %s\n", s.Agent, stateWord(s), a.tilde(s.Files[0]))
	}
	for _, line := range a.waits() {
		a.printf("\n%s\n", line)
	}
	return nil
}

func stateWord(s connect.State) string {
	switch {
	case s.Connected:
		return "connected"
	case s.Found:
		return "not connected"
	}
	return "not found"
}

func foundAgents(o connect.Options) ([]string, error) {
	var found []string
	for _, agent := range hooks.Agents() {
		s, err := o.State(agent)
		if err != nil {
			return nil, connectError(err)
		}
		if s.Found {
			found = append(found, agent)
		}
	}
	return found, nil
}
