package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"keepmum/capture"
	"keepmum/config"
	"keepmum/privacy"
)

func newConfigCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "config", Short: "Show, check and change the settings",
		Example: "  mum config show --origin\n  mum config set context.budget_tokens 600\n  mum config check",
	}
	cmd.AddCommand(
		newConfigShowCmd(a),
		newConfigPathCmd(a),
		newConfigCheckCmd(a),
		newConfigSetCmd(a),
		newConfigUnsetCmd(a),
	)
	return cmd
}

func newConfigShowCmd(a *app) *cobra.Command {
	var asJSON, origin bool
	cmd := &cobra.Command{
		Use: "show", Short: "Show the current settings", Args: cobra.NoArgs, Example: "  mum config show --origin",
		RunE: func(*cobra.Command, []string) error {
			_, c, err := a.load(nil)
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(a.shownKeys(c))
			}
			a.printSettings(c, origin)
			for _, repo := range a.reposHere(c) {
				a.printf("\nthe repository's own %s\n", a.tilde(repo.file))
				for _, line := range repo.lines() {
					a.printf("  %s\n", a.clean(line))
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&origin, "origin", false, "say where each value comes from")
	return cmd
}

// shownKeys returns the settings without secrets.
func (a *app) shownKeys(c config.Loaded) []config.KeyValue {
	all := c.Keys()
	for i := range all {
		all[i].Value = a.shown(all[i].Value)
	}
	return all
}

func (a *app) printSettings(c config.Loaded, origin bool) {
	for _, kv := range a.shownKeys(c) {
		line := fmt.Sprintf("%-40s %s", kv.Key, settingText(kv.Value))
		if origin {
			line = fmt.Sprintf("%-40s %-40s %s", kv.Key, settingText(kv.Value), a.tilde(kv.Origin))
		}
		a.raw("%s\n", strings.TrimRight(line, " "))
	}
}

// settingText returns a value on one line.
func settingText(v any) string {
	switch list := v.(type) {
	case []string:
		return "[" + strings.Join(list, ", ") + "]"
	case []config.Pattern:
		each := make([]string, len(list))
		for i, p := range list {
			each[i] = p.Name + ": " + p.Regex
		}
		return "[" + strings.Join(each, ", ") + "]"
	}
	return fmt.Sprint(v)
}

// checkRepoConfigs prints what the config files of this directory ask for, and returns the error of the first invalid
// file.
func (a *app) checkRepoConfigs(c config.Loaded) (first error) {
	for _, repo := range a.reposHere(c) {
		said := a.tilde(repo.file) + ": " + a.clean(strings.Join(repo.lines(), "; "))
		switch {
		case repo.wrong() && first == nil:
			first = hinted(errors.New(said), repo.fix(a))
		case repo.wrong():
			a.printf("invalid: %s\n", said)
		default:
			a.printf("ok: %s\n", said)
			a.tellPaths(repo.asks.ExcludePaths)
		}
	}
	return first
}

func newConfigPathCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "path", Short: "Print the path of the config file", Args: cobra.NoArgs,
		Example: "  $EDITOR \"$(mum config path)\"",
		RunE: func(*cobra.Command, []string) error {
			dir, err := a.home()
			if err != nil {
				return err
			}
			a.raw("%s\n", config.File(string(dir)))
			return nil
		},
	}
}

func newConfigCheckCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "check", Short: "Check the settings and time each pattern of your own", Args: cobra.NoArgs,
		Example: "  mum config check",
		RunE: func(*cobra.Command, []string) error {
			dir, c, err := a.load(nil)
			if err != nil {
				return hinted(err, "$EDITOR "+a.tilde(config.File(string(dir))))
			}
			if err := capture.CheckSettings(c.Config, a.userHome); err != nil {
				return hinted(err, "$EDITOR "+a.tilde(config.File(string(dir))))
			}
			file := a.tilde(config.File(string(dir)))
			if _, err := os.Lstat(config.File(string(dir))); errors.Is(err, fs.ErrNotExist) {
				file = "the defaults (there is no " + file + ")"
			}
			a.printf("ok: %s, %s\n", file, count(len(c.Privacy.Patterns), "pattern"))
			a.tellGlobs(c.Config)
			return a.checkRepoConfigs(c)
		},
	}
}

func patterns(in []config.Pattern) []privacy.Pattern {
	out := make([]privacy.Pattern, len(in))
	for i, p := range in {
		out[i] = privacy.Pattern(p)
	}
	return out
}
