package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"keepmum/api"
	"keepmum/budget"
	"keepmum/config"
	"keepmum/home"
)

// checkDaemon asks the daemon for its status; the status is nil if the daemon does not answer.
func (a *app) checkDaemon(ctx context.Context, dir home.Dir, c config.Loaded) ([]finding, *api.Status) {
	s, err := checkedStatus(ctx, api.NewClient(string(dir), c.Daemon.Socket))
	switch {
	case errors.Is(err, api.ErrDown) && owned(dir):
		return []finding{{Check: "daemon", State: stateProblem,
			Detail: "a process owns the data directory and cannot be reached", Fix: endByHand(dir)}}, nil
	case errors.Is(err, api.ErrDown):
		f := finding{Check: "daemon", State: stateWarning, Detail: "not running; the next hook starts it", Fix: "mum up"}
		if words := strings.TrimSpace(lastWords(dir)); words != "" {
			why, hint := said(words)
			f.State, f.Detail = stateProblem,
				"not running; its last start failed: "+cmp.Or(why, strings.ReplaceAll(words, "\n", " "))
			if f.Fix = cmp.Or(hint, f.Fix); strings.HasPrefix(hint, "mum doctor") {
				f.Fix = "mum doctor --fix"
			}
		}
		f.repair = func() error { _, err := bringUp(ctx, dir, c); return err }
		return []finding{f}, nil
	case err != nil:
		detail := err.Error()
		if errors.Is(err, context.DeadlineExceeded) {
			detail = api.ErrSilent.Error()
		}
		return []finding{{Check: "daemon", State: stateProblem, Detail: detail, Fix: nextFor(err, dir)}}, nil
	}
	all := []finding{{Check: "daemon", State: stateOK,
		Detail: fmt.Sprintf("version %s, started %s, %s", s.Version, ago(s.Started), captureLine(s.Capture))}}
	if s.Version != version() {
		all = append(all, finding{Check: "daemon", State: stateWarning,
			Detail: "it runs version " + s.Version + ", this is " + version(), Fix: "mum restart"})
	}
	for _, b := range s.Blocked {
		all = append(all, finding{Check: "project", State: stateWarning, Detail: b.Project + ": " + b.Why, Fix: b.Next})
	}
	for _, p := range s.Problems {
		others := func(begin string) bool { return strings.HasPrefix(p, begin) }
		if slices.ContainsFunc([]string{api.DatabaseEmptied, api.SpoolUnusable, api.LogDamaged, api.DatabaseSetBack,
			api.VerdictsUnread, api.PrivateUnread}, others) {
			continue // other checks report it, whether or not a daemon runs
		}
		f := finding{Check: "daemon", State: stateProblem, Detail: p, Fix: "mum logs"}
		if others(api.DatabaseDamaged) {
			f.Detail, f.Fix = strings.TrimSuffix(p, ": "+api.DamagedNext), api.DamagedNext
		}
		all = append(all, f)
	}
	return all, &s
}

// otherSettings reports whether the next start would have other settings than the running daemon.
func otherSettings(ctx context.Context, dir home.Dir, c config.Loaded, s api.Status) bool {
	changed, err := os.Stat(config.File(string(dir)))
	if err != nil || !changed.ModTime().After(s.Started) {
		return s.Mode != c.Privacy.Mode
	}
	var now api.Settings
	err = api.NewClient(string(dir), c.Daemon.Socket).Get(ctx, "/settings", nil, &now)
	return err != nil || now.Restart || s.Mode != c.Privacy.Mode
}

// checkChanged looks for settings that were changed after the start of the daemon.
func checkChanged(ctx context.Context, dir home.Dir, c config.Loaded, s *api.Status) []finding {
	if s == nil || !otherSettings(ctx, dir, c, *s) {
		return nil
	}
	return []finding{{Check: "daemon", State: stateWarning,
		Detail: "it runs with the settings of its start (privacy mode " + s.Mode + "), and they were changed since",
		Fix:    "mum restart"}}
}

// A status is answered at once, unless the daemon hangs. The first check of a database of ordinary size begins 50 ms
// after a start and takes less than a second; that of a large one waits until the user is idle.
const statusWait, firstCheckWait = 5 * time.Second, 3 * time.Second

