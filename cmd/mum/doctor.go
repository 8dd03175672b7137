package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/config"
	"keepmum/home"
	"keepmum/spool"
	"keepmum/store"
)

// finding is the outcome of one check.
type finding struct {
	Check  string `json:"check"`
	State  string `json:"state"` // ok | warning | problem
	Detail string `json:"detail"`
	Fix    string `json:"fix,omitempty"` // the command that mends it
	mend   func() error
}

const (
	stateOK      = "ok"
	stateWarning = "warning"
	stateProblem = "problem"
)

func newDoctorCmd(a *app) *cobra.Command {
	var asJSON, fix, leaks bool
	cmd := &cobra.Command{
		Use: "doctor", Short: "Say what is wrong, and what to type", Args: cobra.NoArgs,
		Long:    "Check the data directory, the settings, the daemon, the database and the agents, and name the command that mends each problem. --fix does the safe ones.\n--leak-test plants invented secrets of every rule in a scratch directory, through the hooks, and looks at every byte that is stored or sent to a model.",
		Example: "  mum doctor\n  mum doctor --fix\n  mum doctor --leak-test",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if leaks {
				return a.runLeakTest(cmd.Context(), asJSON)
			}
			return a.runDoctor(cmd.Context(), asJSON, fix)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&leaks, "leak-test", false, "prove that no invented secret is stored or sent")
	cmd.Flags().BoolVar(&fix, "fix", false, "mend what can be mended safely")
	return cmd
}

func (a *app) runDoctor(ctx context.Context, asJSON, fix bool) error {
	dir, err := a.home()
	if err != nil {
		return err
	}
	all := a.examine(ctx, dir)
	if fix {
		for i, f := range all {
			if f.State != stateOK && f.mend != nil {
				all[i] = mended(f)
			}
		}
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

func mended(f finding) finding {
	if err := f.mend(); err != nil {
		f.Detail += "; could not be mended: " + err.Error()
		return f
	}
	return finding{Check: f.Check, State: stateOK, Detail: "mended: " + f.Detail}
}

func (a *app) printFindings(all []finding) {
	sign := map[string]string{stateOK: "ok  ", stateWarning: "WARN", stateProblem: "FAIL"}
	for _, f := range all {
		a.printf("%s  %-10s %s\n", sign[f.State], f.Check, f.Detail)
		if f.Fix != "" {
			a.printf("                 → %s\n", f.Fix)
		}
	}
}

// examine runs every check; none of them changes anything.
func (a *app) examine(ctx context.Context, dir home.Dir) []finding {
	c, err := config.Load(config.Options{Home: string(dir), Environ: a.environ})
	if err != nil {
		return []finding{{Check: "config", State: stateProblem, Detail: err.Error(), Fix: "$EDITOR " + config.File(string(dir))}}
	}
	all := []finding{
		{Check: "config", State: stateOK, Detail: fmt.Sprintf("privacy mode %s, capture %s", c.Privacy.Mode, onOff(c.Capture.Enabled))},
		a.checkProgram(),
		checkModes(dir),
	}
	all = append(all, a.checkDaemon(ctx, dir, c)...)
	all = append(all, checkSpool(dir), checkDisk(dir))
	return append(all, a.checkAgents(dir, c)...)
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// checkProgram looks whether the program that hooks run is this one.
func (a *app) checkProgram() finding {
	self, err := os.Executable()
	if err != nil {
		return finding{Check: "program", State: stateWarning, Detail: err.Error()}
	}
	return finding{Check: "program", State: stateOK, Detail: a.tilde(self) + ", version " + version()}
}

// checkModes looks for files that other users of the machine could read.
func checkModes(dir home.Dir) finding {
	f := finding{Check: "files", State: stateOK, Detail: "only you can read " + string(dir)}
	var open []string
	_ = filepath.WalkDir(string(dir), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil // it vanished, or it is not ours: another check's business
		}
		if info, err := e.Info(); err == nil && e.Type()&fs.ModeSymlink == 0 && info.Mode().Perm()&0o077 != 0 && filepath.Base(filepath.Dir(path)) != "hooks" && e.Name() != "hooks" {
			open = append(open, path)
		}
		return nil
	})
	if len(open) > 0 {
		f.State, f.Detail, f.Fix = stateProblem, fmt.Sprintf("%s can be read by other users, e.g. %s", count(int64(len(open)), "file"), open[0]), "mum doctor --fix"
		f.mend = func() error { return narrow(open) }
	}
	return f
}

func narrow(paths []string) error {
	for _, p := range paths {
		info, err := os.Lstat(p)
		if err == nil {
			err = os.Chmod(p, info.Mode().Perm()&0o700)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *app) checkDaemon(ctx context.Context, dir home.Dir, c config.Loaded) []finding {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var s api.Status
	err := api.NewClient(string(dir), c.Daemon.Socket).Get(ctx, "/status", nil, &s)
	switch {
	case errors.Is(err, api.ErrDown):
		return []finding{
			{Check: "daemon", State: stateWarning, Detail: "not running; the next hook starts it", Fix: "mum up"},
			checkDatabase(ctx, dir),
		}
	case err != nil:
		return []finding{{Check: "daemon", State: stateProblem, Detail: err.Error(), Fix: "mum restart"}}
	}
	all := []finding{{Check: "daemon", State: stateOK, Detail: fmt.Sprintf("version %s, since %s, %s", s.Version, ago(s.Started), captureLine(s.Capture))}}
	if s.Version != version() {
		all = append(all, finding{Check: "daemon", State: stateWarning, Detail: "it runs version " + s.Version + ", this is " + version(), Fix: "mum restart"})
	}
	for _, p := range s.Problems {
		all = append(all, finding{Check: "daemon", State: stateProblem, Detail: p, Fix: "mum logs"})
	}
	return all
}

// checkDatabase opens the database, which nobody else has open.
func checkDatabase(ctx context.Context, dir home.Dir) finding {
	f := finding{Check: "database", State: stateOK, Detail: "not made yet"}
	if _, err := os.Stat(dir.Database()); errors.Is(err, fs.ErrNotExist) || owned(dir) {
		return f
	}
	db, err := store.Open(ctx, store.Options{Path: dir.Database()})
	if err == nil {
		f.Detail = dir.Database()
		err = db.Close()
	}
	if err == nil {
		return f
	}
	f.State, f.Detail = stateProblem, err.Error()
	if errors.Is(err, store.ErrCorrupt) || errors.Is(err, store.ErrForeign) {
		f.Fix, f.mend = "mum doctor --fix   (puts the file aside; nothing is deleted)", func() error { return setAside(dir) }
	}
	return f
}

// setAside renames a database that cannot be used, with the files that belong to it.
func setAside(dir home.Dir) error {
	suffix := ".damaged-" + time.Now().UTC().Format("20060102-150405")
	for _, part := range []string{"", "-wal", "-shm"} {
		err := os.Rename(dir.Database()+part, dir.Database()+suffix+part)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func checkSpool(dir home.Dir) finding {
	n := spool.Dir(dir.Spool()).Len()
	if n == 0 {
		return finding{Check: "spool", State: stateOK, Detail: "empty"}
	}
	return finding{Check: "spool", State: stateWarning, Detail: count(int64(n), "cleaned event") + " waiting for the daemon", Fix: "mum up"}
}
