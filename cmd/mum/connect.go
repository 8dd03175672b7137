package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"keepmum/config"
	"keepmum/home"
	"keepmum/hooks"
	"keepmum/hooks/connect"
)

type connectFlags struct {
	scope     string
	transport string
	dryRun    bool
	yes       bool
	noMCP     bool
	json      bool
}

func newConnectCmd(a *app) *cobra.Command {
	var f connectFlags
	cmd := &cobra.Command{
		Use: "connect [auto|list|AGENT…]", Short: "Connect coding agents to keepmum",
		Long: `Write keepmum's entries into the files of the agents: claude, opencode, codex,
cursor. auto, the default, takes those found on this machine; list shows them.
An agent gets hooks, which tell the daemon what happens, and an MCP server, with
which it can search the memory.
It first shows the changes as a diff, with the keys in your file hidden. It keeps
comments and order, and disconnect restores the file byte for byte: keepmum
remembers where its own entries are, and copies none of yours.`,
		Example: "  mum connect                    all agents found here\n" +
			"  mum connect claude --dry-run   show the diff only\n  mum connect list",
		RunE: func(_ *cobra.Command, args []string) error { return a.runConnect(f, args) },
	}
	f.register(cmd)
	cmd.Flags().StringVar(&f.transport, "transport", "", "how a hook reaches the daemon: exec, shell, or http (claude)")
	cmd.Flags().BoolVar(&f.noMCP, "no-mcp", false, "hooks only: do not register the MCP server with which agents search")
	return cmd
}

func newDisconnectCmd(a *app) *cobra.Command {
	var f connectFlags
	cmd := &cobra.Command{
		Use: "disconnect [auto|AGENT…]", Short: "Remove keepmum from the agents' files",
		Long: `Restore the agents' files as they were before connect. In a file that you have edited
since, only keepmum's entries are removed. auto, the default, takes all agents.`,
		Example: "  mum disconnect claude\n  mum disconnect --dry-run",
		RunE:    func(_ *cobra.Command, args []string) error { return a.runDisconnect(f, args) },
	}
	f.register(cmd)
	return cmd
}

func (f *connectFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.scope, "scope", "user", "whose files: user, or project (those in this directory)")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "show what would change, change nothing")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON; implies --yes")
	cmd.Flags().BoolVarP(&f.yes, "yes", "y", false, "do not ask (the default without a terminal)")
}

func (a *app) runConnect(f connectFlags, args []string) error {
	o, err := a.connectOptions(f)
	if err != nil {
		return err
	}
	if slices.Equal(args, []string{"list"}) {
		return a.listAgents(o, f.json)
	}
	agents := args
	if isAuto(args) {
		if agents, err = foundAgents(o); err != nil {
			return err
		}
		if len(agents) == 0 {
			if f.json {
				return a.printJSON(outcome{Agents: []string{}, Files: []string{}})
			}
			a.printf("no coding agent was found on this machine; after you install one: mum connect auto\n")
			return nil
		}
	}
	if f.transport == string(connect.HTTP) && !slices.Contains(agents, hooks.Claude) {
		return usage(errors.New("--transport http is for claude alone"))
	}
	plan, err := o.Connect(agents...)
	if err != nil {
		return connectError(err)
	}
	err = a.carryOut(plan, f, agents, "connected: "+strings.Join(agents, ", "))
	if err != nil || f.json {
		return err
	}
	for _, note := range plan.Notes {
		a.hang("note: ", note)
	}
	return nil
}

func isAuto(args []string) bool { return len(args) == 0 || slices.Equal(args, []string{"auto"}) }

func (a *app) runDisconnect(f connectFlags, args []string) error {
	o, err := a.connectOptions(f)
	if err != nil {
		return err
	}
	if isAuto(args) {
		args = hooks.Agents()
	}
	plan, err := o.Disconnect(args...)
	if err != nil {
		return connectError(err)
	}
	done := "nothing was connected"
	were := slices.DeleteFunc(slices.Clone(args), func(agent string) bool { return !plan.About(agent) })
	if len(were) > 0 {
		done = "disconnected: " + strings.Join(were, ", ")
	}
	return a.carryOut(plan, f, were, done)
}

// outcome is the result of connect and disconnect.
type outcome struct {
	Agents []string `json:"agents"`
	Files  []string `json:"files"` // that changed, or would change
	DryRun bool     `json:"dry_run,omitempty"`
	Notes  []string `json:"notes,omitempty"`
}

// carryOut shows the plan, asks if someone is there to answer, and applies it.
func (a *app) carryOut(plan connect.Plan, f connectFlags, agents []string, done string) error {
	if f.json {
		return a.carryOutJSON(plan, f, agents)
	}
	if f.dryRun {
		diff, err := a.shownDiff(plan)
		if err == nil {
			a.printf("%s", cmp.Or(diff, "nothing would change\n"))
		}
		return err
	}
	if !plan.Empty() && !f.yes && a.interactive() {
		diff, err := a.shownDiff(plan)
		if err != nil {
			return err
		}
		a.printf("%s", diff)
		if !a.confirm("Write this?") {
			return &exitError{exitFailure, errors.New("nothing was changed"), ""}
		}
	}
	if err := plan.Apply(); err != nil {
		return connectError(err)
	}
	for _, c := range plan.Changes {
		switch {
		case c.Real() && c.After == nil:
			a.printf("removed %s\n", a.tilde(c.Path))
		case c.Real():
			a.printf("wrote %s\n", a.tilde(c.Path))
		}
	}
	if plan.Empty() {
		done = "nothing to change; " + done
	}
	a.printf("%s\n", done)
	return nil
}

