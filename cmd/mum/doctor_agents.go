package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"keepmum/budget"
	"keepmum/capture"
	"keepmum/config"
	"keepmum/home"
	"keepmum/hooks"
	"keepmum/hooks/connect"
	"keepmum/transcript"
)

// agentCheck is what the checks of all agents share.
type agentCheck struct {
	connect connect.Options
	here    connect.Options      // for the files of this directory
	some    bool                 // an agent is connected, not only in this directory
	capture bool                 // capture is on
	heard   map[string]time.Time // agent → its last event
	used    map[string]time.Time // agent → when its own files last changed
	version map[string]string
}

// checkAgents checks which agents are on this machine, whether their settings contain what this program would write,
// and whether the hooks work.
func (a *app) checkAgents(ctx context.Context, dir home.Dir, c config.Loaded, heard map[string]time.Time) []finding {
	o, err := a.agentFiles(dir, c, connectFlags{scope: string(connect.User)})
	if err != nil {
		return []finding{{Check: "agents", State: stateWarning, Detail: err.Error()}}
	}
	here, err := a.agentFiles(dir, c, connectFlags{scope: string(connect.Project)})
	if err != nil { // no directory, no files
		here = o
	}
	ctx, cancel := context.WithTimeout(ctx, budget.Of(10*time.Second))
	defer cancel()
	_, paused := capture.Paused(string(dir), time.Now())
	check := agentCheck{connect: o, here: here, heard: heard, capture: c.Capture.Enabled && !paused, used: a.lastUsed(ctx),
		version: a.agentVersions(ctx)}
	check.some = check.any()
	var all []finding
	for _, agent := range hooks.Agents() {
		all = append(all, a.checkAgent(check, agent)...)
	}
	return all
}

// any reports whether the user connected an agent, wherever it runs.
func (c agentCheck) any() bool {
	return slices.ContainsFunc(hooks.Agents(), func(agent string) bool {
		s, err := c.connect.State(agent)
		return err == nil && s.Connected
	})
}

// state returns the state of an agent, and the options for the files that it describes: those of the user, or those of
// this directory if the agent is connected only here.
func (c agentCheck) state(agent string) (connect.Options, connect.State, error) {
	s, err := c.connect.State(agent)
	if err != nil || s.Connected {
		return c.connect, s, err
	}
	if here, err := c.here.State(agent); err == nil && here.Connected {
		return c.here, here, nil
	}
	return c.connect, s, nil
}

// checkAgent reports the first problem in the entries of one agent, and every obstacle in its settings.
func (a *app) checkAgent(check agentCheck, agent string) []finding {
	o, s, err := check.state(agent)
	if err != nil {
		return []finding{{Check: agent, State: stateProblem, Detail: err.Error(), Fix: "check the file"}}
	}
	if !s.Found && !s.Connected {
		return []finding{{Check: agent, State: stateOK, Detail: "not on this machine"}}
	}
	check.connect = o
	f := a.checkEntries(check, s)
	if !s.Connected {
		return []finding{f}
	}
	all := []finding{f}
	obstacles, err := o.Obstacles(agent)
	if err != nil {
		all = append(all, finding{Check: agent, State: stateWarning, Detail: err.Error(), Fix: "check the file"})
	}
	for i, ob := range obstacles {
		held := finding{Check: agent, State: stateProblem, Detail: ob.What, Fix: ob.Fix}
		if ob.Asked {
			held.State = stateWarning
		}
		if i == 0 && f.State == stateOK { // an agent is not both fine and blocked
			held.Detail = f.Detail + ", but " + held.Detail
			all = all[1:]
		}
		all = append(all, held)
	}
	if o.Scope == connect.Project { // nobody knows in which directory it was used
		return all
	}
	if f := check.firing(s); f.State != stateOK {
		all = append(all, f)
	}
	return all
}

