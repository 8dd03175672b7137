package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"keepmum/capture"
	"keepmum/config"
	"keepmum/home"
)

// finding is the result of one check.
type finding struct {
	Check  string `json:"check"`
	State  string `json:"state"` // ok | warning | problem
	Detail string `json:"detail"`
	Fix    string `json:"fix,omitempty"` // the command that fixes it
	repair func() error
	done   *string // what a repair did, if there is more to say than that it is fixed
}

const (
	stateOK      = "ok"
	stateWarning = "warning"
	stateProblem = "problem"
)

func newDoctorCmd(a *app) *cobra.Command {
	var asJSON, fix, leaks, newKey, acceptNew bool
	var session string
	cmd := &cobra.Command{
		Use: "doctor", Short: "Show what is wrong, and how to fix it", Args: cobra.NoArgs,
		Long: "Check the data directory, the settings, the daemon, the database, the clock, the model, the MCP server " +
			"and the agents: whether each is connected with this program, whether something switches its hooks off, and " +
			"whether they run. Each problem comes with the command that fixes it. --fix does the safe ones: file modes, a " +
			"daemon that is down, entries of another version in an agent's settings, a damaged token or key, a damaged index " +
			"(rebuilt), a damaged database (put aside).\n" +
			"--leak-test plants invented secrets of every rule in a scratch directory, through the hooks, and reads every " +
			"byte that is stored or sent to a model.\n" +
			"--session follows one session from the agent's hook to what the next start would be told, and names the " +
			"step at which it stops.",
		Example: "  mum doctor\n  mum doctor --fix\n  mum doctor --leak-test\n  mum doctor --session 12",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if leaks {
				return a.runLeakTest(cmd.Context(), asJSON)
			}
			if newKey {
				return a.runNewKey(cmd.Context())
			}
			if acceptNew {
				return a.runAcceptNew(cmd.Context())
			}
			if session != "" {
				return a.runDoctorSession(cmd.Context(), session, asJSON, fix)
			}
			return a.runDoctor(cmd.Context(), asJSON, fix)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&leaks, "leak-test", false, "prove that no invented secret is stored or sent")
	cmd.Flags().BoolVar(&fix, "fix", false, "fix what can be fixed safely")
	cmd.Flags().StringVar(&session, "session", "", "follow a session (number or id) from the hook to the next start")
	cmd.Flags().BoolVar(&newKey, "new-key", false, "continue with a new key: the old one is lost for good")
	cmd.Flags().BoolVar(&acceptNew, "accept-new", false, "continue with the new database: the lost one is gone for good")
	return cmd
}

func (a *app) runDoctor(ctx context.Context, asJSON, fix bool) error {
	dir, err := a.home()
	if err != nil {
		return err
	}
	var first []finding
	if fix {
		first = append(unlock(dir), repairSecrets(ctx, dir)...)
	}
	all := a.examine(ctx, dir)
	for i, f := range all {
		if j := slices.IndexFunc(first, func(m finding) bool { return m.Check == f.Check }); j >= 0 && f.State == stateOK {
			all[i] = first[j]
		}
	}
	if fix {
		for i, f := range slices.Backward(all) { // fix the database before a daemon is started
			if f.State != stateOK && f.repair != nil {
				all[i] = repaired(f)
			}
		}
	}
	for i := range all {
		all[i].Detail, all[i].Fix = a.clean(all[i].Detail), a.clean(all[i].Fix)
	}
	if asJSON {
		if err := a.printJSON(all); err != nil {
			return err
		}
	} else {
		a.printFindings(all)
	}
	for _, f := range all {
		if f.State == stateProblem {
			return &exitError{code: exitFailure, err: errors.New("")}
		}
	}
	return nil
}

func repaired(f finding) finding {
	if err := f.repair(); err != nil {
		f.State, f.Detail = stateProblem,
			f.Detail+"; could not be fixed: "+strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", " ")
		if e := (*exitError)(nil); errors.As(err, &e) && e.hint != "" {
			f.Fix = e.hint
		}
		return f
	}
	if f.Detail = "fixed: " + f.Detail; f.done != nil && *f.done != "" {
		f.Detail += "; " + *f.done
	}
	return finding{Check: f.Check, State: stateOK, Detail: f.Detail}
}