func (a *app) carryOutJSON(plan connect.Plan, f connectFlags, agents []string) error {
	if !f.dryRun {
		if err := plan.Apply(); err != nil {
			return connectError(err)
		}
	}
	out := outcome{Agents: agents, Files: []string{}, DryRun: f.dryRun, Notes: plan.Notes}
	for _, c := range plan.Changes {
		if c.Real() {
			out.Files = append(out.Files, c.Path)
		}
	}
	return a.printJSON(out)
}

// shownDiff returns a plan for display. Secrets are removed, because agents keep keys in these files, next to the lines
// that change.
func (a *app) shownDiff(plan connect.Plan) (string, error) {
	intake, err := a.intake("", "")
	if err != nil {
		return "", err
	}
	diff, _ := intake.Gate().Text(plan.Diff())
	return diff.String(), nil
}

// interactive reports whether someone is there to answer.
func (a *app) interactive() bool {
	in, ok := stdin(a.in).(*os.File)
	return ok && isTerminal(in)
}

func (a *app) confirm(question string) bool {
	a.tell(a.errs, "%s [y/N]", question)
	fmt.Fprint(a.errs, " ")
	line, _ := bufio.NewReader(a.in).ReadString('\n') // no line means no
	if !a.interactive() {                             // nobody pressed Enter
		fmt.Fprintln(a.errs)
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes"
}

// connectError adds a hint to an error.
func connectError(err error) error {
	switch {
	case errors.Is(err, connect.ErrConflict):
		return hinted(err, "check the file, then run the command again; nothing was written")
	case errors.Is(err, hooks.ErrAgent):
		return &exitError{exitUsage, err, "mum connect list"}
	}
	return err
}

func (a *app) connectOptions(f connectFlags) (connect.Options, error) {
	dir, c, err := a.load(nil)
	if err != nil {
		return connect.Options{}, err
	}
	if !slices.Contains([]string{"user", "project"}, f.scope) {
		return connect.Options{}, usage(fmt.Errorf("--scope must be user or project, not %q", f.scope))
	}
	if !slices.Contains([]string{"", "exec", "shell", "http"}, f.transport) {
		return connect.Options{}, usage(fmt.Errorf("--transport must be exec, shell or http, not %q", f.transport))
	}
	return a.agentFiles(dir, c, f)
}

func (a *app) agentFiles(dir home.Dir, c config.Loaded, f connectFlags) (connect.Options, error) {
	bin, err := stableProgram()
	if err != nil {
		return connect.Options{}, err
	}
	hook := hookProgram(bin)
	if hook == "" && shortPath != nil { // mum itself would open a window for each hook
		return connect.Options{}, hinted(errors.New("mum-hook.exe is not next to "+bin),
			"put both programs of the archive into one folder")
	}
	project, err := a.here()
	if err != nil && f.scope == string(connect.Project) {
		return connect.Options{}, err
	}
	return connect.Options{
		Place:     hooks.Place{Home: string(dir), Bin: bin, Hook: hook},
		Short:     shortPath,
		UserHome:  a.userHome,
		Getenv:    a.getenv,
		LookPath:  exec.LookPath,
		Transport: connect.Transport(f.transport),
		Scope:     connect.Scope(f.scope),
		Dir:       project,
		Port:      c.Daemon.Port,
		Managed:   managedSettings(),
		NoMCP:     f.noMCP,
		Now:       time.Now(),
	}, nil
}

// managedSettings returns the path where an organisation puts Claude Code's settings.
func managedSettings() string {
	switch runtime.GOOS {
	case "windows":
		return `C:\Program Files\ClaudeCode\managed-settings.json`
	case "darwin":
		return "/Library/Application Support/ClaudeCode/managed-settings.json"
	default:
		return "/etc/claude-code/managed-settings.json"
	}
}

// hookProgram returns the path of the small program next to mum; "" = only mum was installed.
func hookProgram(bin string) string {
	path := filepath.Join(filepath.Dir(bin), "mum-hook"+filepath.Ext(bin))
	info, err := os.Stat(path)
	runs := err == nil && info.Mode().IsRegular() && (shortPath != nil || info.Mode().Perm()&0o100 != 0)
	if !runs {
		return ""
	}
	return path
}

// ownPath returns the path of this program. Tests that call it in their own process put the program's in its place.
var ownPath = os.Executable

// stableProgram returns a path that stays valid after an update: the one in PATH, if it is this program. A package
// manager's link stays while its target is replaced.
func stableProgram() (string, error) {
	self, err := ownPath()
	if err != nil {
		return "", fmt.Errorf("find the mum program: %w", err)
	}
	inPath, err := exec.LookPath("mum")
	if err != nil {
		return self, nil
	}
	a, errA := os.Stat(self)
	b, errB := os.Stat(inPath)
	if errA != nil || errB != nil || !os.SameFile(a, b) {
		return self, nil
	}
	return filepath.Abs(inPath)
}