func (a *app) checkEntries(check agentCheck, s connect.State) finding {
	file := a.tilde(s.Files[0])
	f := finding{Check: s.Agent, State: stateWarning, Fix: "mum connect " + s.Agent}
	plan, err := check.connect.Connect(s.Agent)
	switch {
	case err != nil:
		f.State, f.Detail, f.Fix = stateProblem, err.Error(), "check the file"
	case !s.Connected && check.some: // the user chose which to connect
		f.State, f.Fix = stateOK, ""
		f.Detail = check.name(s.Agent) + "on this machine, not connected (mum connect " + s.Agent + ")"
	case !s.Connected:
		f.Detail = check.name(s.Agent) + "on this machine, not connected"
	case missing(s.Program):
		f.State, f.Detail = stateProblem, "its hooks run "+s.Program+", which does not exist ("+file+")"
		f.repair = plan.Apply
	case !plan.Empty():
		f.Detail, f.repair = "connected by another version of mum ("+a.changed(plan)+")", plan.Apply
	default:
		f.State, f.Detail, f.Fix = stateOK, check.name(s.Agent)+"connected ("+file+"), "+lastEvent(check.heard[s.Agent]), ""
	}
	return f
}

// lastEvent says when an agent sent its last event.
func lastEvent(at time.Time) string {
	if at.IsZero() {
		return "no event yet"
	}
	return "last event " + ago(at)
}

// changed names the files that a plan changes.
func (a *app) changed(plan connect.Plan) string {
	var files []string
	for _, c := range plan.Changes {
		if c.Real() {
			files = append(files, a.tilde(c.Path))
		}
	}
	return strings.Join(files, ", ")
}

func (c agentCheck) name(agent string) string {
	if v := c.version[agent]; v != "" {
		return v + ", "
	}
	return ""
}

func missing(program string) bool {
	_, err := os.Stat(program)
	return program != "" && errors.Is(err, fs.ErrNotExist)
}

// silence is how long an agent may write its own files and send no event before doctor warns: it may write a title, or
// its model may think.
const silence = 10 * time.Minute

// firing warns if an agent was used since it was connected, and no event arrived.
func (c agentCheck) firing(s connect.State) finding {
	f := finding{Check: s.Agent, State: stateOK}
	used, heard := c.used[s.Agent], c.heard[s.Agent]
	if !c.capture || s.Since.IsZero() || used.Before(s.Since.Add(silence)) || used.Before(heard.Add(silence)) {
		return f
	}
	f.State = stateProblem
	f.Detail = fmt.Sprintf("it was used %s, last event %s: its hooks do not run (sessions that are "+
		"private or in capture.exclude_projects are left out on purpose)", ago(used), lastTime(heard))
	f.Fix = "mum connect " + s.Agent + ", then begin a new session"
	if s.Agent == hooks.Codex {
		f.Fix = connect.CodexTrust
	}
	return f
}

func lastTime(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.Local().Format(time.DateTime)
}

// lastUsed reads the times of the agents' own session files. It skips what it cannot read.
func (a *app) lastUsed(ctx context.Context) map[string]time.Time {
	out := map[string]time.Time{}
	found, _ := transcript.Discover(ctx, transcript.DefaultRoots(a.userHome, runtime.GOOS, a.getenv))
	for _, src := range found {
		sessions, _ := transcript.Sessions(ctx, src) // a database changes for many reasons other than its sessions
		for _, s := range sessions {
			if s.Modified.After(out[s.Agent]) {
				out[s.Agent] = s.Modified
			}
		}
	}
	return out
}

// agentVersions asks the agents' programs for their versions, all at once.
func (a *app) agentVersions(ctx context.Context) map[string]string {
	var mu sync.Mutex
	var wg sync.WaitGroup
	out := map[string]string{}
	for _, agent := range hooks.Agents() {
		wg.Go(func() {
			v := programVersion(ctx, agent, append(a.environ[:len(a.environ):len(a.environ)], "MUM_HOOK=off"))
			mu.Lock()
			defer mu.Unlock()
			out[agent] = v
		})
	}
	wg.Wait()
	return out
}

// programVersion returns the first line of `agent --version`; "" if none comes within a few seconds.
func programVersion(ctx context.Context, agent string, env []string) string {
	path, err := exec.LookPath(agent)
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, budget.Of(5*time.Second))
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.Env, cmd.WaitDelay = env, time.Second
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	first, _, _ := bytes.Cut(bytes.TrimSpace(out), []byte("\n"))
	return oneLine(strings.ToValidUTF8(string(first), ""), 40)
}