// checkedStatus returns the status of the daemon. One that has just started checks its database first: before that, a
// damaged index is not known.
func checkedStatus(ctx context.Context, client *api.Client) (s api.Status, err error) {
	ask := func() {
		answer, cancel := context.WithTimeout(ctx, budget.Of(statusWait))
		defer cancel()
		s = api.Status{}
		err = client.Get(answer, "/status", nil, &s)
	}
	end := time.Now().Add(budget.Of(firstCheckWait))
	for ask(); err == nil && s.Integrity == "" && time.Now().Before(end); ask() {
		time.Sleep(50 * time.Millisecond) // between two questions, so that the check has the processor
	}
	return s, err
}

// nextFor returns the command that helps if a daemon answers with an error, or not at all.
func nextFor(err error, dir home.Dir) string {
	var e *api.Error
	switch {
	case errors.Is(err, api.ErrSilent) || errors.Is(err, context.DeadlineExceeded):
		return endByHand(dir)
	case !errors.As(err, &e):
		return "mum restart"
	case e.Code == api.Unauthorized && runtime.GOOS == "windows": // it uses its first token: it cannot be asked to stop
		return endByHand(dir)
	case e.Message == api.DatabaseDamaged:
		return api.DamagedNext
	}
	return "mum restart"
}

// checkModel says which model summarises, and whether text leaves the machine for it.
func checkModel(c config.Loaded, s *api.Status) finding {
	f := finding{Check: "model", State: stateOK}
	where := "no text leaves this machine for it"
	if host := modelHost(c); host != "" {
		where = "text goes to " + host + ", redacted twice; mum ledger egress lists every request"
		if !slices.Contains(c.Egress.AllowHosts, host) {
			f.State, f.Fix = stateWarning,
				`put allow_hosts = ["`+host+`"] into [egress], or provider = "heuristic" into [compress]`
			where = host + " is not in egress.allow_hosts: nothing is sent there, summaries are made without a model"
		}
	}
	switch model := c.Compress.Model; {
	case c.Compress.Provider == "off":
		f.Detail = "summaries are off (compress.provider)"
		return finding{Check: "model", State: stateOK, Detail: f.Detail}
	case s != nil && s.Compress["model"] != "":
		f.Detail = s.Compress["model"]
	case model != "":
		f.Detail = model + " by " + c.Compress.Provider
	default:
		f.Detail = c.Compress.Provider + ", no model used yet"
	}
	f.Detail += "; " + where
	return f
}

// modelHost returns the host of the model; "" = this machine.
func modelHost(c config.Loaded) string {
	if c.Compress.Provider == "heuristic" {
		return ""
	}
	u, err := url.Parse(c.Compress.URL)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	if ip := net.ParseIP(u.Hostname()); u.Hostname() == "localhost" || ip != nil && ip.IsLoopback() {
		return ""
	}
	return u.Hostname()
}

// checkMCP starts the MCP server as an agent does, and asks for its tools.
func (a *app) checkMCP(ctx context.Context, dir home.Dir) finding {
	f := finding{Check: "mcp", State: stateProblem, Fix: "mum mcp </dev/null   (says why)"}
	bin, err := stableProgram()
	if err != nil {
		f.Detail = err.Error()
		return f
	}
	if _, err := os.Stat(string(dir)); err != nil { // a check leaves no directory behind
		return finding{Check: "mcp", State: stateOK, Detail: "nothing to serve yet"}
	}
	tools, err := listTools(ctx, bin, append(slices.Clone(a.environ), "MUM_HOME="+string(dir)))
	if err != nil || len(tools) == 0 {
		f.Detail = fmt.Sprintf("the server offers no tools: %v", err)
		return f
	}
	return finding{Check: "mcp", State: stateOK, Detail: "answers with " + count(len(tools), "tool")}
}

func listTools(ctx context.Context, bin string, env []string) ([]*mcp.Tool, error) {
	ctx, cancel := context.WithTimeout(ctx, budget.Of(10*time.Second))
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, "mcp")
	cmd.Env = env
	client := mcp.NewClient(&mcp.Implementation{Name: "mum doctor", Version: version()}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd, TerminateDuration: time.Second}, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = session.Close() }()
	all, err := session.ListTools(ctx, nil)
	if err != nil {
		return nil, err
	}
	return all.Tools, nil
}
