package main

import (
	"github.com/spf13/cobra"

	"keepmum/config"
	"keepmum/privacy"
)

func newConfigCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "config", Short: "Show and check the settings", Example: "  mum config show --origin\n  mum config check",
	}
	cmd.AddCommand(newConfigShowCmd(a), newConfigPathCmd(a), newConfigCheckCmd(a))
	return cmd
}

func newConfigShowCmd(a *app) *cobra.Command {
	var asJSON, origin bool
	cmd := &cobra.Command{
		Use: "show", Short: "Show the settings in force", Args: cobra.NoArgs, Example: "  mum config show --origin",
		RunE: func(*cobra.Command, []string) error {
			_, c, err := a.load(nil)
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(c.Keys())
			}
			for _, kv := range c.Keys() {
				if origin {
					a.printf("%-28s %-40v %s\n", kv.Key, kv.Value, a.tilde(kv.Origin))
				} else {
					a.printf("%-28s %v\n", kv.Key, kv.Value)
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&origin, "origin", false, "say where each value comes from")
	return cmd
}

func newConfigPathCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "path", Short: "Print the path of the config file", Args: cobra.NoArgs, Example: "  $EDITOR \"$(mum config path)\"",
		RunE: func(*cobra.Command, []string) error {
			dir, err := a.home()
			if err != nil {
				return err
			}
			a.printf("%s\n", config.File(string(dir)))
			return nil
		},
	}
}

func newConfigCheckCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "check", Short: "Check the settings and time each pattern of your own", Args: cobra.NoArgs, Example: "  mum config check",
		RunE: func(*cobra.Command, []string) error {
			dir, c, err := a.load(nil)
			if err != nil {
				return err
			}
			if _, err := privacy.New(privacy.Options{ExcludePaths: c.Privacy.ExcludePaths, Patterns: patterns(c.Privacy.Patterns), Home: a.userHome}); err != nil {
				return hinted(err, "mum config path")
			}
			a.printf("ok: %s, %s\n", a.tilde(config.File(string(dir))), count(int64(len(c.Privacy.Patterns)), "pattern"))
			return nil
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
