package main

import (
	"fmt"
	"strings"

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
		Use: "set KEY VALUE", Short: "Change a setting",
		Long: `Change a setting in the user's config file. It is checked first, as mum config check
does; the rest of the file stays, with its comments. Separate the values of a list
with commas; an empty value is an empty list. The answer says when the change takes effect.`,
		Example: "  mum config set context.budget_tokens 600\n" +
			"  mum config set privacy.exclude_paths '*.csv,notes/**'",
		DisableFlagParsing: true, // a value may be -1
		RunE: func(cmd *cobra.Command, all []string) error {
			flags, args := apartFromNumbers(all)
			if asksForHelp(flags) {
				return cmd.Help()
			}
			if err := cmd.Flags().Parse(flags); err != nil {
				return cmd.FlagErrorFunc()(cmd, err)
			}
			if err := cobra.ExactArgs(2)(cmd, args); err != nil {
				return usage(wrongArgs(cmd, args, err))
			}
			return a.runConfigSet(args[0], args[1], false, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// apartFromNumbers separates flags without values from arguments, of which a number may begin with a minus.
func apartFromNumbers(all []string) (flags, args []string) {
	for i, arg := range all {
		switch {
		case arg == "--":
			return flags, append(args, all[i+1:]...)
		case len(arg) > 1 && arg[0] == '-' && !strings.ContainsRune(".0123456789", rune(arg[1])):
			flags = append(flags, arg)
		default:
			args = append(args, arg)
		}
	}
	return flags, args
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
		hint := "mum config show --origin"
		if _, broken := config.Load(config.Options{Home: string(dir), Environ: a.environ}); broken != nil {
			hint = configFix(a.tilde(config.File(string(dir))))
		}
		return &exitError{exitUsage, fmt.Errorf("%w; nothing was changed", err), hint}
	}
	out := api.SettingChanged{Key: key, Value: e.Now, Before: e.Before, File: e.Path, Effect: daemon.Effect(owned(dir))}
	if e.Same {
		out.Effect = "Nothing was changed."
	} else if err := atomicfile.Write(e.Path, e.Text, 0o600); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(out)
	}
	if e.Same {
		a.printf("%s is %s already. %s\n", key, a.clean(shownOr(out.Value)), out.Effect)
		return nil
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
