package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/atomicfile"
	"keepmum/capture"
	"keepmum/config"
	"keepmum/daemon"
	"keepmum/home"
)

func newConfigSetCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "set KEY VALUE", Short: "Change a setting", Args: cobra.ExactArgs(2),
		Long: `Change a setting in the user's config file. It is checked first, as mum config check
does; the rest of the file stays, with its comments. Separate the values of a list
with commas; an empty value is an empty list. The answer says when the change takes effect.`,
		Example: "  mum config set context.budget_tokens 600\n  mum config set privacy.exclude_paths '*.csv,notes/**'",
		RunE:    func(_ *cobra.Command, args []string) error { return a.runConfigSet(args[0], args[1], false, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newConfigUnsetCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "unset KEY", Short: "Remove a setting from the config file: the default applies again", Args: cobra.ExactArgs(1),
		Example: "  mum config unset context.budget_tokens",
		RunE:    func(_ *cobra.Command, args []string) error { return a.runConfigSet(args[0], "", true, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) runConfigSet(key, value string, unset, asJSON bool) error {
	dir, err := a.home()
	if err != nil {
		return err
	}
	if _, err := home.Prepare(dir); err != nil {
		return err
	}
	e, err := config.Set(config.Options{Home: string(dir), Environ: a.environ}, key, value, unset)
	if err == nil {
		err = capture.CheckSettings(e.Loaded.Config, a.userHome)
	}
	if err != nil {
		return &exitError{exitUsage, fmt.Errorf("%w; nothing was changed", err), "mum config show --origin"}
	}
	if err := atomicfile.Write(e.Path, e.Text, 0o600); err != nil {
		return err
	}
	out := api.SettingChanged{Key: key, Value: e.Now, Before: e.Before, File: e.Path, Effect: daemon.Effect(owned(dir))}
	if asJSON {
		return a.printJSON(out)
	}
	a.printf("%s is %s (it was %s). %s\n", key, a.clean(shownOr(out.Value)), a.clean(shownOr(out.Before)), out.Effect)
	return nil
}

func shownOr(s string) string {
	if s == "" {
		return "empty"
	}
	return s
}
