package main

import (
	"keepmum/config"
	"keepmum/home"
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

// checkAgents looks which agents are on this machine, and whether what they
// have of us is what this program would give them.
func (a *app) checkAgents(dir home.Dir, c config.Loaded) []finding {
	o, err := a.agentFiles(dir, c, connectFlags{scope: string(connect.User)})
	if err != nil {
		return []finding{{Check: "agents", State: stateWarning, Detail: err.Error()}}
	}
	var all []finding
	for _, agent := range hooks.Agents() {
		all = append(all, a.checkAgent(o, agent))
	}
	return all
}

func (a *app) checkAgent(o connect.Options, agent string) finding {
	f := finding{Check: agent, State: stateWarning, Fix: "mum connect " + agent}
	s, err := o.State(agent)
	if err != nil {
		f.State, f.Detail, f.Fix = stateProblem, err.Error(), "look at the file"
		return f
	}
	file := a.tilde(s.Files[0])
	plan, err := o.Connect(agent)
	switch {
	case !s.Found && !s.Connected:
		f.State, f.Detail, f.Fix = stateOK, "not on this machine", ""
	case err != nil:
		f.State, f.Detail, f.Fix = stateProblem, err.Error(), "look at the file"
	case !s.Connected:
		f.Detail = "on this machine, not connected"
	case s.Off != "":
		f.State, f.Detail, f.Fix = stateProblem, s.Off+" in "+file+" switches every hook off", "remove it from "+file
	case !plan.Empty():
		f.Detail = "connected in another way than this program would (" + file + ")"
	default:
		f.State, f.Detail, f.Fix = stateOK, "connected ("+file+")", ""
	}
	return f
}