func (a *app) printFindings(all []finding) {
	sign := map[string]string{stateOK: "ok  ", stateWarning: "WARN", stateProblem: "FAIL"}
	for _, f := range all {
		a.hang(fmt.Sprintf("%s  %-10s ", sign[f.State], f.Check), a.tildes(f.Detail))
		if f.Fix != "" {
			a.hang("                 → ", f.Fix)
		}
	}
}

// examine runs every check; none of them changes anything.
func (a *app) examine(ctx context.Context, dir home.Dir) []finding {
	c, err := config.Load(config.Options{Home: string(dir), Environ: a.environ})
	if f := checkHome(dir); err != nil && f.State != stateOK {
		return []finding{f}
	}
	if err != nil {
		return a.examineMisset(ctx, dir, c, err)
	}
	settings := finding{Check: "config", State: stateOK,
		Detail: fmt.Sprintf("privacy mode %s, capture %s", c.Privacy.Mode, onOff(c.Capture.Enabled))}
	if err := capture.CheckStart(c.Config, a.userHome); err != nil {
		settings = finding{Check: "config", State: stateProblem, Detail: err.Error() + "; no daemon starts",
			Fix: "$EDITOR " + config.File(string(dir))}
	}
	all := []finding{settings, a.checkProgram()}
	all = append(all, a.checkRepos(c)...)
	if f := checkHome(dir); f.State != stateOK { // nothing else can work
		if readOnly(dir) { // but what is stored can be read
			database, _ := checkDatabase(ctx, dir)
			return append(all, f, database, checkToken(dir), checkKey(ctx, dir))
		}
		return append(all, f)
	}
	all = append(all, checkForeign(dir)...)
	if f, bad := checkParents(dir); bad {
		all = append(all, f)
	}
	all = append(all, checkModes(dir), checkSocket(dir, c))
	if f, ok := checkRestore(dir); ok {
		all = append(all, f)
	}
	if f, ok := checkEmptied(ctx, dir); ok {
		all = append(all, f)
	}
	all = slices.Concat(all, checkLost(ctx, dir), checkCopies(dir), checkWithheld(dir))
	if f, ok := checkVerdicts(ctx, dir); ok {
		all = append(all, f)
	}
	if f, ok := checkPrivate(dir); ok {
		all = append(all, f)
	}
	daemon, status := a.checkDaemon(ctx, dir, c)
	all = slices.Concat(all, daemon, checkChanged(ctx, dir, c, status))
	if f, ok := a.checkIndex(ctx, dir, c, status); ok {
		all = append(all, f)
	}
	if f, ok := checkTeam(status); ok {
		all = append(all, f)
	}
	if f, ok := a.checkRenamed(ctx, dir, status); ok {
		all = append(all, f)
	}
	database, past := checkDatabase(ctx, dir)
	all = append(all, database, checkToken(dir), checkKey(ctx, dir), checkClock(past, time.Now()), checkSpool(dir),
		checkDisk(dir), checkModel(c, status), a.checkMCP(ctx, dir))
	return append(all, a.checkAgents(ctx, dir, c, heard(past, status))...)
}

// What happens until settings that cannot be used are corrected, without a daemon and with one.
const (
	whileBroken = "no daemon starts, and without one events are kept without their text"
	goesOn      = "the running daemon goes on with the settings of its start"
)

// examineMisset examines what it can if the settings cannot be used.
func (a *app) examineMisset(ctx context.Context, dir home.Dir, c config.Loaded, wrong error) []finding {
	settings := finding{Check: "config", State: stateProblem, Detail: wrong.Error() + "; " + whileBroken,
		Fix: configFix(config.File(string(dir)))}
	daemon, status := a.checkDaemon(ctx, dir, c)
	if status == nil && !owned(dir) {
		return append([]finding{settings}, checkWithheld(dir)...)
	}
	settings.Detail = wrong.Error() + "; " + goesOn + ", but no other starts"
	database, _ := checkDatabase(ctx, dir)
	return slices.Concat([]finding{settings}, checkWithheld(dir), daemon,
		[]finding{database, checkToken(dir), checkKey(ctx, dir), checkSpool(dir), checkDisk(dir)})
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// checkProgram checks whether the program that hooks run is this one.
func (a *app) checkProgram() finding {
	self, err := ownPath()
	if err != nil {
		return finding{Check: "program", State: stateWarning, Detail: err.Error()}
	}
	return finding{Check: "program", State: stateOK, Detail: a.tilde(self) + ", version " + version()}
}
